"""The embedded judge and labeller, and the judge that knows the truth: text alone, no model."""
