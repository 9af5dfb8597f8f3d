"""The record: it folds, it verifies, and whatever was done to it is found."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from itertools import count
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel.engine import begin
from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.replay import (
    Entry,
    Header,
    Record,
    Verdict,
    commitment,
    entry,
    load,
    read,
    recorded,
    states,
    verify,
    write,
)
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from tests.kit import toy
from tests.kit.battles import Battle, header, must, play, random_battle, record_of, same
from tests.kit.toy import BLUE, LINE, RED, TOY, Bid, EndMoves, Watch

SEED = "a secret"


@cache
def battle() -> Battle:
    return random_battle(TOY, LINE, {}, SEED, most=300)


@cache
def record() -> Record:
    return record_of(TOY, header(TOY, LINE, {}, SEED), battle())


def edited(at: int, /, **changes: Any) -> Record:
    """The record with one entry changed and nothing else."""
    lines = list(record().entries)
    lines[at] = replace(lines[at], **changes)
    return replace(record(), entries=tuple(lines))


def rechained(found: Record) -> Record:
    """The record with a hash chain that fits its entries: what a careful forger would write."""
    previous, lines = codec.digest(found.header), list[Entry]()
    for line in found.entries:
        words = [previous, line.number, line.side, line.order, line.draws, line.events, line.flow]
        previous = codec.digest(words)
        lines.append(replace(line, chain=previous))
    return replace(found, entries=tuple(lines))


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(value))


def problem(found: Record) -> str:
    verdict = verify(TOY, LINE, found)
    assert not verdict.holds
    return verdict.problem


def first(wanted: str) -> int:
    """The number of the first entry that has such a thing."""
    return next(line.number for line in record().entries if getattr(line, wanted) and line.number)


def test_a_battle_that_was_played_verifies() -> None:
    assert verify(TOY, LINE, record()) == Verdict(True, len(battle().steps) + 1)
    assert record().outcome == TOY.outcome(battle().states[-1]) is not None


def test_applying_the_events_gives_the_states_that_playing_gave() -> None:
    folded = list(states(TOY, LINE, record()))
    assert len(folded) == len(battle().states)
    assert all(same(a, b) for a, b in zip(folded, battle().states, strict=True))


def test_a_record_is_the_same_after_writing_and_reading() -> None:
    data = write(record())
    assert data.endswith(b"}\n")
    assert read(data) == record()
    assert write(read(data)) == data


def test_a_state_is_the_same_after_saving_and_loading() -> None:
    state = battle().states[5]
    assert load(TOY, codec.encode(state), state.position.ground) == state
    with pytest.raises(codec.CodecError, match="another scenario"):
        load(TOY, codec.encode(state), toy.Track(3, 3))


def test_a_record_of_another_format_is_not_read() -> None:
    other = replace(record(), header=replace(record().header, format=2))
    with pytest.raises(codec.CodecError, match="has format 2; this version reads format 1"):
        read(write(other))


def test_a_commitment_binds_the_seed() -> None:
    assert commitment("a") == commitment("a") != commitment("b")
    assert "secret" not in commitment(SEED)


# what a verdict says


def test_a_record_without_its_seed_can_not_be_checked_yet() -> None:
    sealed = replace(record(), header=replace(record().header, seed=None))
    assert problem(sealed) == "the record holds no seed, so its dice can't be checked yet"
    assert same(list(states(TOY, LINE, sealed))[-1].position, battle().states[-1].position)


def with_header(**changes: Any) -> Record:
    return rechained(replace(record(), header=replace(record().header, **changes)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"system": "chess"}, "it is a record of chess, not of toy"),
        ({"rules_version": "0"}, "it was played under rules 0; these are 1"),
        ({"seed": "guess"}, "the seed is not the one that was committed to"),
        ({"options": {"turns": "many"}}, "the battle can't be set up: ValueError: a battle lasts 1 to 20 turns"),
        ({"options": {"turns": 6}}, "entry 0: the hash chain is broken"),
    ],
)
def test_a_changed_header_is_found(changes: dict[str, Any], sentence: str) -> None:
    found = replace(record(), header=replace(record().header, **changes))
    assert problem(found).startswith(sentence)


def test_another_seed_gives_other_dice() -> None:
    found = problem(with_header(seed="guess", commitment=commitment("guess")))
    assert found == f"entry {first('draws')}: the recorded draws differ from what the rules give"


def test_an_empty_record_is_no_battle() -> None:
    assert problem(replace(record(), entries=())) == "the record has no entries"


def test_a_record_that_was_cut_is_found() -> None:
    assert problem(replace(record(), entries=record().entries[:-3])) == (
        "the final state differs from the recorded digest"
    )


def test_an_entry_that_was_taken_out_is_found() -> None:
    lines = record().entries
    assert problem(replace(record(), entries=lines[:4] + lines[5:])).startswith("entry 4: ")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"number": 99}, "the recorded number differ from what the rules give"),
        ({"events": (raw(toy.Lost(UnitId(1))),)}, "the recorded events differ from what the rules give"),
        ({"flow": (raw(toy.Rest()),)}, "the recorded flow differ from what the rules give"),
        ({"chain": "0" * 32}, "the hash chain is broken"),
        ({"side": None}, "the order has no side"),
        ({"side": "green"}, "the order is not lawful: no decision is open to your side now (KERNEL)"),
        ({"order": raw(Bid(9))}, "the order is not lawful: a bid is 1, 2 or 3 (TOY-2)"),
        ({"order": raw({"order": "Surrender"})}, "the order can't be read: Invalid value 'Surrender' - at `$.order`"),
        ({"order": msgspec.Raw(b'"\xff"')}, "the order can't be read: Expected `object`, got `str`"),
    ],
)
def test_an_edited_entry_is_found(changes: dict[str, Any], sentence: str) -> None:
    for found in (edited(1, **changes), rechained(edited(1, **changes))):
        if "chain" not in changes or found.entries[1].chain == changes["chain"]:
            assert verify(TOY, LINE, found) == Verdict(False, 1, f"entry 1: {sentence}")


def test_a_better_die_is_found() -> None:
    number = first("draws")
    draw = record().entries[number].draws[0]
    better = replace(draw, result=draw.result % draw.sides + 1)
    found = rechained(edited(number, draws=(better,)))
    assert problem(found) == f"entry {number}: the recorded draws differ from what the rules give"


def test_an_order_written_in_another_way_is_found() -> None:
    loose = msgspec.Raw(bytes(record().entries[1].order).replace(b":", b": "))
    assert problem(edited(1, order=loose)) == "entry 1: the recorded order differ from what the rules give"


def test_another_outcome_is_found() -> None:
    won = replace(record(), outcome=Outcome(RED, "glorious"))
    assert problem(won) == "the recorded outcome is not the one the rules give"


COUNTER = count()


class Moody(toy.Toy):
    """Whether a watch is kept depends on how many there have been in this process."""

    def resolve(self, resolution: Resolution[toy.Position], side: SideId, order: Order) -> None:
        super().resolve(resolution, side, order)
        if isinstance(order, Watch):
            resolution.emit(toy.Watched(UnitId(next(COUNTER))))


def test_hidden_chance_in_the_rules_is_found() -> None:
    moody = Moody()
    battle = [begin(moody, LINE, {}, SEED)]
    for side, order in ((RED, Bid(2)), (BLUE, Bid(1)), (RED, Watch(UnitId(1))), (RED, EndMoves())):
        battle.append(play(moody, battle[-1].state, (side, order)))
    verdict = verify(moody, LINE, recorded(header(moody, LINE, {}, SEED), battle, battle[-1].state, None))
    assert verdict == Verdict(False, 3, "entry 3: the recorded events differ from what the rules give")


class Brittle(toy.Toy):
    """Applying a loss twice is an error, as it may be in a ruleset that trusts its own events."""

    def apply(self, position: toy.Position, event: Event) -> toy.Position:
        if isinstance(event, toy.Lost) and position.unit(event.unit) is None:
            raise LookupError("no such unit")
        return super().apply(position, event)


def test_events_that_no_rule_made_give_one_plain_error() -> None:
    found = edited(2, events=(raw(toy.Lost(UnitId(77))),))
    with pytest.raises(codec.CodecError, match="entry 2: LookupError: no such unit"):
        list(states(Brittle(), LINE, found))


@pytest.mark.parametrize(
    "changes",
    [
        {"events": (raw({"event": "Nothing"}),)},
        {"events": (raw([1]),)},
        {"events": (msgspec.Raw(b'"\xff"'),)},
        {"flow": (raw({"frame": "Nowhere"}),)},
        {"flow": (raw(None),)},
    ],
)
def test_events_and_frames_of_the_wrong_type_give_one_plain_error(changes: dict[str, Any]) -> None:
    with pytest.raises(codec.CodecError, match="entry 2: "):
        list(states(TOY, LINE, edited(2, **changes)))
    assert problem(edited(2, **changes)).startswith("entry 2: the recorded")


def test_options_that_no_battle_has_give_one_plain_error() -> None:
    found = replace(record(), header=replace(record().header, options={"turns": []}))
    with pytest.raises(codec.CodecError, match="the battle can't be set up: ValueError"):
        list(states(TOY, LINE, found))


# hostile files


def survives(data: bytes) -> None:
    """Reading, folding and verifying bytes gives an answer or a CodecError, and nothing else."""
    with suppress(codec.CodecError):
        found = read(data)
        assert isinstance(verify(TOY, LINE, found), Verdict)
        list(states(TOY, LINE, found))


@cache
def short_record() -> bytes:
    return write(record_of(TOY, header(TOY, LINE, {}, SEED), random_battle(TOY, LINE, {}, SEED, most=12)))


@given(st.data())
def test_a_file_with_bytes_changed_never_crashes(data: st.DataObject) -> None:
    found = bytearray(short_record())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(found) - 1))
        found[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    survives(bytes(found))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> list[Path]:
    """The way to every value inside a JSON document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


@cache
def all_places() -> list[Path]:
    return places(msgspec.json.decode(short_record()))[1:]


def plain_json(value: Any) -> bytes:
    """JSON by the standard library, which also writes what msgspec refuses to: NaN, infinities and huge numbers."""
    return json.dumps(value).encode()


@given(st.data())
def test_a_file_with_values_changed_never_crashes(data: st.DataObject) -> None:
    document = msgspec.json.decode(short_record())
    way = data.draw(st.sampled_from(all_places()))
    inner = document
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = data.draw(JSON)
    if data.draw(st.booleans()):
        # a seed that fits its commitment takes the file past the first check
        seed = document.get("header", {}).get("seed") if isinstance(document.get("header"), dict) else None
        if isinstance(seed, str):
            with suppress(UnicodeEncodeError):
                document["header"]["commitment"] = commitment(seed)
    survives(plain_json(document))


def test_a_line_of_the_record_is_bound_to_what_came_before() -> None:
    played = must(battle().steps[0].played)
    assert entry(played, 1, "one").chain != entry(played, 1, "two").chain
    assert isinstance(record().header, Header)
