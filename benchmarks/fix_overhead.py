"""What the judge adds to a rollout of `rmaudit fix`: its calls against the latency of its endpoint.

    python benchmarks/fix_overhead.py [--rollouts N] [--latency SECONDS]

An endpoint on loopback, in a process of its own, answers each call after 0.5 s. The reward that
training calls (`rmaudit/fix/reward/trl_reward.py`) scores rollouts of 128 completions, 16 prompts
with 8 different answers each, all right and clean, so that each needs the judge: the worst case.
The same completions are scored by the arm `outcome`, which asks no judge; the difference is what
the judge adds. If all calls go out at once it is one latency and the client's work. The latency is
that of 128 calls at once over bare sockets, which holds the endpoint's own work. Ratios are of one
run; one rollout before the clock runs lets the engine learn how the server takes a schema.

Exits 1 when the bar is missed: the median of added time over latency is at most 1.3.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.fix.data import Prompted, balanced
from rmaudit.fix.options import CONCURRENCY
from rmaudit.fix.reward.reward import Arm
from rmaudit.fix.reward.scorer import Scorer
from rmaudit.fix.reward.trl_reward import HybridReward
from rmaudit.judging.metajudge import Judge
from rmaudit.scan.judge import make_judge

BAR = 1.3
PROMPTS, SAMPLES = 16, 8
STOP = 256
"""An end token beside the 256 bytes."""
Rollout = tuple[list[list[int]], list[int]]


def main() -> int:
    options = arguments()
    prompts = balanced(load_set(f"synth:21:{PROMPTS}:slogan").items, seed=0)
    rollouts = [rollout(prompts, number) for number in range(options.rollouts + 1)]
    print(f"load of this machine before the start: {os.getloadavg()[0]:.1f}")
    with endpoint(options.latency) as url:
        judge = make_judge(
            ScanConfig(target="", judge=f"openai:judge@{url}", concurrency=CONCURRENCY, cache=False)
        )
        seconds(rollouts[0], prompts, judge, "hybrid")
        ratios = []
        print("rollout   with judge   without   added   latency   ratio")
        for number, one in enumerate(rollouts[1:], start=1):
            latency = asyncio.run(bare(url))
            without = seconds(one, prompts, judge, "outcome")
            with_judge = seconds(one, prompts, judge, "hybrid")
            added = with_judge - without
            ratios.append(added / latency)
            print(
                f"{number:>7} {with_judge:10.3f} s {without:7.3f} s {added:5.3f} s"
                f" {latency:7.3f} s   {ratios[-1]:.3f}"
            )
        judge.close()
    median = statistics.median(ratios)
    print(
        f"added by the judge: {median:.3f} of its latency (median of {len(ratios)}, "
        f"{min(ratios):.3f} to {max(ratios):.3f}; bar {BAR})"
    )
    return 0 if median <= BAR else 1


def rollout(prompts: list[Prompted], number: int) -> Rollout:
    """128 completions as token ids, all different, and the prompt of each."""
    rng = random.Random(number)
    ids, index = [], []
    for place, prompted in enumerate(prompts):
        for sample in range(SAMPLES):
            reasons = [reason.text for reason in prompted.item.reasons]
            rng.shuffle(reasons)
            reasons = [*reasons[:4], f"Response A is draft {number}-{sample} of {place}."]
            lines = [f"{k}. {text}" for k, text in enumerate(reasons, start=1)]
            first = (prompted.item.label == "a") == (prompted.order == "ab")
            text = "\n".join([*lines, rf"\boxed{{{'A>B' if first else 'B>A'}}}"])
            ids.append([*text.encode(), STOP])
            index.append(place)
    return ids, index


def seconds(one: Rollout, prompts: list[Prompted], judge: Judge, arm: Arm) -> float:
    """Wall time of one call of the reward, as TRL calls it; every answer must have a reward."""
    reward = HybridReward(
        Scorer(judge, arm, max_reasons=5),
        prompts,
        decode=lambda ids: bytes(ids).decode(),
        stops=[STOP],
    )
    logged: dict[str, Any] = {}
    begun = perf_counter()
    rewards = asyncio.run(
        reward(
            completion_ids=one[0],
            index=one[1],
            log_metric=logged.__setitem__,
            log_extra=logged.__setitem__,
        )
    )
    took = perf_counter() - begun
    if None in rewards or logged["fix/outcome"] != 1.0 or logged["fix/clean"] != 1.0:
        raise SystemExit(f"the rollout is not what it should be: {logged}")
    if arm == "hybrid" and not all(rewards):
        raise SystemExit("the judge was not asked for every answer")
    return took


async def bare(url: str) -> float:
    """Wall time of as many calls at once, with nothing but sockets."""
    place = url.removeprefix("http://").partition("/")[0]
    host, _, port = place.partition(":")
    body = b" " * 6000
    head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"

    async def call() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head.encode() + body)
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    begun = perf_counter()
    await asyncio.gather(*(call() for _ in range(PROMPTS * SAMPLES)))
    return perf_counter() - begun


@contextmanager
def endpoint(latency: float) -> Iterator[str]:
    """The base URL of a judge's endpoint in a process of its own."""
    words = [sys.executable, __file__, "--serve", "--latency", str(latency)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


async def serve(latency: float) -> None:
    """Answers every chat: the first reason states the first reference, each after the latency."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = 0
                for line in head.decode("latin-1").lower().split("\r\n"):
                    if line.startswith("content-length:"):
                        length = int(line.partition(":")[2])
                body = await reader.readexactly(length)
                if head.startswith(b"POST"):
                    await asyncio.sleep(latency)
                payload = answer(body)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                    + str(len(payload)).encode()
                    + b"\r\n\r\n"
                    + payload
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def answer(body: bytes) -> bytes:
    """The body of a reply: to a chat, to the engine's probe, or the list of models."""
    if not body:
        return json.dumps({"object": "list", "data": [{"id": "judge", "object": "model"}]}).encode()
    probe = b"Name one colour" in body
    text = '{"colour": "green"}' if probe else '{"pairs": [{"r": 1, "s": 1, "score": 1}]}'
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
    }
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "judge"}
    usage = {"prompt_tokens": 600, "completion_tokens": 20}
    return json.dumps({**whole, "choices": [choice], "usage": usage}).encode()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=7)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    if arguments().serve:
        asyncio.run(serve(arguments().latency))
    sys.exit(main())
