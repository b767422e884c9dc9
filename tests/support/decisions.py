"""A decision with a rule of every status, for the tests of its renderings."""

from __future__ import annotations

from typing import Any

from rmaudit.gate.decision import Decision, RuleResult, Step, Waived

HOSTILE = (
    "<script>alert(1)</script> ]]> & | `x` **b** [l](http://e.example) ![i](http://e.example/x) "
    "\x1b[31mred\x07 ::error::x\r\n::warning::y @everyone =1+1 \u202e %0A,title=z"
)


def rule(id_: str, **fields: Any) -> RuleResult:
    defaults: dict[str, Any] = {
        "metric": "rc",
        "slice": None,
        "kind": "absolute",
        "direction": "min",
        "level": "error",
        "confidence": 0.95,
        "on_inconclusive": "inconclusive",
        "why": "a guess",
        "validated": False,
        "line": 7,
        "limit": 0.2,
        "status": "PASS",
        "sentence": f"what was found about {id_}",
        "value": 0.31,
        "low": 0.28,
        "high": 0.34,
        "n": 400,
    }
    return RuleResult(id=id_, **{**defaults, **fields})


def decision(text: str = "plain") -> Decision:
    """One rule of every status, a waived one and a warning; `text` wherever text can be."""
    waiver = Waived("owner " + text, "reason " + text, "2026-12-24", 0.1, True)
    return Decision(
        verdict="INVALID",
        sentence="INVALID: " + text,
        rules=(
            rule("passes"),
            rule("fails", status="FAIL", line=12, sentence="too low: " + text, why=text),
            rule("undecided", status="INCONCLUSIVE", further=120, sentence="open: " + text),
            rule("broken", status="INVALID", value=None, low=None, high=None, sentence=text),
            rule("waived", status="FAIL", waiver=waiver, sentence="waived: " + text),
            rule("warns", status="FAIL", level="warn", slice="code", sentence="warns: " + text),
        ),
        problems=("matches.jsonl was changed since the run ended: " + text,),
        notes=("a note: " + text,),
        policy={"name": "release", "file": "policies/my release.toml", "sha256": "ab" * 32},
        waivers=None,
        run={
            "target": {"name": text, "digest": "cd" * 32},
            "judge": {"spec": text},
            "n_items": 200,
        },
        baseline=None,
        tool_version="0.0.0",
        decided="2026-11-30",
        next=(Step("40 more items: " + text, "rmaudit scan " + text),),
    )
