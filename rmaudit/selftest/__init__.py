"""The self-test: reward models with one known defect each, audited by the real pipeline.

    items + PlantedModel -> raw text -> parser -> judge, labeller -> metrics -> findings -> verdict

`writers` word reasons, `envelopes` lay an answer out, `models` write answers, `defects` plant one
defect and say what must be named, `audit` runs the pipeline in memory and `certificate` holds the
findings against what was planted.
"""
