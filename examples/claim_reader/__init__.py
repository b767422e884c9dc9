"""The reader of claims behind the judge `truth`: its lessons, its training."""
