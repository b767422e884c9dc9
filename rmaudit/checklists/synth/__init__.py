"""Program-made preference pairs whose reasons are right by construction.

A family draws a task; faults are injected into clean responses; every reason is proved by a check
that the faulty response fails and the mended one passes.
"""
