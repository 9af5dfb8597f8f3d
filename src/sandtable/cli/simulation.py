"""`sandtable simulate`: games between computer players, and what they add up to."""

from __future__ import annotations

import argparse
import csv
import io
import os
import secrets
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec

from sandtable import registry
from sandtable.ai.players import BUDGET
from sandtable.cli.files import write_bytes
from sandtable.cli.screen import columns, print_json
from sandtable.cli.trouble import CommandError
from sandtable.lab.batch import MOST_ORDERS, Game, Result, Share, Summary, game_seed, run_batch, summarize
from sandtable.lab.seats import seats_from, sides_of
from sandtable.lab.tables import open_table, options_from


def simulate(asked: argparse.Namespace) -> int:
    """The games are played; their results stand on stdout, and in a file if one is named."""
    table = open_table(asked.scenario)
    options = options_from(table, asked.option)
    seed = asked.seed if asked.seed is not None else secrets.token_hex(8)
    out = Path(asked.out) if asked.out else None
    if out is not None and not out.parent.is_dir():
        raise CommandError(f"{out}: this is in no folder that exists")
    sides = sides_of(table, options)
    seats = seats_from(asked.sides, sides, registry.PLAYERS)
    budget, most = asked.budget or BUDGET, asked.most_orders or MOST_ORDERS
    games = [Game(asked.scenario, options, seats, game_seed(seed, index), budget, most) for index in range(asked.games)]
    results = list(_with_progress(_results(games, asked.workers), len(games)))
    summary = summarize(results, sides)
    if out is not None:
        write_bytes(out, _csv(results))
    if asked.json:
        print_json(
            {"scenario": table.scenario.id, "seed": seed, "seats": seats, "results": results, "summary": summary}
        )
    else:
        print("\n".join(_told(summary, seed)))
    return 0


def _results(games: list[Game], workers: int | None) -> Iterator[Result]:
    count = min(workers or os.cpu_count() or 1, len(games))
    if count == 1:
        yield from run_batch(games)
        return
    with ProcessPoolExecutor(count) as pool:
        try:
            yield from run_batch(games, pool)
        except BrokenProcessPool:
            raise CommandError("a worker process was ended from outside, so the games are not complete") from None


def _with_progress(results: Iterator[Result], total: int) -> Iterator[Result]:
    """The results as they come, with a bar on stderr when somebody is watching."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(results, "games", total=total, console=Console(stderr=True), transient=True)


def _csv(results: list[Result]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Result.__struct_fields__)
    writer.writerows(msgspec.structs.astuple(result) for result in results)
    return text.getvalue().encode()


def _told(summary: Summary, seed: str) -> list[str]:
    rows = [("", "GAMES", "SHARE", "95 % CONFIDENCE")]
    rows += [(f"{side} wins", *_cells(share)) for side, share in summary.wins.items()]
    rows.append(("draws", *_cells(summary.draws)))
    levels = ", ".join(f"{count} {level}" for level, count in summary.levels.items())
    broken = [f"{summary.unfinished} games were broken off"] if summary.unfinished else []
    return [
        f"{summary.games} games with seed {seed}",
        *columns(rows),
        f"levels: {levels}",
        f"means: {summary.mean_turns:g} turns, {summary.mean_orders:g} orders a game",
        f"{summary.cpu_seconds:.2f} s of processor time, {summary.orders_per_cpu_second:g} orders a second",
        *broken,
    ]


def _cells(share: Share) -> tuple[str, str, str]:
    return str(share.count), f"{100 * share.share:.1f} %", f"{100 * share.low:.1f} to {100 * share.high:.1f} %"
