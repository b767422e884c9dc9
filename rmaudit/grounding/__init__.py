"""Whether what a reason quotes or counts is really there."""
