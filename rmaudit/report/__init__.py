"""Reports of finished runs, made from the run directory alone: RunDir -> view -> text."""
