"""Is the judge fit to measure with? Null tests, known truth, a second judge, a person's scores."""
