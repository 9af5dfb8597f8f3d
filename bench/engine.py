"""Bench entries of the engine: whole battles, single events, views and the start of a command, against python-chess,
bare Python and fixed budgets.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from bench.geometry import agree, on_compiled, peer
from bench.harness import ROUNDS, Contender, Entry, entries, take_turns
from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_leader.events import UnitMoved
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mover, Position, Unit

SYSTEM = "panzer_leader"
BATTLES: dict[str, tuple[str, ...]] = {
    SYSTEM: ("pl-crossroads", "pl-meeting", "pl-town-assault"),
    "panzer_44": ("p44-vierville", "p44-our"),
    "panzerblitz_3d": ("pb3-cauldron", "pb3-seelow"),
    "panzer8": ("p8-chemery", "p8-odon"),
}
"""The battles that are played out, by their systems: a new system is a line here."""

ORDERS = 1500
"""How many orders, or chess moves, each contender gives in a round."""

SIZES = (60, 1000)
REPEATS = 2000
"""How often a round repeats what takes microseconds."""

VIEWED = 24
"""How many states a side looks at in turn."""

COPY_BUDGET = 3e-6
"""Seconds to make a new position of 60 units from another; more units may take longer in proportion."""

CLEAR_VIEW_BUDGET = 10e-6
"""Seconds for a view without fog, whatever the number of units: nothing needs to be copied."""

FOG_VIEW_BUDGET = 1e-3
"""Seconds for a view of 60 units through the fog: a twentieth of what an order may take until both sides see it."""

START_BUDGET = 0.2
MEMORY_BUDGET = 50.0


@cache
def ruleset(system: str = SYSTEM) -> Any:
    return registry.ruleset(system)


@cache
def scenario(name: str, system: str = SYSTEM) -> Any:
    return load_shipped(name, registry.vocabulary(system))


# --- whole battles ---------------------------------------------------------------------------------------------------


def random_orders(system: str, name: str, numbers: Sequence[int]) -> str:
    """As many random orders as there are numbers, in battles seeded by the first of them; the digest of the last
    state.
    """
    rules, left, seed = ruleset(system), len(numbers), numbers[0]
    while True:
        state = begin(rules, scenario(name, system), {}, f"battle {seed}").state
        dice = PromptDice(f"players {seed}")
        while decisions := rules.decisions(state):
            side = decisions[0].side
            order = rules.options(rules.view(state, side), decisions[0]).pick(dice)
            played = submit(rules, state, side, order)
            if isinstance(played, Refusal):
                raise AssertionError(f"{name}: a picked order was refused: {played.reason}")
            state, left = played.state, left - 1
            if not left:
                return codec.digest(state)
        seed += 1


def random_moves(chess: Any, numbers: Sequence[int]) -> str:
    """As many random chess moves as there are numbers, as the library's manual plays a game: ask whether it is over,
    choose among the legal moves, push one.
    """
    left, seed = len(numbers), numbers[0]
    while True:
        board, dice = chess.Board(), PromptDice(f"players {seed}")
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[dice.below(len(moves))])
            left -= 1
            if not left:
                return str(board.fen())
        seed += 1


def lean_moves(chess: Any, numbers: Sequence[int]) -> str:
    """The same, with the end of a game told by what is known without generating moves twice."""
    left, seed = len(numbers), numbers[0]
    while True:
        board, dice = chess.Board(), PromptDice(f"players {seed}")
        while moves := list(board.legal_moves):
            if board.halfmove_clock >= 150 or board.is_insufficient_material():
                break
            board.push(moves[dice.below(len(moves))])
            left -= 1
            if not left:
                return str(board.fen())
        seed += 1


def playout() -> Iterator[Entry]:
    chess = peer("chess")
    numbers = range(1, 1 + ORDERS * (ROUNDS + 1))
    for system, name in ((system, name) for system, names in BATTLES.items() for name in names):
        ours = partial(random_orders, system, name)
        first = ours(numbers[:ORDERS])
        # other battles in between must not show in the result
        ours(numbers[ORDERS : ORDERS + 300])
        agree(f"{name}, played again,", first, ours(numbers[:ORDERS]))
        contenders = {"sandtable": Contender(ours, ORDERS)}
        if chess:
            for theirs in (partial(random_moves, chess), partial(lean_moves, chess)):
                agree("chess, played again,", theirs(numbers[:200]), theirs(numbers[:200]))
            contenders["chess"] = Contender(partial(random_moves, chess), ORDERS)
            contenders["chess without is_game_over"] = Contender(partial(lean_moves, chess), ORDERS)
        seconds = take_turns(contenders, numbers)
        note = (
            "random orders against random moves; ours are checked against the rules and kept as events, moves are not"
        )
        yield from entries(f"playout-{name}", "us/order", 1e6, seconds, {"chess": 1.3}, note)


# --- one event, one view ---------------------------------------------------------------------------------------------


@cache
def crowd(count: int, *, fog: bool) -> State[Position]:
    """A battle with that many units: those of a shipped scenario over and over, four to a hex, each side on its half of
    the map, at its first decision of vehicle movement.
    """
    rules = ruleset()
    state: State[Position] = begin(rules, scenario("pl-meeting"), {"fog": fog}, "crowd").state
    kinds = {
        side: [unit.kind for unit in state.position.units if unit.side == side and KINDS[unit.kind].movement]
        for side in (ALLIED, GERMAN)
    }
    board = state.position.ground.board
    land = [h for h in board.hexes if board.terrain[h] not in ("stream", "sea", "swamp")]
    places = {ALLIED: land[: len(land) // 2], GERMAN: land[: len(land) // 2 - 1 : -1]}
    units = []
    for id in range(count):
        side, n = (ALLIED, GERMAN)[id % 2], id // 2
        kind, place = kinds[side][n % len(kinds[side])], places[side][n // 4 % len(places[side])]
        units.append(Unit(UnitId(id), kind, side, place))
    position = replace(state.position, units=tuple(units), phasing=ALLIED, step="vehicle movement", turn=1, segment=1)
    return State(position, state.flow, state.dice)


def one_move(position: Position, unit: Unit) -> UnitMoved:
    """The unit goes one hex."""
    there = HexId(position.ground.board.neighbors(unit.hex)[0])
    return UnitMoved(unit.id, (there,), Mover(unit.id, unit.hex, 2, 1))


def again(act: Callable[[], object]) -> Callable[[Sequence[int]], None]:
    def run(numbers: Sequence[int]) -> None:
        for _ in numbers:
            act()

    return run


def against_budget(
    name: str, count: int, contenders: dict[str, Contender], budget: float, note: str = ""
) -> Iterator[Entry]:
    seconds = take_turns(contenders, range(REPEATS * ROUNDS))
    seconds["budget"] = [budget] * ROUNDS
    yield from entries(f"{name}-{count}", "us/call", 1e6, seconds, {"budget": 1.0}, note)


def after_move(position: Position, unit: Unit) -> tuple[UnitMoved, Position]:
    """The event and the position after it, in which nothing but the unit that moved is another."""
    rules, event = ruleset(), one_move(position, unit)
    after: Position = rules.apply(position, event)
    moved = [new.id for old, new in zip(position.units, after.units, strict=True) if old is not new]
    agree("apply", moved, [unit.id])
    agree("apply", (after.units[unit.id].hex, after.mover), (event.path[-1], event.mover))
    agree("apply, done again,", codec.digest(after), codec.digest(rules.apply(position, event)))
    return event, after


def first_vehicle(position: Position) -> Unit:
    """A unit that could carry others, which an event that moves it has to look for."""
    return next(unit for unit in position.units if KINDS[unit.kind].is_vehicle)


def apply() -> Iterator[Entry]:
    """One event applied, against a budget; beside it a chess move made and taken back."""
    chess = peer("chess")
    for count in SIZES:
        position = crowd(count, fog=False).position
        event, _ = after_move(position, first_vehicle(position))
        contenders = {"sandtable": Contender(again(partial(ruleset().apply, position, event)), REPEATS)}
        if chess:
            there_and_back = partial(push_and_pop, chess.Board(), chess.Move.from_uci("e2e4"))
            contenders["chess"] = Contender(again(there_and_back), REPEATS)
        note = "chess: push and pop; ours keeps the position before, so taking back costs nothing"
        yield from against_budget("apply", count, contenders, COPY_BUDGET * count / SIZES[0], note)


def push_and_pop(board: Any, move: Any) -> None:
    board.push(move)
    board.pop()


def branched(state: State[Position], event: UnitMoved) -> State[Position]:
    return State(ruleset().apply(state.position, event), state.flow, state.dice)


def branch() -> Iterator[Entry]:
    """A new state beside the old one, sharing all but one unit; beside it copies that share nothing."""
    chess = peer("chess")
    for count in SIZES:
        state = crowd(count, fog=False)
        event, after = after_move(state.position, first_vehicle(state.position))
        agree("branch", after.ground is state.position.ground and after.mines is state.position.mines, True)
        units, copies = list(state.position.units), 100 * SIZES[0] // count
        contenders = {
            "sandtable": Contender(again(partial(branched, state, event)), REPEATS),
            "deepcopy of the units": Contender(again(partial(deepcopy, units)), copies),
        }
        if chess:
            contenders["chess board.copy"] = Contender(again(partial(chess.Board().copy, stack=False)), REPEATS)
        yield from against_budget("branch", count, contenders, COPY_BUDGET * count / SIZES[0])


def view() -> Iterator[Entry]:
    """What a side sees, in states that differ in which of its units has moved, more of them than anything remembers."""
    for fog in (False, True):
        for count in SIZES:
            before = crowd(count, fog=fog)
            movers = [unit for unit in before.position.units if unit.side == ALLIED][:VIEWED]
            positions = [after_move(before.position, unit)[1] for unit in movers]
            states = [State(position, before.flow, before.dice) for position in positions]
            first = [codec.digest(seen(state)) for state in states]
            agree("view, asked again,", first, [codec.digest(seen(state)) for state in states])
            budget = FOG_VIEW_BUDGET * count / SIZES[0] if fog else CLEAR_VIEW_BUDGET
            contenders = {"sandtable": Contender(partial(see_all, states), REPEATS // 10 if fog else REPEATS)}
            yield from against_budget("view-fog" if fog else "view", count, contenders, budget)


def see_all(states: Sequence[State[Position]], numbers: Sequence[int]) -> None:
    for number in numbers:
        seen(states[number % len(states)])


def seen(state: State[Position]) -> Any:
    return ruleset().view(state, ALLIED)


# --- the start of a command ------------------------------------------------------------------------------------------


def start_up() -> Iterator[Entry]:
    """`sandtable version` as a whole process, beside a Python that does nothing."""
    commands = {
        "sandtable": [sys.executable, "-m", "sandtable.cli", "version"],
        "bare python": [sys.executable, "-c", "pass"],
    }
    with tempfile.TemporaryDirectory(prefix="bench-start-") as folder:
        # an installed package has its bytecode beside it; here it is kept apart, made by a first run
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        told = subprocess.run(commands["sandtable"], env=environment, check=True, capture_output=True, text=True).stdout
        agree("sandtable version", "map kernels: compiled" in told, True)
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        memory: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                cpu, megabytes = cost_of(command, environment)
                seconds[name].append(cpu)
                memory[name].append(megabytes)
    seconds["budget"], memory["budget"] = [START_BUDGET] * ROUNDS, [MEMORY_BUDGET] * ROUNDS
    yield from entries("start-up", "s CPU", 1.0, seconds, {"budget": 1.0})
    yield from entries("start-up-memory", "MB peak", 1.0, memory, {"budget": 1.0})


# A process counts the memory of the one that started it until its own program is loaded, so a small one starts it.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=sys.stderr)
"""


def cost_of(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """The CPU seconds and the peak memory in MB of one process."""
    launched = [sys.executable, "-S", "-E", "-c", LAUNCHER, *command]
    done = subprocess.run(launched, env=environment, check=True, capture_output=True, text=True)
    status, cpu, peak = done.stderr.split()
    agree(" ".join(command), status, "0")
    # Linux counts kilobytes, macOS bytes
    return float(cpu), int(peak) / (1024 * 1024 if sys.platform == "darwin" else 1024)


ENTRIES: dict[str, Callable[[], list[Entry]]] = {
    name: on_compiled(run)
    for name, run in {
        "playout": playout,
        "apply": apply,
        "branch": branch,
        "view": view,
        "start-up": start_up,
    }.items()
}
