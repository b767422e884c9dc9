"""Engines: how completions are made. Each yields every completion as it finishes."""
