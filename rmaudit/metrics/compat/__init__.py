"""The arithmetic of public scripts, faults included, on the files that they write.

These numbers stand beside ours for who compares with a published table; no rule can rest on them.
"""
