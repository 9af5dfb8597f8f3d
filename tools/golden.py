"""Golden playthroughs: a seeded battle of every shipped scenario as text, kept in tests/golden and reviewed as a diff.

python3 run.py cli version && .venv/bin/python tools/golden.py [--write]

A change of rules, content or computer play shows as a changed file; a change that was meant to change nothing must not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sandtable import registry
from sandtable.content import load_shipped, shipped_scenarios
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.state import Played

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
SHOWN = 80
"""How many orders are told in full; the rest is held fast by the digest of the last state."""

SEED = "golden"


def playthrough(scenario: str, system: str) -> Iterator[str]:
    """The lines of a scenario's golden file: each order with its dice and what came of it, then how it ended."""
    ruleset = registry.ruleset(system)
    played = begin(ruleset, load_shipped(scenario, registry.vocabulary(system)), {}, SEED)
    state, dice, number = played.state, PromptDice(SEED), 0
    while ruleset.outcome(state) is None:
        decision = ruleset.decisions(state)[0]
        view = ruleset.view(state, decision.side)
        order = ruleset.options(view, decision).pick(dice)
        played = _accepted(submit(ruleset, state, decision.side, order))
        if number < SHOWN:
            rolls = " ".join(f"{draw.result}/{draw.sides} {draw.rule}" for draw in played.draws)
            yield f"{number} {decision.side}: {ruleset.order_text(order, view)}{f' [{rolls}]' if rolls else ''}"
            after = ruleset.view(played.state, decision.side)
            yield from (f"    {text}" for event in played.events if (text := ruleset.describe(event, after)))
        state, number = played.state, number + 1
    yield f"{number} orders: {ruleset.outcome(state)}"
    yield f"digest {codec.digest(state)}"


def _accepted(played: object) -> Played[object]:
    if not isinstance(played, Played):
        raise SystemExit(f"an offered order was refused: {played}")
    return played


def texts() -> dict[str, str]:
    """The golden text of every shipped scenario by file name."""
    return {
        f"{header.id}.txt": "\n".join(playthrough(header.id, header.system)) + "\n" for header in shipped_scenarios()
    }


def stale() -> list[str]:
    """The golden files that do not say what the game does now, those missing or left over included."""
    made = texts()
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    return sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))


def main() -> int:
    if "--write" in sys.argv[1:]:
        FOLDER.mkdir(exist_ok=True)
        for name, text in texts().items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        return 0
    changed = stale()
    print("\n".join(f"{name}: changed; look at it, then tools/golden.py --write" for name in changed) or "all golden")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
