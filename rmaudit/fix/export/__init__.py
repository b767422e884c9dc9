"""Hands a repair over to verl or OpenRLHF: data, a reward file on our functions, a launcher."""
