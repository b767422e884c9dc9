"""The embedded judge: its lessons and its training."""
