"""Training in several processes: the parent that starts them, and one worker."""
