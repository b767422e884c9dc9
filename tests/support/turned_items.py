"""Items whose references were left behind when something else was turned."""

from __future__ import annotations

from typing import Any

from rmaudit.checklists.schema import Item

OTHER: dict[Any, Any] = {"a": "b", "b": "a", "tie": "tie", "both": "both", None: None}


def small(name: str = "i1", **fields: Any) -> Item:
    """An item about a kettle; a fault of response A, so that b is right."""
    shown = {
        "id": name,
        "prompt": [{"role": "user", "content": "Write one line on the kettle Otto from Lima."}],
        "response_a": "Otto, the premium kettle, ships from Seoul.",
        "response_b": "Otto is a kettle. It ships from Lima at once.",
        "label": "b",
        "reasons": [{"id": "r1", "text": 'Response A says "Seoul".', "about": "a"}],
    }
    return Item.model_validate(shown | fields)


def responses_turned(item: Item) -> Item:
    """The same pair with responses and label exchanged, and the references left as they were."""
    return item.model_copy(
        update={
            "response_a": item.response_b,
            "response_b": item.response_a,
            "label": OTHER[item.label],
        }
    )


def about_turned(item: Item) -> Item:
    """The same item with `about` of every reason exchanged, and nothing else."""
    reasons = [one.model_copy(update={"about": OTHER[one.about]}) for one in item.reasons]
    return item.model_copy(update={"reasons": reasons})
