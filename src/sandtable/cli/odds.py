"""`sandtable odds`: what an order may bring, exactly, with every number that went into it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from sandtable.cli.screen import bar, columns, percent, print_json
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import Arrival, Branch, Forecast
from sandtable.kernel.trace import Tally
from sandtable.lab.situations import answer, read_situation


def odds(asked: argparse.Namespace) -> int:
    """The odds of the order in a situation file stand on stdout, or the rule that forbids it."""
    path = Path(asked.file)
    worked = answer(read_situation(path), path.parent)
    if asked.json:
        print_json(facts(worked.odds))
        return 0
    print(worked.text)
    print("\n".join(told(worked.odds)))
    return 0


def facts(odds: Forecast | Refusal) -> dict[str, Any]:
    """Odds or a refusal as JSON says it."""
    if isinstance(odds, Refusal):
        return {"legal": False, "refusal": odds}
    return {
        "legal": True,
        "branches": odds.branches,
        "tally": [line for tally in odds.tally for line in tally.lines],
        "totals": [{"title": tally.title, "total": tally.total} for tally in odds.tally],
        "exact": odds.exact,
        "samples": odds.samples,
        "error": odds.error,
        "reactions": odds.reactions,
        "arrival": odds.arrival,
        "later": odds.later,
        "warning": odds.warning,
        "certain": odds.certain,
    }


def told(odds: Forecast | Refusal) -> list[str]:
    """Odds or a refusal as lines to read."""
    if isinstance(odds, Refusal):
        detail = f" ({odds.detail})" if odds.detail else ""
        return [f"not lawful: {odds.reason}{detail} ({odds.rule})"]
    return [*tally_lines(odds.tally), *branch_lines(odds)]


def tally_lines(tallies: Iterable[Tally]) -> list[str]:
    """Each number with the lines that made it and their rules."""
    lines = []
    for tally in tallies:
        lines.append(f"{tally.title}: {tally.total}")
        lines += [f"  {line}" for line in columns([(line.value, line.label, f"({line.rule})") for line in tally.lines])]
    return lines


def branch_lines(odds: Forecast) -> list[str]:
    """Each result with a bar as long as it is likely, what known enemies may do meanwhile, what comes of it later."""
    if odds.certain:
        lines = ["No dice: as far as your side knows, it happens as ordered."]
    elif odds.later and not (odds.dice or odds.reactions):
        lines = ["No dice now."]
    elif odds.reactions and not odds.dice:
        lines = ["If nobody reacts, it happens as ordered."]
    else:
        lines = ["If nobody reacts:"] * bool(odds.reactions) + _bars(odds.branches)
    if not odds.exact:
        lines.append(f"sampled {odds.samples} times, so within {100 * odds.error:.1f} percentage points")
    for reaction in (*odds.reactions, *odds.later):
        tallies = ", ".join(f"{tally.title} {tally.total}" for tally in reaction.tally)
        lines.append(f"{reaction.text}{f': {tallies}' if tallies else ''}")
        lines += [f"  {line}" for line in _bars(reaction.branches)]
    if odds.arrival is not None:
        lines.append(arrival_line(odds.arrival))
    return [*lines, f"Think it over: {odds.warning}"] if odds.warning else lines


def _bars(branches: Iterable[Branch]) -> list[str]:
    return columns([(bar(b.chance), b.probability, percent(b.chance), b.result) for b in branches])


def arrival_line(arrival: Arrival) -> str:
    """How likely the order is carried through, in one line."""
    best, least = Fraction(arrival.unhindered), Fraction(arrival.at_least)
    bound = "" if arrival.exact else ", a bound that they may not reach"
    return (
        f"Gets through: {percent(best)} ({best}) if nobody reacts, "
        f"at least {percent(least)} ({least}) whatever known enemies do{bound}"
    )
