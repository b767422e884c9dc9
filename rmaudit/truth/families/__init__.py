"""One claim reader a family: its slots, and how their values are recognised and looked up."""
