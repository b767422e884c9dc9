"""The reward of a completion, and the calls of the judge around it."""
