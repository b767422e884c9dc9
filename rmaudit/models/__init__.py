"""What a checkpoint is, read from its files before anything is loaded."""
