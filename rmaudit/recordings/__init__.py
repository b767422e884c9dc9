"""Outputs that others recorded, read as if they were generated here."""
