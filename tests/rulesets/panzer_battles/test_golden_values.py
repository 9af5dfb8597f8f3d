"""Ten thousand values of the formulas, the same to the last bit on every machine.

golden_values.txt has a line for each hundred: the number of the first, its value, and the digest of all hundred.
To write it anew: python -m tests.rulesets.panzer_battles.test_golden_values
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from struct import pack

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.rulesets.panzer_battles.assault.values import AssaultContext, Fighter, assault_value
from sandtable.rulesets.panzer_battles.fire.values import FireContext, Firer, Target, fire_value
from sandtable.rulesets.panzer_battles.kinds import KINDS, UNIT_TYPES, UnitKind
from sandtable.rulesets.panzer_battles.parameter_sections import GRADES, TERRAINS
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results.losses import assault_interval, fire_interval
from sandtable.rulesets.panzer_battles.results.odds import result_odds
from sandtable.rulesets.panzer_battles.results.struck import Struck

GOLDEN = Path(__file__).parent / "golden_values.txt"
COUNT, BLOCK = 10_000, 100
FORTS = ("", "", "improved", "trench", "bunker", "pillbox")
MODES = ("deployed", "deployed", "deployed", "travel", "rail")
GROUND = [KINDS[key] for key in sorted(UNIT_TYPES) if KINDS[key].is_ground]
NUMBERS = overridden({"frozen": {"penalty_pct": {"allied": 15, "axis": 35}}}, "golden")


class Lot:
    """Situations by lot."""

    def __init__(self, number: int) -> None:
        self.dice = PromptDice("golden", number)

    def kind(self) -> UnitKind:
        return GROUND[self.dice.below(len(GROUND))]

    def one_in(self, n: int) -> bool:
        return self.dice.below(n) == 0

    def strength(self, kind: UnitKind) -> int:
        return 1 + self.dice.below(kind.full)

    def target(self, kind: UnitKind) -> Target:
        mode, low, hedge = MODES[self.dice.below(5)], self.one_in(5), self.one_in(9)
        rides = kind.is_men and self.one_in(9)
        return Target(kind, "allied", kind.defense, mode, rides=rides, low_fuel=low, vulnerable=hedge)

    def fire(self) -> list[float]:
        """A fire by lot: value, defense, combat value, and what it may do."""
        kind, aim, below = self.kind(), self.kind(), self.dice.below
        indirect = kind.has("indirect") and self.one_in(2)
        shaken, low, road = self.one_in(5), self.one_in(5), self.one_in(9)
        strength, quality, fatigue = self.strength(kind), GRADES[below(6)], below(151)
        firer = Firer(
            *(kind, "axis", strength, kind.full, kind.soft, kind.hard, quality, fatigue),
            disrupted=shaken,
            low_ammo=low,
            road_only=road,
        )
        context = FireContext(
            range=below(9),
            men_in_hex=1 + below(700),
            terrain=TERRAINS[below(len(TERRAINS))],
            hexside_pct=-10 * below(4),
            fort=FORTS[below(6)],
            vacated=self.one_in(4),
            uphill=self.one_in(3),
            indirect=indirect,
            enemy_turn=self.one_in(3),
            storm=self.one_in(9),
            frozen=self.one_in(5),
        )
        fire = fire_value(firer, self.target(aim), context, NUMBERS)
        hit = Struck(
            aim.is_men, self.strength(aim), aim.full, quality, fatigue, "company" if aim.is_company else "platoon"
        )
        odds = result_odds(hit, fire_interval(fire.cv, NUMBERS), NUMBERS, alternative=self.one_in(4))
        return [fire.value, fire.defense, fire.cv, odds.mean_loss, odds.disrupted, odds.eliminated]

    def assault(self) -> list[float]:
        """An assault by lot: the value of both sides and what they suffer."""
        below = self.dice.below
        sides = []
        for _ in range(2):
            kinds = [self.kind() for _ in range(1 + below(3))]
            sides.append(
                [
                    Fighter(
                        *(self.target(kind), self.strength(kind), kind.assault),
                        *(GRADES[below(6)], below(151), below(2)),
                        charges=kind.has("demolition"),
                    )
                    for kind in kinds
                ]
            )
        context = AssaultContext(
            terrain=TERRAINS[below(len(TERRAINS))],
            hexside_pct=-10 * below(4),
            fort=FORTS[below(6)],
            mixed_organizations=self.one_in(3),
            storm=self.one_in(9),
            frozen=self.one_in(5),
        )
        value = assault_value(sides[0], sides[1], context, NUMBERS)
        return [*value[:4], *assault_interval(value.on_defenders, NUMBERS)[:1]]


def values() -> Iterator[float]:
    """The values, in turn of a fire and of an assault."""
    for number in range(COUNT):
        lot = Lot(number)
        yield from lot.fire() if number % 2 else lot.assault()


def lines() -> Iterator[str]:
    """The values as the file has them."""
    source = values()
    for first in range(0, COUNT, BLOCK):
        block = [next(source) for _ in range(BLOCK)]
        digest = blake2b(b"".join(pack(">d", value) for value in block), digest_size=8).hexdigest()
        yield f"{first} {block[0]!r} {digest}"


@pytest.mark.rule("PB-FIRE-43", "PB-FIRE-56", "PB-ASLT-28", "PB-ASLT-37", "PB-CRT-5")
def test_ten_thousand_values_are_the_same_to_the_last_bit() -> None:
    assert DEFAULTS.combat == NUMBERS.combat
    assert list(lines()) == GOLDEN.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(lines()) + "\n", encoding="utf-8")
