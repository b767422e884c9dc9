"""What a model is asked further: continuations, rewordings, specifications, blind verdicts."""
