"""A small bench harness: contenders take turns in every round and are timed by the CPU time of the thread.

On a shared machine wall time varies more than tenfold and even CPU time by a quarter, so only ratios within a round
mean anything: the ratio of two contenders is the median of their ratios round by round, and its spread is reported
with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from time import thread_time
from typing import NamedTuple

ROUNDS = 7


class Entry(NamedTuple):
    """One measured line: ratios are our cost over the peer's, so less is better, and `ratio` is held to the target."""

    name: str
    value: float
    unit: str
    peers: dict[str, float]
    ratio: float
    spread: tuple[float, float]
    target: float
    met: bool
    note: str = ""


class Contender(NamedTuple):
    """Something that handles a number of items per call, given which; slow peers take fewer items per round."""

    run: Callable[[Sequence[int]], object]
    items: int


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def take_turns(
    contenders: Mapping[str, Contender], items: Sequence[int], rounds: int = ROUNDS
) -> dict[str, list[float]]:
    """Seconds per item of each contender in each round; every round goes on to items that the last did not use."""
    feeds = {name: _chunks(items, contender.items) for name, contender in contenders.items()}
    for name, contender in contenders.items():
        contender.run(next(feeds[name])[: max(1, contender.items // 10)])
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            chunk = next(feeds[name])
            begin = thread_time()
            contender.run(chunk)
            seconds[name].append((thread_time() - begin) / len(chunk))
    return seconds


def _chunks(items: Sequence[int], length: int) -> Iterator[Sequence[int]]:
    at = 0
    while True:
        if at + length > len(items):
            at = 0
        yield items[at : at + length]
        at += length


def ratios(seconds: Mapping[str, Sequence[float]], ours: str, peer: str) -> list[float]:
    return [a / b for a, b in zip(seconds[ours], seconds[peer], strict=True)]


def entries(
    name: str,
    unit: str,
    per_second: float,
    seconds: Mapping[str, Sequence[float]],
    targets: Mapping[str, float],
    note: str = "",
) -> Iterator[Entry]:
    """One entry per peer with a target; the first contender is ours."""
    ours, *others = seconds
    value = median(seconds[ours]) * per_second
    peers = {peer: median(ratios(seconds, ours, peer)) for peer in others}
    for peer, target in targets.items():
        if peer in peers:
            each = ratios(seconds, ours, peer)
            label = name if peer == next(iter(targets)) else f"{name}:{peer}"
            ratio = median(each)
            yield Entry(label, value, unit, peers, ratio, (min(each), max(each)), target, ratio <= target, note)


def as_data(measured: Iterable[Entry]) -> dict[str, object]:
    return {"entries": [entry._asdict() for entry in measured]}


def as_table(measured: Iterable[Entry]) -> str:
    lines = [
        f"{'entry':32} {'value':>12} {'unit':8} {'ratio':>8} {'spread':>15} {'target':>7}  met  peers (ours / theirs)"
    ]
    for e in measured:
        peers = ", ".join(f"{peer} {ratio:.3g}" for peer, ratio in e.peers.items())
        spread = f"{e.spread[0]:.3g}..{e.spread[1]:.3g}"
        met = "yes" if e.met else "NO"
        lines.append(
            f"{e.name:32} {e.value:12,.3f} {e.unit:8} {e.ratio:8.3f} {spread:>15} {e.target:7.3g}  {met:3}  {peers}"
        )
    return "\n".join(lines)
