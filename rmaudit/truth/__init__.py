"""What is true of a program-made item, and whether a reason says it."""
