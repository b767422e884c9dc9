"""References are read before they are believed: what in a set contradicts itself."""
