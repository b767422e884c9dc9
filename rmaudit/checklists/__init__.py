"""Sets of atomic checklists: their schema, loading, checks and program-made items."""
