"""The learned judge of ordinary reasons: its lessons and its training."""
