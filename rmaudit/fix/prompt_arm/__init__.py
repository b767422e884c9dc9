"""The repair of a model whose weights stay: guidelines in its prompt."""
