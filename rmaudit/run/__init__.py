"""The run directory: its files, their records, and the table that metrics are computed on."""
