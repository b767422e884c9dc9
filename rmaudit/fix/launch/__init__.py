"""Training in several processes: the file of accelerate, the parent, its workers."""
