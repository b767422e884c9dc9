"""Repair: hybrid-reward GRPO on the same parsing, matching and metrics as the scan."""
