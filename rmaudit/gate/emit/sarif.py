"""A decision as SARIF 2.1.0: rules of the gate, and the items behind them by file and line.

A result of the gate stands at its rule in the policy's file. A result of an item stands at its line
in the items file that the run used, so that a code host shows it beside the item. `kind` says what
the result is: `pass`, `fail`, or `open` where nothing is decided. A waiver is a suppression from
outside.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rmaudit.escaping import plain
from rmaudit.gate.decision import Decision, RuleResult

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST = 1000
"""Results of items at most; how many were left out is said."""
_LEVELS = {"FAIL": "error", "INVALID": "error", "INCONCLUSIVE": "warning", "PASS": "none"}


class ItemFinding(NamedTuple):
    """What is wrong about one item: a rule of RULES of items, where, and in words."""

    rule: str
    item: str
    line: int
    text: str


class ItemRule(NamedTuple):
    """A kind of item finding."""

    id: str
    name: str
    text: str


def sarif(
    decision: Decision,
    *,
    items_file: str,
    item_rules: Sequence[ItemRule] = (),
    findings: Iterable[ItemFinding] = (),
) -> str:
    """The document, with a newline at its end.

    Args:
        decision: of the gate.
        items_file: path of the items file, as the reader of the report finds it.
        item_rules: the kinds of item findings, all of them, also those that nothing fired.
        findings: worst first; MOST are shown.
    """
    every = list(findings)
    rules = [_gate_rule(rule) for rule in decision.rules] + [_item_rule(one) for one in item_rules]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [_gate_result(rule, decision, index) for rule in decision.rules]
    results += [_item_result(one, items_file, index) for one in every[:MOST]]
    run = {
        "tool": {
            "driver": {
                "name": "rmaudit",
                "version": decision.tool_version,
                "rules": rules,
            }
        },
        "automationDetails": {"id": f"rmaudit/{_plain(decision.policy['name'])}/"},
        "invocations": [
            {
                "executionSuccessful": decision.verdict != "INVALID",
                "exitCode": decision.exit_code,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": _plain(problem)}}
                    for problem in decision.problems
                ]
                + [{"level": "note", "message": {"text": _plain(note)}} for note in decision.notes],
            }
        ],
        "results": results,
        "properties": {
            "verdict": decision.verdict,
            "sentence": _plain(decision.sentence),
            "judgeStanding": _plain(decision.run.get("judge_standing", "")),
            "itemResultsLeftOut": max(0, len(every) - MOST),
        },
        "columnKind": "unicodeCodePoints",
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _gate_rule(rule: RuleResult) -> dict[str, Any]:
    return {
        "id": f"gate/{_plain(rule.id)}",
        "name": _plain(rule.metric),
        "shortDescription": {"text": f"{_plain(rule.metric)}: a rule of the release policy"},
        "fullDescription": {"text": _plain(rule.why or rule.metric)},
        "defaultConfiguration": {"level": "error" if rule.level == "error" else "warning"},
        "properties": {"validated": rule.validated, "kind": rule.kind},
    }


def _item_rule(rule: ItemRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.name},
        "fullDescription": {"text": rule.text},
        "defaultConfiguration": {"level": "note"},
    }


def _gate_result(rule: RuleResult, decision: Decision, index: dict[str, int]) -> dict[str, Any]:
    kinds = {"PASS": "pass", "INCONCLUSIVE": "open"}
    kind = kinds.get(rule.status, "fail")
    id_ = f"gate/{_plain(rule.id)}"
    result: dict[str, Any] = {
        "ruleId": id_,
        "ruleIndex": index[id_],
        "kind": kind,
        # A level goes with a failure only.
        "level": ("warning" if rule.level != "error" else _LEVELS[rule.status])
        if kind == "fail"
        else "none",
        "message": {"text": _plain(rule.sentence)},
        "locations": [_location(decision.policy["file"] or "policy", rule.line)],
        "partialFingerprints": {"rule/v1": _hash(decision.policy["name"], rule.id)},
        "properties": {
            "value": rule.value,
            "low": rule.low,
            "high": rule.high,
            "limit": rule.limit,
            "n": rule.n,
        },
    }
    if rule.waived and rule.waiver is not None:
        one = rule.waiver
        told = f"{one.owner}, until {one.expires}: {one.reason}"
        result["suppressions"] = [{"kind": "external", "justification": _plain(told)}]
    return result


def _item_result(one: ItemFinding, file: str, index: dict[str, int]) -> dict[str, Any]:
    return {
        "ruleId": one.rule,
        "ruleIndex": index[one.rule],
        "kind": "fail",
        "level": "note",
        "message": {"text": _plain(one.text)},
        "locations": [_location(file, one.line)],
        "partialFingerprints": {"item/v1": _hash(one.rule, one.item)},
    }


def _location(file: str, line: int) -> dict[str, Any]:
    from urllib.parse import quote

    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(file.replace("\\", "/"), safe="/.-_~")},
            "region": {"startLine": max(1, line)},
        }
    }


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def _plain(text: str) -> str:
    return plain(text)
