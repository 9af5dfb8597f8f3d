"""Twin worlds: battles that differ in nothing but what the viewer can't know, with every exit compared byte for byte.

Whether the viewer could lawfully tell them apart is asked of the kernel (`view`, `Played.told`), not of the exit that
is under test; from that moment on a pair is no longer compared. Besides, some things may not leave in any world: the
seed, the chain of the log, raw draws, and news for spectators before their time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.battle.asking import Untold
from sandtable.battle.authority import Battle, Denied
from sandtable.battle.battles import Battles
from sandtable.battle.observation import EXITS
from sandtable.battle.observed import wire
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played, State
from tests.battle.kit import SEATS, WATCHER, Count, MemoryStore, Shelf
from tests.battle.toys import FAULTY, Brittle, BrittleMelee
from tests.kit.toy import BLUE, ENEMY, LINE, RED, Bid, EndMoves, Move, Post, Scenario, Shoot, Watch

SEED = "the secret of the dice"
STEPS = 20

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
    battles: Battles
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

HIDDEN = Scenario(12, 5, (*LINE.posts[:2], Post(RED, HexId(3)), *LINE.posts[3:], Post(RED, HexId(5), hidden=True)))


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


def stage(generator: str, seat: str, number: int) -> Pair:
    """Two worlds for a viewer. A spectator may not tell apart what any one side can't."""
    dice = PromptDice(f"twins {generator} {seat}", number)
    hidden = (RED, BLUE)[dice.below(2)] if seat == WATCHER else ENEMY[SideId(seat)]
    change = {"positions": moved, "counts": crowded}.get(generator)
    ruleset = BrittleMelee() if generator == "melee" else Brittle()
    worlds = []
    for scenario in (HIDDEN, change(HIDDEN, hidden, dice) if change else HIDDEN):
        battles = Battles(MemoryStore(), Shelf(ruleset, twin=scenario), Count().time, lambda: "battle")
        worlds.append(World(battles, battles.create("toy", "twin", SEATS, {"turns": 5}, SEED)))
    for world in worlds:
        for side in (RED, BLUE):
            world.battle.say(side, "all", f"good luck from {side}").result()
    # what the hidden side says to itself is another thing in either world, and of another length
    worlds[0].battle.say(hidden, "side", "they will never look behind the wood").result()
    return Pair(worlds[0], worlds[1], seat, (ENEMY[hidden],))


# every exit

Answers = Iterator[tuple[str, bytes]]
Probe = Callable[["World", str, PromptDice], Answers]


def exits(world: World, seat: str, dice: PromptDice) -> Answers:
    """All that can be asked from a seat without changing anything, and what it is told.

    The list of exits is the authority's own: one that has no probe here is an error.
    """
    for name in EXITS:
        yield from PROBED[name](world, seat, dice)


def _view(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "view", wire(world.battle.view(seat))


def _table(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "table", wire(world.battle.table(seat))


def _situation(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "situation", wire(world.battle.situation(seat))


def _standpoint(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "standpoint", wire(world.battle.standpoint(seat))


def _latest(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "latest", codec.encode(world.battle.latest(seat, dice.below(8)))


def _log(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "log", wire(world.battle.log(seat))
    before = dice.below(30)
    yield f"log before {before}", wire(world.battle.log(seat, before, 5))


def _recent_log(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "recent log", wire(world.battle.recent_log(seat))


def _progress(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "progress", wire(world.battle.progress())


def _events(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "events", b"\n".join(wire(one) for one in world.battle.events(seat))
    since = dice.below(8)
    yield f"events since {since}", b"\n".join(wire(one) for one in world.battle.events(seat, since))


def _menu(world: World, seat: str, dice: PromptDice) -> Answers:
    for _ in range(3):
        selection = SELECTIONS[dice.below(len(SELECTIONS))]
        yield f"menu {selection}", wire(world.battle.menu(seat, selection))


def _preview(world: World, seat: str, dice: PromptDice) -> Answers:
    for _ in range(5):
        order = PROBES[dice.below(len(PROBES))]
        yield f"preview {order}", wire(world.battle.preview(seat, order))
    if world.battle.seats[seat].side == RED:
        yield "faulty preview", wire(world.battle.preview(seat, Watch(FAULTY)))


def _trace(world: World, seat: str, dice: PromptDice) -> Answers:
    a, b = HexId(1 + dice.below(12)), HexId(1 + dice.below(12))
    yield f"trace {a} {b}", told(lambda: world.battle.trace(seat, a, b))


def _field(world: World, seat: str, dice: PromptDice) -> Answers:
    for units in (tuple(UnitId(number) for number in range(1, 10)), ()):
        yield f"field {units}", told(lambda units=units: world.battle.field(seat, units))  # type: ignore[misc]


def _ground(world: World, seat: str, dice: PromptDice) -> Answers:
    place = HexId(1 + dice.below(12))
    yield f"ground {place}", told(lambda: world.battle.ground(seat, place))
    # the rules fail on this one
    yield "ground", told(lambda: world.battle.ground(seat, HexId(0)))


def _ready(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "ready", told(lambda: world.battle.ready(seat))


def _unit(world: World, seat: str, dice: PromptDice) -> Answers:
    for number in (1 + dice.below(8), 10**6):
        yield f"unit {number}", told(lambda number=number: world.battle.unit(seat, UnitId(number)))  # type: ignore[misc]


def _why_not(world: World, seat: str, dice: PromptDice) -> Answers:
    for verb in ("move", "shoot", "the truth"):
        selection, cell = SELECTIONS[dice.below(len(SELECTIONS))], HexId(1 + dice.below(12))
        for target in (Selection(hex=cell), Selection((UnitId(1 + dice.below(8)),))):
            answer = told(lambda v=verb, s=selection, t=target: world.battle.why_not(seat, v, s, t))  # type: ignore[misc]
            yield f"why not {verb} {selection} {target}", answer


def _forces(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "forces", told(lambda: world.battle.forces(seat))


def _highlights(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "highlights", told(lambda: world.battle.highlights(seat))


def _highlight(world: World, seat: str, dice: PromptDice) -> Answers:
    for key in ("ready", "danger", "the truth"):
        yield f"highlight {key}", told(lambda key=key: world.battle.highlight(seat, key))  # type: ignore[misc]


def _reports(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "reports", told(lambda: world.battle.reports(seat))


def _report(world: World, seat: str, dice: PromptDice) -> Answers:
    for kind in ("strength", "the truth"):
        yield f"report {kind}", told(lambda kind=kind: world.battle.report(seat, kind))  # type: ignore[misc]


def _belief(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "belief", told(lambda: world.battle.belief(seat))


def _knowledge(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "knowledge", told(lambda: world.battle.knowledge(seat))


def _as_seen(world: World, seat: str, dice: PromptDice) -> Answers:
    for number in (1, dice.below(12), 10**6):
        yield f"as seen {number}", told(lambda number=number: world.battle.as_seen(seat, number))  # type: ignore[misc]


def _as_it_was(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "as it was", told(lambda: world.battle.as_it_was(seat, 0))


def _export(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "export", wire(world.battle.export(seat))


def _cards(world: World, seat: str, dice: PromptDice) -> Answers:
    yield "cards", b"\n".join(wire(card) for card in world.battles.cards())


def _submit(world: World, seat: str, dice: PromptDice) -> Answers:
    """Orders that are not carried out: stale ones, unreadable ones, other people's commands, and what is refused."""
    battle = world.battle
    ruleset, side, number = battle.rules.ruleset, battle.seats[seat].side, battle.view(seat).number
    yield "stale", wire(battle.submit(seat, Bid(1), -1, "stale"))
    yield "message", _complaint(battle)
    for command in ("enemy 1", "enemy 4", "extra 0", "extra 1"):
        yield f"command {command}", wire(battle.submit(seat, Bid(9), number, command))
    if side == RED:
        yield "fault", wire(battle.submit(seat, Watch(FAULTY), number, "fault"))
    for _ in range(5):
        order = PROBES[dice.below(len(PROBES))]
        # an order that is lawful would be carried out: only refusals are asked for here
        if side is None or ruleset.check(ruleset.view(world.state, side), order) is not None:
            yield f"refusal {order}", wire(battle.submit(seat, order, number, f"probe {order}"))


def _undo(world: World, seat: str, dice: PromptDice) -> Answers:
    """An undo on an old view; `try_undo` takes orders back in earnest."""
    yield "stale undo", wire(world.battle.undo(seat, -1, "stale undo"))


def _chat(world: World, seat: str, dice: PromptDice) -> Answers:
    for to in ("all", "side", "enemy"):
        yield f"chat to {to}", told(lambda to=to: world.battle.chat(seat, to))  # type: ignore[misc]
    yield "chat before 3", told(lambda: world.battle.chat(seat, "all", 3, 1))


PROBED: dict[str, Probe] = {
    "Chatting.chat": _chat,
    "Battle.view": _view,
    "Battle.table": _table,
    "Battle.situation": _situation,
    "Battle.standpoint": _standpoint,
    "Battle.latest": _latest,
    "Battle.log": _log,
    "Battle.recent_log": _recent_log,
    "Battle.progress": _progress,
    "Battle.events": _events,
    "Battle.menu": _menu,
    "Battle.preview": _preview,
    "Asking.trace": _trace,
    "Asking.field": _field,
    "Asking.ground": _ground,
    "Asking.ready": _ready,
    "Asking.unit": _unit,
    "Asking.why_not": _why_not,
    "Asking.forces": _forces,
    "Asking.highlights": _highlights,
    "Asking.highlight": _highlight,
    "Asking.reports": _reports,
    "Asking.report": _report,
    "Battle.belief": _belief,
    "Battle.knowledge": _knowledge,
    "Battle.as_seen": _as_seen,
    "Battle.as_it_was": _as_it_was,
    "Battle.export": _export,
    "Battle.submit": _submit,
    "Battle.undo": _undo,
    "Battles.cards": _cards,
}
"""How each exit is asked."""


def told(answer: Callable[[], Any]) -> bytes:
    """The bytes of an answer, or of the error in its place."""
    try:
        return codec.encode(answer())
    except (Denied, Untold) as error:
        return f"{type(error).__name__}: {error}".encode()


def _complaint(battle: Battle) -> bytes:
    try:
        battle.order_from(b'{"order":"Move","unit":"x"}')
    except codec.CodecError as error:
        return str(error).encode()
    return b""


def compare(pair: Pair, lots: str) -> int:
    """How many answers were compared; Leak at the first difference or forbidden content."""
    answers = [[*exits(world, pair.seat, PromptDice(lots))] for world in (pair.here, pair.there)]
    forbidden = (SEED.encode(), b'"sides"', *_chains(pair.here))
    for here, there in zip(*answers, strict=True):
        if here != there:
            raise Leak(f"{pair.seat}: {here[0]}: {here[1][:400]!r} against {there[1][:400]!r}")
        for word in forbidden:
            if word in here[1]:
                raise Leak(f"{pair.seat}: {here[0]} holds {word!r}")
    if pair.seat == WATCHER:
        turn = pair.here.state.position.turn
        early = [one for one in pair.here.battle.events(WATCHER) if one.turn + 1 >= turn]
        if early:
            raise Leak(f"news of turn {early[0].turn} reached spectators in turn {turn}")
    return len(answers[0])


def _chains(world: World) -> list[bytes]:
    return [row.chain.encode() for row in world.battles.store.rows(world.battle.id)]


# playing both worlds


def lawful(world: World, side: SideId) -> list[Order]:
    """The orders open to a side, without the one the rules fail on."""
    ruleset, state = world.battle.rules.ruleset, world.state
    view = ruleset.view(state, side)
    return [order for decision in view.decisions for order in ruleset.options(view, decision) if order != Watch(FAULTY)]


def heard(played: Played[Any], side: SideId) -> list[Event]:
    """What the kernel told a side of an order."""
    return [told.event for told in played.told[side]]


def outlook(world: World, pair: Pair, side: SideId, order: Order) -> bytes:
    """What the viewer's sides may lawfully learn of an order, as the kernel tells it: dice, news, views, the end."""
    ruleset = world.battle.rules.ruleset
    played = submit(ruleset, world.state, side, order)
    assert isinstance(played, Played)
    news = [[heard(played, one), ruleset.view(played.state, one)] for one in pair.sides]
    return codec.encode([news, played.draws, ruleset.outcome(played.state)])


def is_unnoticed(world: World, pair: Pair, side: SideId, order: Order) -> bool:
    """Whether the kernel says that the viewer's sides notice nothing of an order."""
    played = submit(world.battle.rules.ruleset, world.state, side, order)
    ruleset = world.battle.rules.ruleset
    return isinstance(played, Played) and all(
        not heard(played, one)
        and codec.encode(ruleset.view(played.state, one)) == codec.encode(ruleset.view(world.state, one))
        for one in pair.sides
    )


def give(world: World, side: SideId, order: Order, command: str) -> None:
    answer = world.battle.submit(side, order, world.battle.view(side).number, command)
    if answer.verdict != "accepted":
        raise Leak(f"an order that is lawful on the view was not carried out: {answer}")


def differ(pair: Pair, generator: str, dice: PromptDice, step: int) -> bool:
    """In the second world alone something happens that the viewer can't notice; whether it did."""
    enemy = ENEMY[pair.sides[0]]
    unseen = [order for order in lawful(pair.there, enemy) if is_unnoticed(pair.there, pair, enemy, order)]
    if not unseen:
        return False
    give(pair.there, enemy, unseen[dice.below(len(unseen))], f"extra {step}")
    if generator == "undone":
        battle = pair.there.battle
        answer = battle.undo(enemy, battle.view(enemy).number, f"back {step}")
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


def chosen_orders(pair: Pair, generator: str, side: SideId, dice: PromptDice) -> tuple[Order, Order] | None:
    """What is ordered in either world: the same, except for what is written in secret."""
    there = [codec.encode(order) for order in lawful(pair.there, side)]
    both = [order for order in lawful(pair.here, side) if codec.encode(order) in there]
    if not both:
        return None
    order = both[dice.below(len(both))]
    if generator == "plots" and isinstance(order, Bid) and side not in pair.sides:
        return order, Bid(order.amount % 3 + 1)
    return order, order


def play(pair: Pair, generator: str, number: int) -> int:
    """How many answers were compared until the worlds came lawfully apart; Leak when they came apart otherwise."""
    dice = PromptDice(f"play {generator} {pair.seat}", number)
    compared, extra = compare(pair, "opening"), 0
    for step in range(STEPS):
        deciders = open_to(pair)
        side = deciders[dice.below(len(deciders))] if deciders else None
        orders = chosen_orders(pair, generator, side, dice) if side else None
        if side is None or orders is None:
            break
        given = [*zip((pair.here, pair.there), orders, strict=True)]
        here, there = (outlook(world, pair, side, order) for world, order in given)
        if here != there:
            break
        for world, order in given:
            give(world, side, order, f"{'viewer' if side in pair.sides else 'enemy'} {step}")
        if pair.here.battle.is_over:
            break
        compared += compare(pair, f"{number} {step}")
        if generator in ("orders", "undone", "melee") and dice.below(2) and differ(pair, generator, dice, extra):
            extra += 1
            compared += compare(pair, f"{number} {step} extra")
        if side in pair.sides and dice.below(2):
            compared += try_undo(pair, step) + compare(pair, f"{number} {step} undo")
    return compared


def open_to(pair: Pair) -> list[SideId]:
    """The sides with a decision open in both worlds."""
    here, there = (world.battle.rules.ruleset.decisions(world.state) for world in (pair.here, pair.there))
    return [one.side for one in here if any(one.side == other.side for other in there)]


def campaign(generator: str, seat: str, pairs: int) -> list[int]:
    """How many answers were compared in each of so many pairs."""
    return [play(stage(generator, seat, number), generator, number) for number in range(pairs)]
