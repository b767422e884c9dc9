"""Sets made from sets: split, sample, near duplicates, statistics, and what changed."""
