"""What the console tells before an order: its odds and the numbers behind them; and what can be said at the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.cli.odds import arrival_line, branch_lines, tally_lines
from sandtable.cli.odds import told as told_odds
from sandtable.cli.screen import percent
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import carry_out
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import View

LEAVES, SAMPLES = 2_000, 400
"""How far odds are worked out while a player waits."""

HELP = (
    "What can be said here, with the short form in brackets:",
    "  units [u]            the counters in sight with their numbers; `u german` those of one side",
    "  ready [r]            the units that have something to do in this step",
    "  plans, plans 2       what you have written down for later; strike line 2 of it out",
    "  card [c] 12          all that is known of a unit, with the rules; alone, of those selected",
    "  forces               the order of battle with what is left of it; `forces german` that of one side",
    "  show, show mines     the sets of units and hexes that can be shown; one of them",
    "  report, report losses  the reports there are; one of them",
    "  select [s] 12 13     pick units by number, name or hex, and list what they can do",
    "  orders [o]           list again what can be ordered now",
    "  3                    choose line 3 of the list last shown",
    "  3 2  or  t 3 2       line 3 of the orders, target 2 of it",
    "  move 0405            an order by its name and the hex it points at",
    "  odds fire 0405       the odds of an order without giving it; `odds 3 2` also works",
    "  end [e]              finish the phase, or let a chance to react go by",
    "  undo                 take the latest order back, if it showed nothing and threw no dice",
    "  map [m], hex 0405    the map; everything about one hex [x]",
    "  see 0405 0809        whether one hex sees another, or what stands in the way; `see 0405` who of yours sees it",
    "  threats 0405         the enemies you know of that could attack there, with their odds; alone, those selected",
    "  log [l] 30           what happened last",
    "  rules PL-808         the text of a rule; alone, the rule of this step",
    "  order JSON           any order written out, with hex labels and unit names",
    "  save FILE, resume FILE, help [h], quit [q]",
    "An order that dice decide is shown with its odds first and done only after a y.",
)


def is_risky(ruleset: AnyRuleset, view: View[Any], order: Order) -> bool:
    """Whether dice decide what comes of a lawful order that has numbers to show, its own, those of known enemies who
    may react or of what it leads to, as far as its side can tell; or whether something else speaks against it.
    """
    if any(ruleset.sequel(view, order)):
        return True
    known = ruleset.odds(view, order)
    if known is not None:
        return bool(known.dice or known.reactions)
    if not ruleset.explain(view, order):
        return False
    return bool(carry_out(ruleset, ruleset.believed(view), view.side, order).draws)


def odds_lines(ruleset: AnyRuleset, view: View[Any], order: Order, *, plain: bool) -> Iterator[str]:
    """The odds of an order with every modifier and its rule, drawn or in words only."""
    odds = forecast(ruleset, view, order, LEAVES, SAMPLES)
    if isinstance(odds, Refusal):
        yield from told_odds(odds)
    elif plain:
        yield from _plain_lines(odds)
    else:
        yield from tally_lines(odds.tally)
        yield from branch_lines(odds)


def _plain_lines(odds: Forecast) -> Iterator[str]:
    for tally in odds.tally:
        yield f"{tally.title} is {tally.total}."
        for line in tally.lines:
            yield f"{tally.title}, {line.label}: {line.value}, rule {line.rule}."
    if odds.reactions:
        yield "If nobody reacts:"
    for branch in odds.branches:
        chance = branch.chance
        exact = f"{chance.numerator} in {chance.denominator}, " if odds.exact else "about "
        yield f"Result {branch.result}: {exact}{_spoken(percent(chance))}."
    for reaction in (*odds.reactions, *odds.later):
        yield f"{reaction.text}."
        for branch in reaction.branches:
            yield f"Result of that, {branch.result}: {_spoken(percent(branch.chance))}."
    if odds.arrival is not None:
        yield f"{_spoken(arrival_line(odds.arrival))}."
    if odds.warning:
        yield f"Think it over: {odds.warning}"


def _spoken(text: str) -> str:
    return text.replace("%", "percent")
