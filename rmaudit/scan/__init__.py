"""The scan: what is planned, its stages, and what each writes."""
