"""What a target is asked: a prompt for each order of a pair, or for each response alone."""

from __future__ import annotations

from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Request, request_seed
from rmaudit.prompts import Prompt
from rmaudit.recordings.recording import ORDERS, ShownOrder
from rmaudit.records import Key, Order
from rmaudit.run.halves import SIDES, half
from rmaudit.scan.target import Target


def shown_orders(config: ScanConfig, target: Target) -> tuple[ShownOrder, ...]:
    """The orders asked for that the target can show."""
    if (target.scorer is not None and not target.scores_pairs) or target.pointwise:
        return ("ab",)  # each response is judged alone: there is no order to exchange
    held = target.recording.orders if target.recording is not None else ORDERS
    return tuple(order for order in config.shown_orders if order in held)


def requests_for(
    config: ScanConfig, target: Target, items: tuple[Item, ...]
) -> tuple[tuple[Request, ...], int]:
    """A request for each item, order and sample, and how many delimiters were neutralised."""
    requests: list[Request] = []
    neutralised = 0
    if target.pointwise:
        return _requests_alone(config, target, items)
    for item in items:
        for order in shown_orders(config, target):
            prompt = prompt_of(config, target, item, order)
            neutralised += prompt.neutralised
            for sample in range(config.samples):
                key = Key(item.id, "base", "pair", order, sample)
                requests.append(Request(key, prompt.messages, request_seed(config.seed, key)))
    return tuple(requests), neutralised


def _requests_alone(
    config: ScanConfig, target: Target, items: tuple[Item, ...]
) -> tuple[tuple[Request, ...], int]:
    """Two requests for each item and sample, one about each response."""
    requests: list[Request] = []
    neutralised = 0
    for item in items:
        prompts = {
            side: target.profile.render_alone(item, side, max_reasons=config.max_reasons)
            if target.prompted
            else Prompt((), 0)
            for side in SIDES
        }
        neutralised += sum(prompt.neutralised for prompt in prompts.values())
        for sample in range(config.samples):
            for side, prompt in prompts.items():
                key = half(Key(item.id, sample=sample), side)
                requests.append(Request(key, prompt.messages, request_seed(config.seed, key)))
    return tuple(requests), neutralised


def prompt_of(config: ScanConfig, target: Target, item: Item, order: Order) -> Prompt:
    """The prompt of a pair in an order; none where the target is not prompted."""
    if not target.prompted or target.profile.pointwise:
        return Prompt((), 0)
    shown: ShownOrder = "ba" if order == "ba" else "ab"
    return target.profile.render(item, order=shown, max_reasons=config.max_reasons)
