"""Twin worlds: two battles that differ in nothing but what the viewer can't know, and every exit compared byte for byte.

Whether the viewer could lawfully tell them apart is asked of the kernel (`view`, `observed`), not of the exit that is
under test; from that moment on a pair is no longer compared. Besides, some things may not leave in any world: the seed,
the chain of the log, raw draws, and news for spectators before their time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.battle.authority import Battle
from sandtable.battle.hall import Hall
from sandtable.battle.observation import Observed, wire
from sandtable.battle.store import Store, open_store
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import Played, observed, submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import State
from tests.battle.kit import SEATS, WATCHER, Count, Shelf
from tests.battle.toys import Brittle, BrittleMelee
from tests.kit.toy import BLUE, ENEMY, LINE, RED, Bid, EndMoves, Move, Post, Scenario, Shoot, Watch

SEED = "the secret of the dice"
FAULTY = UnitId(3)
STEPS = 24

PROBES: tuple[Order, ...] = (
    Bid(1),
    Bid(7),
    EndMoves(),
    *(Move(UnitId(unit), HexId(cell)) for unit in (1, 3, 4) for cell in range(1, 13)),
    *(Watch(UnitId(unit)) for unit in (1, 2, 4, 7)),
    *(Shoot(UnitId(unit), UnitId(target)) for unit in (1, 3) for target in (4, 5, 6, 7)),
)
SELECTIONS = (Selection(), *(Selection((UnitId(unit),)) for unit in range(1, 8)), Selection(hex=HexId(7)))


class Leak(Exception):
    """Something reached a viewer that may not."""


class World(NamedTuple):
    hall: Hall
    battle: Battle

    @property
    def state(self) -> State[Any]:
        return self.battle.ledger.state


class Pair(NamedTuple):
    """Two worlds and the seat that must not tell them apart."""

    here: World
    there: World
    seat: str
    sides: tuple[SideId, ...]


# how twins differ

HIDDEN = Scenario(
    12, 5, (*LINE.posts[:2], Post(RED, HexId(3)), *LINE.posts[3:], Post(RED, HexId(5), hidden=True))
)  # fmt: skip


def moved(scenario: Scenario, side: SideId, dice: PromptDice) -> Scenario:
    """The hidden posts of a side elsewhere: near the enemy, so that paths, menus and odds would change."""
    taken = {post.cell for post in scenario.posts}
    posts = []
    for post in scenario.posts:
        if post.hidden and post.side == side:
            free = [cell for cell in range(4, 13) if HexId(cell) not in taken]
            post = replace(post, cell=HexId(free[dice.below(len(free))]))
            taken.add(post.cell)
        posts.append(post)
    return replace(scenario, posts=tuple(posts))


def crowded(scenario: Scenario, side: SideId, dice: PromptDice) -> Scenario:
    """One more hidden unit."""
    free = [cell for cell in range(4, 13) if all(post.cell != cell for post in scenario.posts)]
    post = Post(side, HexId(free[dice.below(len(free))]), hidden=True)
    return replace(scenario, posts=(*scenario.posts, post))


GENERATORS = ("positions", "counts", "orders", "undone", "plots", "melee")
"""What is different: where hidden units stand, how many, what they were ordered unseen, what was taken back unseen,
what was written in secret, and what was ordered unseen while the viewer was acting too."""


def stage(store: Store, generator: str, seat: str, number: int) -> Pair:
    """Two worlds for a viewer. Spectators have no secrets of their own, so red's are theirs to guess as well."""
    dice = PromptDice(f"twins {generator}", number)
    hidden = ENEMY[RED if seat == RED else BLUE] if seat != WATCHER else (RED, BLUE)[dice.below(2)]
    there = {"positions": moved, "counts": crowded}.get(generator, lambda scenario, side, dice: scenario)
    shelf = Shelf(
        BrittleMelee() if generator == "melee" else Brittle(), here=HIDDEN, there=there(HIDDEN, hidden, dice)
    )
    worlds = []
    for name in ("here", "there"):
        count = Count()
        one = Hall(store, shelf, count.time, lambda name=name: f"{number}{generator}{seat}")  # type: ignore[misc]
        battle = one.create("toy", name, SEATS, {"turns": 5}, SEED)
        battle.rules.header = replace(battle.rules.header, scenario="twin")
        one.store.delete(battle.id).result() if False else None
        worlds.append(World(one, battle))
    sides = (RED if seat == RED else BLUE,) if seat != WATCHER else (ENEMY[hidden],)
    return Pair(worlds[0], worlds[1], seat, sides)


# every exit


def exits(world: World, seat: str) -> Iterator[tuple[str, bytes]]:
    """All that can be asked from a seat without changing anything, and what it is told."""
    battle = world.battle
    sight = battle.view(seat)
    yield "view", wire(sight)
    yield "events", b"\n".join(wire(one) for one in battle.events(seat))
    yield "export", wire(battle.export(seat))
    for selection in SELECTIONS:
        yield f"menu {selection}", wire(battle.menu(seat, selection))
    for order in PROBES:
        yield f"preview {order}", wire(battle.preview(seat, order))
    ruleset = battle.rules.ruleset
    side = battle.seats[seat].side
    for order in PROBES:
        is_safe = side is None or ruleset.check(ruleset.view(world.state, side), order) is not None
        if is_safe:
            yield f"refusal {order}", wire(battle.submit(seat, order, sight.number, f"probe {order}"))
    yield "stale", wire(battle.submit(seat, Bid(1), -1, "stale"))
    for command in ("enemy 1", "enemy 2", "extra"):
        yield f"command {command}", wire(battle.submit(seat, Bid(9), sight.number, command))
    if side == RED:
        yield "fault", wire(battle.submit(seat, Watch(FAULTY), sight.number, "fault"))
    yield "message", _complaint(battle)
    yield "cards", b"\n".join(wire(card) for card in world.hall.cards())


def _complaint(battle: Battle) -> bytes:
    try:
        battle.order_from(b'{"order":"Move","unit":"x"}')
    except codec.CodecError as error:
        return str(error).encode()
    return b""


def compare(pair: Pair) -> int:
    """How many answers were compared; Leak at the first difference or forbidden content."""
    count = 0
    for here, there in zip(exits(pair.here, pair.seat), exits(pair.there, pair.seat), strict=True):
        if here != there:
            raise Leak(f"{pair.seat}: {here[0]}: {here[1][:400]!r} against {there[1][:400]!r}")
        count += 1
        for word in (SEED.encode(), b'"draws"', b'"sides"', *_chains(pair.here)):
            if word in here[1] and not pair.here.battle.is_over:
                raise Leak(f"{pair.seat}: {here[0]} holds {word!r}")
    if pair.seat == WATCHER and not pair.here.battle.is_over:
        turn = pair.here.state.position.turn
        early = [one for one in pair.here.battle.events(WATCHER) if one.turn + 1 >= turn]
        if early:
            raise Leak(f"news of turn {early[0].turn} reached spectators in turn {turn}")
    return count


def _chains(world: World) -> list[bytes]:
    return [row.chain.encode() for row in world.battle._store.rows(world.battle.id)]


# playing both worlds


def lawful(world: World, side: SideId) -> list[Order]:
    """The orders open to a side, without the one the rules fail on."""
    ruleset, state = world.battle.rules.ruleset, world.state
    view = ruleset.view(state, side)
    return [
        order
        for decision in view.decisions
        for order in ruleset.options(view, decision)
        if order != Watch(FAULTY)
    ]


class Outlook(NamedTuple):
    """What a viewer's sides may lawfully have learned of one step, as the kernel tells it."""

    sights: bytes
    draws: Any

    @staticmethod
    def of(world: World, pair: Pair, side: SideId, order: Order) -> Outlook:
        played = submit(world.battle.rules.ruleset, world.state, side, order)
        assert isinstance(played, Played)
        ruleset = world.battle.rules.ruleset
        return Outlook(
            codec.encode([[observed(ruleset, played, one), ruleset.view(played.state, one)] for one in pair.sides]),
            played.draws,
        )


def is_unnoticed(world: World, pair: Pair, side: SideId, order: Order) -> bool:
    """Whether the kernel says that the viewer's sides notice nothing of an order."""
    played = submit(world.battle.rules.ruleset, world.state, side, order)
    ruleset = world.battle.rules.ruleset
    return isinstance(played, Played) and all(
        not observed(ruleset, played, one)
        and codec.encode(ruleset.view(played.state, one)) == codec.encode(ruleset.view(world.state, one))
        for one in pair.sides
    )


def give(world: World, side: SideId, order: Order, command: str) -> None:
    answer = world.battle.submit(side, order, world.battle.ledger.number(side), command)
    assert answer.verdict == "accepted", answer


def differ(pair: Pair, generator: str, dice: PromptDice, step: int) -> bool:
    """In the second world alone something happens that the viewer can't notice; whether it did."""
    enemy = ENEMY[pair.sides[0]]
    unseen = [order for order in lawful(pair.there, enemy) if is_unnoticed(pair.there, pair, enemy, order)]
    if not unseen:
        return False
    give(pair.there, enemy, unseen[dice.below(len(unseen))], "extra" if step == 0 else f"extra {step}")
    if generator == "undone":
        battle = pair.there.battle
        answer = battle.undo(enemy, battle.ledger.number(enemy), f"back {step}")
        assert answer.verdict == "accepted", answer
    return True


def try_undo(pair: Pair, step: int) -> int:
    """The viewer takes his latest order back in both worlds and is told the same."""
    if pair.seat == WATCHER:
        return 0
    answers = []
    for world in (pair.here, pair.there):
        number = world.battle.view(pair.seat).number
        answers.append(wire(world.battle.undo(pair.seat, number, f"undo {step}")))
    if answers[0] != answers[1]:
        raise Leak(f"undo: {answers[0]!r} against {answers[1]!r}")
    return 1


def play(pair: Pair, generator: str, number: int) -> int:
    """How many answers were compared until the worlds came lawfully apart; Leak when they came apart otherwise."""
    dice = PromptDice(f"play {generator} {pair.seat}", number)
    compared = compare(pair)
    extra = 0
    for step in range(STEPS):
        side = next(iter(decision.side for decision in _open(pair, dice)), None)
        if side is None:
            break
        orders = {codec.encode(order): order for order in lawful(pair.there, side)}
        both = [order for order in lawful(pair.here, side) if codec.encode(order) in orders]
        if not both:
            break
        order = both[dice.below(len(both))]
        mine = [order]
        if generator == "plots" and isinstance(order, Bid) and side not in pair.sides:
            mine = [Bid(order.amount), Bid(order.amount % 3 + 1)]
        worlds = (pair.here, pair.there)
        chosen = [*zip(worlds, mine * 2 if len(mine) == 1 else mine, strict=True)]
        outlooks = [Outlook.of(world, pair, side, one) for world, one in chosen]
        if outlooks[0] != outlooks[1]:
            break
        for world, one in chosen:
            give(world, side, one, f"{'viewer' if side in pair.sides else 'enemy'} {step}")
        compared += compare(pair)
        if generator in ("orders", "undone", "melee") and dice.below(2) and differ(pair, generator, dice, extra):
            extra += 1
            compared += compare(pair)
        if side in pair.sides and dice.below(2):
            compared += try_undo(pair, step)
            compared += compare(pair)
    return compared


def _open(pair: Pair, dice: PromptDice) -> list[Any]:
    """The decisions open in both worlds, in an order chosen by lot."""
    decisions = [*pair.here.battle.rules.ruleset.decisions(pair.here.state)]
    there = {decision.side for decision in pair.there.battle.rules.ruleset.decisions(pair.there.state)}
    decisions = [decision for decision in decisions if decision.side in there]
    return decisions[::-1] if dice.below(2) else decisions


def campaign(folder: Path, pairs: int) -> int:
    """So many pairs for each generator and viewer; how many answers were compared."""
    compared = 0
    for generator in GENERATORS:
        for seat in (RED, BLUE, WATCHER):
            for number in range(pairs):
                compared += one_pair(folder, generator, seat, number)
    return compared


def one_pair(folder: Path, generator: str, seat: str, number: int) -> int:
    stores = [open_store(str(folder / f"{name}{generator}{seat}{number}.db")) for name in ("here", "there")]
    try:
        return play(stage_in(stores, generator, seat, number), generator, number)
    finally:
        for store in stores:
            store.close()


def stage_in(stores: list[Store], generator: str, seat: str, number: int) -> Pair:
    raise NotImplementedError


_ = Observed
