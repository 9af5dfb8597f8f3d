"""The room of docs/howto/add-a-system.md is a whole system: its rules are cited, and computers play it to the end."""

from __future__ import annotations

import re

import pytest

from sandtable import registry
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import all_viewers, begin
from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.state import Played, State
from sandtable.kernel.telling import introduced
from tests.kit.battles import play
from tests.kit.patrol import room
from tests.kit.patrol.room import BLUE, FILES, RED, SYSTEM, Duck, EndWatch, Shoot, Stand, Walk
from tests.kit.scripted import Script, scripted

__all__ = ["scripted"]

RULESET = SYSTEM.ruleset
FIRST, SECOND, FOE = UnitId(0), UnitId(1), UnitId(2)


def table(first: str, foe: str) -> State[room.Position]:
    """The first red and the first blue patrol stand there, and everybody is told what happens."""
    opening = begin(RULESET, room.meadow(), {}, "test").state
    parse = opening.position.ground.board.parse
    position = opening.position.put(FIRST, hex=HexId(parse(first))).put(FOE, hex=HexId(parse(foe)))
    state = State(position, opening.flow, DiceKey("test"))
    return introduced(RULESET, state, all_viewers(RULESET, state), {})


def to(state: State[room.Position], label: str) -> HexId:
    return HexId(state.position.ground.board.parse(label))


def told(played: Played[room.Position], side: SideId) -> list[type[Event]]:
    return [type(news.event) for news in played.told[side]]


def refused(state: State[room.Position], order: Order) -> str:
    refusal = RULESET.check(RULESET.view(state, RED), order)
    assert isinstance(refusal, Refusal)
    return f"{refusal.rule} {refusal.reason}"


def test_a_walk_in_the_dark_is_told_to_its_own_side_alone() -> None:
    state = table("0301", "0603")
    far = play(RULESET, state, (RED, Walk(FIRST, to(state, "0201"))))
    assert (told(far, RED), told(far, BLUE), told(far, SideId(""))) == ([room.Walked], [], [])


def test_what_walks_out_of_the_dark_is_sighted_and_what_walks_back_vanishes() -> None:
    state = table("0201", "0501")
    near = play(RULESET, state, (RED, Walk(FIRST, to(state, "0301"))))
    assert told(near, BLUE) == [room.Walked, room.Sighted]
    assert told(near, RED) == [room.Walked, room.Sighted]
    back = play(RULESET, near.state, (RED, EndWatch()), (BLUE, EndWatch()), (RED, Walk(FIRST, to(state, "0201"))))
    assert told(back, BLUE) == [room.Vanished]
    assert told(back, RED) == [room.Walked, room.Vanished]


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (Walk(FOE, HexId(1)), "NP-1 that is no patrol of yours"),
        (Walk(SECOND, HexId(0)), "NP-3 a patrol walks one hex"),
        (Shoot(FIRST, SECOND), "NP-5 that is no enemy in sight"),
        (Shoot(SECOND, FOE), "NP-5 the patrol itself does not see that far"),
        (Duck(), "NP-1 that order does not belong to this step: patrol"),
    ],
)
def test_what_is_not_lawful_is_refused_by_its_rule(order: Order, complaint: str) -> None:
    assert refused(table("0301", "0501"), order) == complaint


def test_nobody_walks_into_a_pond_or_another_patrol_or_twice() -> None:
    state = table("0301", "0401")
    assert refused(state, Walk(FIRST, to(state, "0302"))) == "NP-3 nobody walks into a pond"
    assert refused(state, Walk(FIRST, to(state, "0401"))) == "NP-3 somebody stands there"
    walked = play(RULESET, state, (RED, Walk(FIRST, to(state, "0201")))).state
    assert refused(walked, Walk(FIRST, to(state, "0301"))) == "NP-2 the patrol has acted in this watch"


def test_a_shot_hits_on_four_a_duck_makes_it_five_and_who_has_ducked_can_not_again(scripted: Script) -> None:
    state = table("0301", "0401")
    shot = play(RULESET, state, (RED, Shoot(FIRST, FOE))).state
    assert [decision.kind for decision in RULESET.decisions(shot)] == ["under fire"]
    assert play(RULESET, shot, (BLUE, Stand()), dice=scripted(4)).state.position.lost == (FOE,)
    ducked = play(RULESET, shot, (BLUE, Duck()), dice=scripted(4)).state
    assert ducked.position.lost == ()
    both = ducked.position.put(SECOND, hex=to(state, "0501"))
    again = State(both, ducked.flow, ducked.dice)
    assert play(RULESET, again, (RED, Shoot(SECOND, FOE)), dice=scripted(4)).state.position.lost == (FOE,)


def test_the_odds_of_a_shot_are_those_of_the_rule() -> None:
    shot = play(RULESET, table("0301", "0401"), (RED, Shoot(FIRST, FOE))).state
    odds = forecast(RULESET, RULESET.view(shot, BLUE), Duck())
    assert isinstance(odds, Forecast)
    assert {branch.result: branch.probability for branch in odds.branches} == {"nobody is lost": "2/3", "hit": "1/3"}


@pytest.mark.parametrize("name", registry.PLAYERS)
def test_every_computer_player_plays_it_to_the_end(name: str) -> None:
    player = registry.player_with(name, RULESET, SYSTEM.doctrine)
    state = begin(RULESET, room.meadow(), {}, "1").state
    for number in range(400):
        decisions = RULESET.decisions(state)
        if not decisions:
            break
        (decision,) = decisions
        order = player.choose(RULESET.view(state, decision.side), decision, 64, PromptDice("lots", number))
        state = play(RULESET, state, (decision.side, order)).state
    assert RULESET.outcome(state) is not None


def test_every_rule_of_the_catalogue_is_cited_and_every_citation_is_a_rule() -> None:
    cited = set(re.findall(r"NP-\d+", (FILES / "room.py").read_text(encoding="utf-8")))
    assert cited == {rule.id for rule in SYSTEM.rules()}
