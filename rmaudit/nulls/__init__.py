"""Lists of reasons that a model could give without judging: what the two responses differ in.

A null reads the request and the responses, never the references, and has the right verdict. What
such a list earns is what a rationale metric pays for no judgment at all (`rc.null`).
"""
