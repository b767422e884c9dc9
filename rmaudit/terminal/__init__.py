"""What a terminal shows. Together with `progress`, the only importers of rich."""
