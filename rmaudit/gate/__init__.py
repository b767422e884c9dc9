"""The gate: does a run meet a release policy. It reads the run directory only and calls no model.

    policy + run (+ baseline, waivers) -> Evidence -> Measured -> Decision -> exit code

`policy` and `waivers` read what people wrote, `evidence` reads a run and recomputes it, `measured`
gives bounds and p-values of one rule, and `decide` is the verdict; the last two are pure.
"""
