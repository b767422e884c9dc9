"""From reasons to categories and flaws: the protocol, the labellers, their prompts."""
