"""A decision as JUnit XML: one test case a rule, so that every CI shows the gate as tests.

A rule that blocks is a failure, an error where its evidence is invalid. What does not block
(waived, a warning, allowed to stay undecided) is skipped, with what was found as its message.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rmaudit.escaping import plain
from rmaudit.gate.decision import Decision, RuleResult

_NOT_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}


def junit(decision: Decision) -> str:
    """The document, with a newline at its end."""
    cases = [_case(rule) for rule in decision.rules]
    suite = ET.Element(
        "testsuite",
        name=_text(f"rmaudit gate {decision.policy['name']}"),
        tests=str(len(cases) + bool(decision.problems)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases) + bool(decision.problems)),
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        timestamp=f"{decision.decided}T00:00:00",
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(decision).items():
        ET.SubElement(properties, "property", name=name, value=_text(value))
    if decision.problems:
        evidence = ET.SubElement(suite, "testcase", classname="rmaudit.gate", name="evidence")
        error = ET.SubElement(evidence, "error", message=_text(decision.problems[0]))
        error.text = _text("\n".join(decision.problems))
    suite.extend(cases)
    if decision.notes:
        ET.SubElement(suite, "system-out").text = _text("\n".join(decision.notes))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _properties(decision: Decision) -> dict[str, str]:
    run = decision.run
    target = run.get("target") or {}
    return {
        "verdict": decision.verdict,
        "sentence": decision.sentence,
        "exit_code": str(decision.exit_code),
        "model": str(target.get("name", "")),
        "model_digest": str(target.get("digest", "")),
        "policy_sha256": decision.policy["sha256"],
        "judge": str((run.get("judge") or {}).get("spec", "")),
        "judge_standing": str(run.get("judge_standing", "")),
        "items": str(run.get("n_items", "")),
        "tool_version": decision.tool_version,
    }


def _case(rule: RuleResult) -> ET.Element:
    case = ET.Element(
        "testcase",
        classname=_text(f"rmaudit.{rule.slice or 'all'}"),
        name=_text(f"{rule.id}: {rule.metric}"),
    )
    details = "\n".join(filter(None, (rule.sentence, f"why this rule: {rule.why}", _waiver(rule))))
    if rule.effect == "PASS":
        if rule.status != "PASS":
            ET.SubElement(case, "skipped", message=_text(f"{_cause(rule)}: {rule.sentence}"))
    else:
        kind = "error" if rule.effect == "INVALID" else "failure"
        told = ET.SubElement(case, kind, message=_text(rule.sentence), type=rule.status)
        told.text = _text(details)
    output = ET.SubElement(case, "system-out")
    output.text = _text(details)
    return case


def _cause(rule: RuleResult) -> str:
    if rule.waived:
        return f"{rule.status}, waived"
    return f"{rule.status}, does not block"


def _waiver(rule: RuleResult) -> str:
    one = rule.waiver
    if one is None:
        return ""
    told = f"waiver of {one.owner}, until {one.expires}: {one.reason}"
    return told if one.applies else f"{told} (does not apply: {one.why})"


def _text(text: str) -> str:
    """Text that XML 1.0 can hold."""
    return plain(text).translate(_NOT_XML)
