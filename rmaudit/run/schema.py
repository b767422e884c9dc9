"""The version of everything in a run directory, and what each version changed.

It is raised when a field is added to, taken out of, or changes its meaning in a file of the
directory. A run of an older version still loads, gates and reports: a small one of each version
lies in `tests/run/samples/`. A run of a newer version is refused.

SCHEMA_VERSION
    1  first version
    2  nulls.jsonl and `nulls` of the manifest; `claims` of a line of matches.jsonl; `references` of
       the manifest: what reading them found
    3  `written` and `qualified` of the card that the manifest cites of its judge
    4  `file_hashes`, `resumed_over` and `seal` of the manifest; `reference_visible` is yes, no or
       unknown; `options` of the manifest; decisions/ beside gate.json, each with `next`
    5  `server` of a line of generations.jsonl, and the outcome `filtered`
    6  scores.jsonl of a model that is scored here, with repairs and neutral edits of responses
       (variants repair:K and control:K); `lower_is_better` of target and identity
    7  `measured` of the labeller: how well it knew each label, where a card of it is known;
       the metric `rationale_causality.reworded`
    8  `label` of an item and of a line of results.jsonl is null for a pair that nobody has judged
       (pairs of rollouts, which `meta.rollout` of an item tells of); slices of metrics.json by
       fault kind and by family; metrics of spread, tuples and tables of styles
"""

from __future__ import annotations

SCHEMA_VERSION = 8
