"""The player's side of the console: what may be said at the prompt, and what is answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sandtable.cli.advice import HELP, is_risky, odds_lines
from sandtable.cli.answers import card_lines, forces_lines, query_lines, report_lines, sight_lines
from sandtable.cli.chart import COUNTERS, Chart
from sandtable.cli.rulebook import find_rule, told
from sandtable.cli.screen import columns
from sandtable.cli.session import Session
from sandtable.cli.trouble import sentence
from sandtable.cli.voice import Ear, Voice
from sandtable.content import find_hex, not_on
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece, Selection, Target, Verb
from sandtable.kernel.state import View
from sandtable.lab.tables import LabError, ending
from sandtable.lab.written_orders import Names, order_from, unit_names
from sandtable.play.words import listed

LISTED = 40
"""How many targets of a verb are listed at once."""


class Leave(Exception):
    """The player leaves the table, for good or for another battle that is kept in a file."""

    def __init__(self, other: Session | None = None, path: Path | None = None) -> None:
        super().__init__()
        self.other, self.path = other, path


class Desk:
    """What one keyboard shows and understands."""

    def __init__(self, session: Session, voice: Voice, ear: Ear) -> None:
        self.session, self.voice, self.ear = session, voice, ear
        self.chart = Chart(session.scenario, session.sides)
        self.chosen: tuple[UnitId, ...] = ()
        self.pending: Verb | None = None
        self.told: tuple[object, ...] = ()
        self.shown_turn: dict[SideId, int] = {}
        self.decision: Decision
        self.view: View[Any]

    # before and between

    def welcome(self, people: list[SideId]) -> None:
        """The players know what battle this is."""
        scenario = self.session.scenario
        self.voice.say(f"{scenario.title}: {scenario.turns} turns.", "bold")
        self.voice.say(" ".join(scenario.summary.split()))
        # people who share a keyboard are briefed one by one, each when they sit down
        if len(people) == 1:
            self.brief(people[0])
        if people:
            self.voice.say("Say `help` for what can be said here, `end` to finish a phase, `quit` to leave.")

    def brief(self, side: SideId) -> None:
        """The player of a side knows what is asked of it."""
        for own in self.session.scenario.sides:
            if own.id == side and own.briefing:
                self.voice.say(f"{own.title}: {' '.join(own.briefing.split())}")

    def decide(self, side: SideId) -> None:
        """The side has given one order, or taken one back; Leave when the player wants to go."""
        if self.told[1:2] != (side,):
            self.chosen = ()
        self.view, number = self.session.view(side), self.session.number(side)
        self.decision = self.view.decisions[0]
        self.voice.list(self.session.news(side))
        self._announce()
        while self.session.number(side) == number:
            words = self.ear.hear(f"{self._prompt()}> ")
            if words is None:
                raise Leave
            try:
                self._obey(words)
            except Leave:
                raise
            except Exception as error:
                told = sentence(error)
                if told is None:
                    raise
                self.voice.say(told, "yellow")

    def _announce(self) -> None:
        """Turn, side, step, what is expected and its rule are said once for each step."""
        decision, view = self.decision, self.view
        mark = (view.turn, decision.side, decision.kind)
        if mark == self.told:
            return
        self.told, self.pending = mark, None
        if not self.voice.plain and self.shown_turn.get(decision.side) != view.turn:
            self._map("")
        self.shown_turn[decision.side] = view.turn
        title = self.chart.title(decision.side)
        expected = decision.prompt or decision.kind
        self.voice.say()
        self.voice.say(f"Turn {view.turn}, {title}, {decision.kind}: {expected} ({decision.rule})", "bold")

    def _prompt(self) -> str:
        chosen = f" [{' '.join(map(str, self.chosen))}]" if self.chosen else ""
        return f"turn {self.view.turn} {self.decision.side} {self.decision.kind} ({self.decision.rule}){chosen}"

    # what is said

    def _obey(self, words: str) -> None:
        word, _, rest = words.partition(" ")
        rest = rest.strip()
        if not word:
            self.told = (None, self.decision.side)
            self._announce()
        elif word.isdecimal() and word.isascii():
            self._number([word, *rest.split()])
        elif word.lower() in WORDS:
            WORDS[word.lower()](self, rest)
        else:
            self._verb_by_word(words)

    def _number(self, numbers: list[str]) -> None:
        """A line of the list last shown: a verb, or a target of the verb that was asked for."""
        if self.pending is not None and len(numbers) == 1:
            self._give(self._target(self.pending, numbers[0]))
            return
        self._point(self._verb(numbers[0]), " ".join(numbers[1:]))

    def _verb(self, number: str) -> Verb:
        verbs = self._menu()
        if not 1 <= _number(number) <= len(verbs):
            raise LabError(f"the menu has no line {number}")
        return verbs[int(number) - 1]

    def _verb_by_word(self, words: str) -> None:
        verb, rest = _spoken(self._menu(), words)
        if verb is None:
            raise LabError(f"{words.partition(' ')[0][:40]!r} means nothing here; `help` tells what does")
        self._point(verb, rest)

    def _point(self, verb: Verb, rest: str) -> None:
        """The verb is used on what the rest of the line names, or its targets are listed."""
        if verb.refusal is not None or not verb.targets:
            self._refused(verb.refusal)
            return
        if rest:
            self._give(self._target(verb, rest))
        elif len(verb.targets) == 1:
            self._give(verb.targets[0])
        else:
            self.pending = verb
            self._list_targets(verb.title, list(verb.targets), list(range(1, len(verb.targets) + 1)))

    def _target(self, verb: Verb, text: str) -> Target:
        """The target that a number of the list or a hex names."""
        if place := find_hex(self.chart.board, text):
            found = [n for n, target in enumerate(verb.targets, 1) if target.hex == place]
            if len(found) == 1:
                return verb.targets[found[0] - 1]
            if found:
                self.pending = verb
                self._list_targets(f"{verb.title} at {text}", [verb.targets[n - 1] for n in found], found)
                raise LabError("which of these? Say its number")
            raise LabError(f"{verb.title} has no target in {text}")
        if not 1 <= _number(text) <= len(verb.targets):
            raise LabError(f"{verb.title} has no target {text[:40]!r}; name a number of its list or a hex")
        return verb.targets[int(text) - 1]

    def _list_targets(self, title: str, targets: list[Target], numbers: list[int]) -> None:
        self.voice.say(f"{title}:")
        for number, target in islice(zip(numbers, targets, strict=True), LISTED):
            note = f" ({target.note})" if target.note else ""
            self.voice.say(f"  {number}: {self._text(target.order)}{note}")
        if len(targets) > LISTED:
            self.voice.say(f"  and {len(targets) - LISTED} more: name a hex, for example `{self._example(targets)}`")

    def _example(self, targets: list[Target]) -> str:
        assert self.pending is not None
        place = next((target.hex for target in targets[LISTED:] if target.hex), NOWHERE)
        return f"{self.pending.key} {self.chart.place(place)}"

    # orders

    def _give(self, target: Target) -> None:
        self._order(target.order)

    def _order(self, order: Order) -> None:
        """The order is carried out, after its odds were shown and agreed to if dice decide."""
        ruleset = self.session.ruleset
        if ruleset.check(self.view, order) is None and is_risky(ruleset, self.view, order):
            self.voice.say(self._text(order), "bold")
            self.voice.list(odds_lines(ruleset, self.view, order, plain=self.voice.plain))
            if not self._agreed():
                self.voice.say("Not done.")
                return
        self._carry_out(order)

    def _carry_out(self, order: Order) -> None:
        refusal = self.session.order(self.decision.side, order).refusal
        if refusal is not None:
            self._refused(refusal)
            return
        self.pending = None
        self._forget_the_lost()

    def _agreed(self) -> bool:
        while True:
            word = self.ear.hear("Do it? y or n: ")
            if word is None:
                raise Leave
            if word.lower() in ("y", "yes", "n", "no"):
                return word.lower().startswith("y")
            self.voice.say("Please say y or n.")

    def _forget_the_lost(self) -> None:
        pieces = self.session.ruleset.pieces(self.session.view(self.decision.side))
        there = {piece.id for piece in pieces if piece.kind in COUNTERS}
        self.chosen = tuple(id for id in self.chosen if id in there)

    def _refused(self, refusal: Refusal | None) -> None:
        if refusal is None:
            self.voice.say("There is nothing to point that at now.", "yellow")
            return
        detail = f" ({refusal.detail})" if refusal.detail else ""
        self.voice.say(f"Not lawful: {refusal.reason}{detail} ({refusal.rule})", "yellow")

    def _text(self, order: Order) -> str:
        return self.session.ruleset.order_text(order, self.view)

    # commands

    def _menu(self) -> tuple[Verb, ...]:
        return self.session.ruleset.menu(self.view, Selection(self.chosen))

    def _pieces(self) -> tuple[Piece, ...]:
        return self.session.ruleset.pieces(self.view)

    def _help(self, rest: str) -> None:
        self.voice.list(HELP)

    def _show_menu(self, rest: str) -> None:
        """What can be ordered now, line by line."""
        self.pending = None
        refused: dict[str, list[str]] = {}
        for number, verb in enumerate(self._menu(), 1):
            if verb.refusal is not None:
                refused.setdefault(f"{verb.refusal.reason} ({verb.refusal.rule})", []).append(verb.title)
            else:
                count = f": {len(verb.targets)} targets" if len(verb.targets) > 1 else ""
                self.voice.say(f"  {number}: {verb.title} (say `{verb.key}`){count}")
        for reason, titles in refused.items():
            self.voice.say(f"  not now: {', '.join(titles)}: {reason}", "dim")
        if self.session.can_undo(self.decision.side):
            self.voice.say("  your latest order can be taken back (say `undo`)")

    def _units(self, rest: str) -> None:
        """The counters in sight, one's own first."""
        pieces = [piece for piece in self._pieces() if piece.kind in COUNTERS or piece.kind == "aircraft"]
        if rest:
            sides = [side for side in self.session.sides if side.startswith(rest.lower())]
            pieces = [piece for piece in pieces if piece.side in sides]
        pieces.sort(key=lambda piece: (piece.side != self.decision.side, piece.side, piece.id))
        if self.voice.plain:
            self.voice.list(f"{self.chart.told(piece)}, {self._where(piece)}{_values(piece)}." for piece in pieces)
            return
        rows = [
            (self.chart.code(piece), piece.title, self.chart.place(piece.hex), _numbers(piece), ", ".join(piece.states))
            for piece in pieces
        ]
        for piece, line in zip(pieces, columns(rows), strict=True):
            code, _, text = line.partition(" ")
            self.voice.spans([(code, self.chart.side_styles.get(piece.side, "")), (f" {text}", "")])

    def _where(self, piece: Piece) -> str:
        carrier = f", with unit {piece.carrier}" if piece.carrier is not None else ""
        return f"hex {self.chart.place(piece.hex)}{carrier}" if piece.hex else "not on the map"

    def _ready(self, rest: str) -> None:
        """The units that have a lawful order now, and what can be ordered without any."""
        ruleset, named = self.session.ruleset, self._named()
        ready = ruleset.ready(self.view)
        for id in ready:
            self.voice.say(f"  {id}: {named(id)}")
        end = ending(ruleset, self.view)
        menu = ruleset.menu(self.view, Selection((NOBODY,)))
        others = [verb.title for verb in menu if any(target.order != end for target in verb.targets)]
        if others:
            self.voice.say(f"Without picking a unit: {', '.join(others)}.")
        if not ready:
            self.voice.say("No unit has anything to do in this step" + ("." if others else "; `end` finishes it."))

    def _plans(self, rest: str) -> None:
        """What the side has written down for later, or one line of it struck out."""
        plans = self.session.ruleset.plans(self.view)
        if rest:
            if not 1 <= _number(rest) <= len(plans):
                raise LabError(f"nothing is written in line {rest[:40]!r}; `plans` lists what is")
            self._carry_out(plans[int(rest) - 1].order)
            return
        for number, plan in enumerate(plans, 1):
            self.voice.say(f"  {number}: {plan.text}{f' ({plan.note})' if plan.note else ''}")
        if not plans:
            self.voice.say("You have written nothing down.")

    def _named(self) -> Callable[[UnitId], str]:
        """How units are called: by title and place."""
        known = {piece.id: piece for piece in self._pieces()}
        return lambda id: f"{known[id].title}, {self._where(known[id])}"

    def _card(self, rest: str) -> None:
        """All that is known of some units."""
        ids = list(self._ids(rest)) if rest else list(self.chosen)
        if not ids:
            raise LabError("say `card` with a unit, such as `card 12`, or select one first")
        for id in dict.fromkeys(ids):
            card = self.session.ruleset.card(self.view, id)
            if card is None:
                self.voice.say("There is no card of that.", "yellow")
            else:
                self.voice.list(card_lines(card, self.chart.title(card.side), plain=self.voice.plain))

    def _forces(self, rest: str) -> None:
        """The order of battle of all sides, or of one."""
        tree = [one for one in self.session.ruleset.tree(self.view) if one.side.startswith(rest.lower())]
        self.voice.list(forces_lines(tree, self._named(), plain=self.voice.plain))

    def _show(self, rest: str) -> None:
        """One of the highlights, or the list of them."""
        ruleset = self.session.ruleset
        listed = ruleset.queries(self.view)
        if not rest:
            shown = [query for query in listed if self._is_asked_about(query.key)]
            self.voice.list(f"  {query.key}: {query.title} ({query.rule})" for query in shown)
            return
        key = _meant(rest, [query.key for query in listed])
        found = ruleset.query(self.view, key) if key else None
        if found is None:
            raise LabError(f"there is nothing called {rest[:40]!r} to show; `show` lists what there is")
        self.voice.list(query_lines(found, self._named(), self.chart.place))

    def _is_asked_about(self, key: str) -> bool:
        """Whether a highlight is about the whole table, or about a unit that is selected."""
        _, _, unit = key.partition("@")
        return not unit or int(unit) in self.chosen

    def _report(self, rest: str) -> None:
        """One of the reports, or the list of them."""
        ruleset = self.session.ruleset
        listed = ruleset.reports(self.view)
        if not rest:
            self.voice.list(f"  {report.kind}: {report.title}" for report in listed)
            return
        kind = _meant(rest, [report.kind for report in listed])
        report = ruleset.report(self.view, kind) if kind else None
        if report is None:
            raise LabError(f"there is no report {rest[:40]!r}; `report` lists what there is")
        self.voice.list(report_lines(report, plain=self.voice.plain))

    def _select(self, rest: str) -> None:
        """Units are picked, and what they can do is listed."""
        if not rest:
            self.chosen = ()
            self.voice.say("Nobody is selected.")
            return
        self.chosen = tuple(dict.fromkeys(self._ids(rest)))
        known = {piece.id: piece for piece in self._pieces() if piece.kind in COUNTERS}
        for id in self.chosen:
            if id in known:
                state = f": {known[id].note}" if known[id].note else ""
                self.voice.say(f"Selected: {self.chart.told(known[id])}, {self._where(known[id])}{state}.")
        self._show_menu("")

    def _ids(self, text: str) -> Iterator[UnitId]:
        """Units by number, by the name of the scenario, or all of one's own in a hex."""
        names = self._names().units
        for word in text.replace(",", " ").split():
            place = find_hex(self.chart.board, word)
            here = [p.id for p in self._pieces() if p.hex == place and p.side == self.decision.side] if place else []
            if here:
                yield from here
            elif word in names:
                yield names[word]
            else:
                number = word.lstrip("".join(self.chart.side_letters.values()))
                if number not in {str(id) for id in names.values()}:
                    raise LabError(f"there is no unit {word[:40]!r}")
                yield UnitId(int(number))

    def _names(self) -> Names:
        # by the side's own view, so that a name can't tell whether a hidden unit exists
        return Names(self.chart.board, unit_names(self._pieces()))

    def _map(self, rest: str) -> None:
        """The map, drawn or told."""
        if rest and not find_hex(self.chart.board, rest):
            raise LabError(not_on(self.chart.board, rest))
        if self.voice.plain:
            self.voice.list(self.chart.telling(self._pieces()))
            return
        for spans in self.chart.drawing(self._pieces(), self.voice.width, self._center(rest)):
            self.voice.spans(spans)

    def _center(self, label: str) -> HexId:
        if label:
            return HexId(find_hex(self.chart.board, label))
        own = [piece for piece in self._pieces() if piece.side == self.decision.side and piece.hex]
        chosen = [piece for piece in own if piece.id in self.chosen]
        return next((piece.hex for piece in (*chosen, *own)), NOWHERE)

    def _hex(self, rest: str) -> None:
        self.voice.list(self.chart.hex_lines(self._place(rest), self._pieces()))

    def _see(self, rest: str) -> None:
        """The line of sight between two hexes, or who of the side sees one."""
        places = [self._place(label) for label in rest.split()]
        if len(places) not in (1, 2):
            raise LabError("say `see` with a hex, or with two for the line between them: `see 0405 0809`")
        ruleset = self.session.ruleset
        if len(places) == 2:
            line = ruleset.sight(self.view, places[0], places[1])
            self.voice.list(sight_lines(line, places[0], places[1], self.chart.place))
            return
        watchers, named = ruleset.watchers(self.view, places[0]), self._named()
        self.voice.list(f"  {id}: {named(id)}" for id in watchers)
        if not watchers:
            self.voice.say(f"Nobody of yours who can spot sees {self.chart.place(places[0])}.")

    def _threats(self, rest: str) -> None:
        """The known enemies that could attack a hex, or those who are picked."""
        chosen = [piece.hex for piece in self._pieces() if piece.id in self.chosen and piece.hex]
        places = [self._place(rest)] if rest else list(dict.fromkeys(chosen))
        if not places:
            raise LabError("say `threats` with a hex, such as `threats 0405`, or select a unit first")
        named = self._named()
        for place in places:
            threats = self.session.ruleset.threats(self.view, place)
            nobody = "" if threats else "no enemy you know of could attack there."
            self.voice.say(f"{self.chart.place(place)}: {nobody}")
            self.voice.list(
                f"  {listed([f'{id}: {named(id)}' for id in threat.actors])}: {threat.text}" for threat in threats
            )

    def _place(self, label: str) -> HexId:
        place = find_hex(self.chart.board, label)
        if not place:
            raise LabError(not_on(self.chart.board, label))
        return HexId(place)

    def _odds(self, rest: str) -> None:
        """The odds of an order without giving it."""
        word, _, where = rest.partition(" ")
        if not word:
            raise LabError("say `odds` with a line of the menu and a target, such as `odds 1 2` or `odds fire 0405`")
        if word.isdecimal() and not where and self.pending is not None:
            target = self._target(self.pending, word)
        else:
            verb, where = (self._verb(word), where.strip()) if word.isdecimal() else _spoken(self._menu(), rest)
            if verb is not None and verb.refusal is not None:
                self._refused(verb.refusal)
                return
            if verb is None or not verb.targets:
                raise LabError(f"{word[:40]!r} has no target now")
            target = self._target(verb, where) if where else verb.targets[0]
        self.voice.say(self._text(target.order), "bold")
        self.voice.list(odds_lines(self.session.ruleset, self.view, target.order, plain=self.voice.plain))

    def _log(self, rest: str) -> None:
        count = _number(rest) if rest else 20
        self.voice.list(self.session.log(self.decision.side, count if count > 0 else None))

    def _rules(self, rest: str) -> None:
        rule = rest or str(self.decision.rule)
        self.voice.list(told(find_rule(self.session.table.system, rule)))

    def _undo(self, rest: str) -> None:
        refusal = self.session.undo(self.decision.side).refusal
        if refusal is not None:
            self.voice.say(refusal.reason, "yellow")
        self.pending = None

    def _end(self, rest: str) -> None:
        order = ending(self.session.ruleset, self.view)
        if order is not None:
            # whoever lets something go by is not asked twice
            self._carry_out(order)
            return
        refusals = [verb.refusal for verb in self._menu() if verb.closes and verb.refusal is not None]
        self._refused(refusals[0] if refusals else None)

    def _written(self, rest: str) -> None:
        """An order in its JSON form, with hex labels and unit names if one likes."""
        try:
            fields = json.loads(rest)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise LabError('an order is written as JSON, for example {"order": "EndPhase"}')
        self._order(order_from(fields, self.session.ruleset, self._names()))

    def _save(self, rest: str) -> None:
        if not rest:
            raise LabError("say `save` with the name of a file")
        self.session.save(Path(rest))
        self.voice.say(f"The battle is kept in {rest}.")

    def _resume(self, rest: str) -> None:
        if not rest:
            raise LabError("say `resume` with the name of a file")
        other = Session.resumed(Path(rest), None)
        if (other.table.system, other.sides) != (self.session.table.system, self.session.sides):
            raise LabError("the players at this table don't fit that battle")
        raise Leave(other, Path(rest))

    def _quit(self, rest: str) -> None:
        raise Leave


def _number(text: str) -> int:
    """The number a word is, or -1 when it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _spoken(verbs: Sequence[Verb], words: str) -> tuple[Verb | None, str]:
    """The verb that a line begins with and what is left of the line: a whole name, be it of several words, before one
    that the first word begins.
    """
    said = f"{words.lower()} "
    whole = [verb for verb in verbs if said.startswith(f"{verb.key} ")]
    if whole:
        verb = max(whole, key=lambda verb: len(verb.key))
        return verb, words[len(verb.key) :].strip()
    word, _, rest = words.partition(" ")
    return next((verb for verb in verbs if verb.key.startswith(word.lower())), None), rest.strip()


def _meant(word: str, keys: list[str]) -> str:
    """The key that a word is or begins, or nothing when it is none or several."""
    found = [key for key in keys if key == word.lower()] or [key for key in keys if key.startswith(word.lower())]
    return found[0] if len(found) == 1 else ""


def _numbers(piece: Piece) -> str:
    """The values printed on a counter."""
    return f"{piece.corners[0]}{piece.letter} {' '.join(piece.corners[1:])}".strip()


def _values(piece: Piece) -> str:
    return f", values {_numbers(piece)}" if any(piece.corners) else ""


Command = Callable[[Desk, str], None]

WORDS: dict[str, Command] = {
    word: command
    for words, command in (
        ("help h ?", Desk._help),
        ("units u", Desk._units),
        ("ready r", Desk._ready),
        ("plans", Desk._plans),
        ("card c", Desk._card),
        ("forces", Desk._forces),
        ("show", Desk._show),
        ("report", Desk._report),
        ("select s", Desk._select),
        ("orders o", Desk._show_menu),
        ("t", lambda desk, rest: desk._number(rest.split() or ["0"])),
        ("odds", Desk._odds),
        ("map m", Desk._map),
        ("hex x", Desk._hex),
        ("see", Desk._see),
        ("threats", Desk._threats),
        ("log l", Desk._log),
        ("rules rule", Desk._rules),
        ("undo", Desk._undo),
        ("end e", Desk._end),
        ("order", Desk._written),
        ("save", Desk._save),
        ("resume", Desk._resume),
        ("quit q", Desk._quit),
    )
    for word in words.split()
}
