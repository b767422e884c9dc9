"""From raw text to matched reasons: prompts, parsing, sides, judges, matching."""
