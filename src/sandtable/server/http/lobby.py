"""What the lobby does: opens, lists, hands out seats, imports, branches and deletes battles."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable import registry
from sandtable.battle import saves, seats
from sandtable.battle.authority import Battle
from sandtable.battle.battles import OPEN, Battles, BattlesError
from sandtable.battle.library import restored
from sandtable.battle.observed import Card, Log, Whole, wire
from sandtable.battle.salvage import salvaged
from sandtable.battle.seats import Kind, Seat, token_hash
from sandtable.battle.storage.rows import StoreError
from sandtable.content import Tutorial
from sandtable.kernel import replay
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Record
from sandtable.kernel.state import Outcome
from sandtable.server import access
from sandtable.server import messages as m
from sandtable.server.access import Caller, Role
from sandtable.server.http import cards, inspection
from sandtable.server.play.connections import DELETED
from sandtable.server.play.sessions import Sessions
from sandtable.server.play.turns import apart
from sandtable.server.settings import Settings

LISTED = 200
"""How many battles a list shows, the newest first."""

TOKENS = 64
"""How many tokens a caller may list the battles of."""

LONGEST_SEED = 64


class LobbyError(Exception):
    """What was asked for can't be done; the message is one sentence, the status an HTTP one."""

    def __init__(self, status: int, reason: str, needs: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.needs = needs


class _Standing(NamedTuple):
    """How far a battle is, as far as somebody may know it, when its log had so many entries."""

    entries: int
    turn: int
    turns: int
    outcome: Outcome | None
    updated: str
    trouble: str = ""
    stopped: str = ""
    readable: bool = False


class Lobby:
    """The lobby of one server."""

    def __init__(self, settings: Settings, battles: Battles, sessions: Sessions, key: bytes) -> None:
        self.settings = settings
        self.sessions = sessions
        self._battles = battles
        self._key = key
        self._imports = asyncio.Semaphore(1)
        self._standings: dict[str, dict[Role, _Standing]] = {}

    # who asks

    async def caller(self, bearer: str, battle: str = "") -> Caller:
        """Who asks, and the seats at a battle that what he carries opens."""
        opened = await self._opened(bearer) if bearer and battle else []
        names = [name for id, name in opened if id == battle]
        if not names:
            return access.caller(self.settings, bearer, ())
        session = await self._session(battle)
        found = tuple(session.battle.seats[name] for name in names if name in session.battle.seats)
        return access.caller(self.settings, bearer, found)

    async def _opened(self, bearer: str) -> list[tuple[str, str]]:
        return await asyncio.to_thread(self._battles.join, bearer)

    async def admit(self, bearer: str, command: str, battle: str = "") -> Caller:
        """Who asks, if he may; LobbyError if not."""
        who = await self.caller(bearer, battle)
        if not access.may_request(self.settings, who, command):
            if command in access.LOCAL_ONLY and not self.settings.is_local:
                raise LobbyError(403, "a public server gives no tokens to anybody who asks")
            raise self._denial(who, bearer, command)
        return who

    def _denial(self, who: Caller, bearer: str, command: str) -> LobbyError:
        """Why somebody may not do that, and whether the server's secret would let him."""
        status = 403 if bearer else 401
        if command == "join":
            return LobbyError(status, "this invitation was used already, or there is a newer one: ask for another")
        if Role.OPERATOR not in access.REQUESTS[command]:
            return LobbyError(status, "that is only for those at the table; nothing you carry opens a seat there")
        if not bearer or who.seats:
            return LobbyError(status, "this server wants its secret first", "secret")
        return LobbyError(status, "that is not the secret of this server", "secret")

    async def _session(self, battle: str) -> Any:
        try:
            return await self.sessions.session(battle)
        except BattlesError as error:
            raise LobbyError(404, str(error)) from None

    # listing

    async def battles(self, bearer: str) -> tuple[m.BattleCard, ...]:
        """The battles the caller may know of, the newest first."""
        tokens = [token for token in bearer.split(",")[:TOKENS] if token]
        opened = [place for token in tokens for place in await self._opened(token)]
        watched: dict[str, str] = {}
        if access.is_operator(self.settings, bearer):
            listed = await asyncio.to_thread(self._battles.cards)
        else:
            # no more is read than he may know: anybody can ask, and there may be thousands
            listed = await asyncio.to_thread(self._battles.cards, {id for id, _ in opened})
            watched = _only_watched(listed, opened)
        ranked = sorted(listed, key=lambda card: -card.created)[:LISTED]
        found = [await self._card(card, watched.get(card.id, "")) for card in ranked]
        yours = _commanded(listed, opened)
        return tuple(replace(card, yours=yours.get(card.id, ())) for card in found)

    async def _standing(self, card: Card, spectator: str, entries: int) -> _Standing:
        """How far a battle is. One that can't be opened is marked, and the others of the list are there as ever."""
        try:
            session = await self.sessions.session(card.id)
            shown = session.progress(spectator)
            at = await asyncio.to_thread(self._last_played, card, entries)
        except (BattlesError, StoreError) as error:
            readable = await asyncio.to_thread(salvaged, self._battles.store, card.id) is not None
            return _Standing(entries, 0, 0, None, "", str(error), readable=readable)
        await self.sessions.tidy(card.id)
        return _Standing(entries, shown.turn, session.turns, shown.outcome, at, stopped=session.battle.stopped)

    async def _card(self, card: Card, spectator: str) -> m.BattleCard:
        """A battle of the list, for that spectator or else for whoever may know how far it is."""
        entries, _ = await asyncio.to_thread(self._battles.store.head, card.id)
        standings = self._standings.setdefault(card.id, {})
        viewer = Role.SPECTATOR if spectator else Role.COMMANDER
        known = standings.get(viewer)
        if known is None or known.entries != entries:
            known = standings[viewer] = await self._standing(card, spectator, entries)
        return _card_of(card, known)

    def _last_played(self, card: Card, entries: int) -> str:
        """When a battle was last played; on a public server when it began, for the other time would tell of orders."""
        at = card.created
        if self.settings.is_local:
            rows = self._battles.store.rows(card.id, max(0, entries - 1))
            at = rows[-1].at if rows else at
        return _time(at)

    # opening

    async def create(self, wanted: m.NewBattle) -> m.BattleKeys:
        """A new battle and the tokens of its human seats."""
        card = _shipped(wanted.scenario, 400)
        self._check_options(card, wanted.options)
        if wanted.seed and not self.settings.is_local:
            raise LobbyError(400, "the dice of a public battle are the server's to throw")
        if wanted.seed and any(choice.player == Kind.FRIEND.value for choice in wanted.seats):
            raise LobbyError(
                400, "who chooses the seed knows the dice: in a battle with a friend the server throws them"
            )
        if len(wanted.seed) > LONGEST_SEED or not wanted.seed.isprintable():
            raise LobbyError(400, f"a seed has at most {LONGEST_SEED} printable characters")
        places = self._places(wanted.seats, tuple(side.id for side in card.sides))
        return await self._found(
            lambda: self._battles.create(card.system, card.id, places, dict(wanted.options), wanted.seed)
        )

    async def import_file(self, data: bytes, seating: str, passphrase: str = "") -> m.BattleKeys:
        """A battle that goes on where a record or a save ends."""
        if saves.is_save(data):
            return await self._taken_up(data, passphrase)
        return await self._imported(data, seating_from(seating))

    async def scenario(self, battle: str) -> m.ScenarioCard:
        """The scenario as it was when the battle began."""
        session = await self._session(battle)
        return await asyncio.to_thread(cards.kept, session.battle.rules.scenario)

    async def briefings(self, scenario: str, options: str) -> tuple[m.Briefing, ...]:
        """What the sides of a scenario have, as far as a battle with these options lets anybody see it."""
        card = _shipped(scenario, 404)
        wanted = options_from(card, options)
        self._check_options(card, wanted)
        return await asyncio.to_thread(cards.briefings, card.id, wanted)

    async def tutorial(self, battle: str, who: Caller) -> Tutorial:
        """The guide of a battle, for the side that it guides: it names what that side has."""
        header = (await self._session(battle)).battle.rules.header
        found = cards.tutorials().get(header.scenario)
        if (
            found is None
            or not cards.is_shipped(header.system, header.scenario, header.scenario_digest)
            or not any(seat.side == found.side for seat in who.seats)
        ):
            raise LobbyError(404, "there is no guide for this side")
        return found

    async def save(self, battle: str, passphrase: str) -> bytes:
        """A save of a battle that is not over."""
        session = await self._session(battle)
        if session.battle.is_over:
            raise LobbyError(409, "the battle is over: export its record")
        if passphrase and (problem := saves.passphrase_problem(passphrase)):
            raise LobbyError(400, problem)
        header, progress = session.battle.rules.header, session.progress()
        kind = saves.PASSPHRASE if passphrase else saves.SERVER
        file = saves.SaveFile(
            saves.KIND,
            saves.FORMAT,
            session.battle.rules.scenario.title,
            header.system,
            header.scenario,
            header.rules_version,
            progress.turn,
            kind,
            "",
            "",
        )
        saved = await apart(lambda: self._battles.saved(battle))
        if passphrase:
            # who knows the passphrase can read the seed in it
            saved = replace(saved, dice=OPEN)
        return await asyncio.to_thread(saves.sealed, file, saved, passphrase.encode() or self._key)

    async def _taken_up(self, data: bytes, passphrase: str) -> m.BattleKeys:
        """The battle of a save, with its seats as they were."""
        try:
            file = saves.read(data)
            if file.sealed_with == saves.PASSPHRASE and not passphrase:
                raise LobbyError(400, "this save is sealed with a passphrase", "passphrase")
            secret = _passphrase(passphrase) if file.sealed_with == saves.PASSPHRASE else self._key
            saved = await asyncio.to_thread(saves.unsealed, file, secret)
        except saves.SaveError as error:
            needs = "passphrase" if passphrase else ""
            raise LobbyError(400, str(error), needs) from None
        unknown = [
            seat.player for seat in saved.seats if seat.kind is Kind.COMPUTER and seat.player not in registry.PLAYERS
        ]
        if unknown:
            raise LobbyError(400, f"the computer player {unknown[0][:64]!r} of this save is not known here")
        async with self._imports:
            record = await self._checked(bytes(saved.record), saved.content)
            return await self._found(
                lambda: self._battles.adopt(record, saved.seats, saved.title, saved.delay, saved.dice, saved.content)
            )

    async def _checked(self, data: bytes, content: str = "") -> Record:
        try:
            return await inspection.checked(data, content)
        except inspection.NoRecord as error:
            raise LobbyError(400, str(error)[:300]) from None

    async def branch(self, battle: str, who: Caller, wanted: m.Branching) -> m.BattleKeys:
        """A new battle that goes on from a point of an ended one, or of one's own in which nothing is hidden."""
        table: Battle = (await self._session(battle)).battle
        if table.is_over:
            record = await apart(lambda: table.cut(wanted.number))
            if record is None:
                raise LobbyError(400, "the battle has no such order")
        else:
            record = await self._own_past(table, who, wanted.number)
        return await self._imported(replay.write(record), wanted.seats, table.rules.content)

    async def _own_past(self, table: Battle, who: Caller, number: int) -> Record:
        own = {seat.name for seat in who.seats if not seat.is_spectator}
        people = {
            seat.name for seat in table.seats.values() if not seat.is_spectator and seat.kind is not Kind.COMPUTER
        }
        if not own or own != people:
            raise LobbyError(409, "a battle with others can be branched when it is over")
        record = await apart(lambda: table.cut_as_seen(min(own), number))
        if record is None:
            raise LobbyError(409, "there is something hidden at that point: it can be branched when the battle is over")
        return record

    async def _imported(self, data: bytes, choices: tuple[m.SeatChoice, ...], content: str = "") -> m.BattleKeys:
        # one at a time: a record is played through again from its first order
        async with self._imports:
            record = await self._checked(data, content)
            header = record.header
            sides = self._sides(header.system, header.scenario, content)
            places = self._places(choices or tuple(m.SeatChoice(side, Kind.HOT_SEAT.value) for side in sides), sides)
            return await self._found(lambda: self._battles.adopt(record, places, content=content))

    @staticmethod
    def _sides(system: str, scenario: str, content: str) -> tuple[SideId, ...]:
        """The sides of a scenario, of the shipped one or of that in those files."""
        if content:
            return tuple(SideId(side.id) for side in restored(system, content).scenario.sides)
        card = cards.scenario(system, scenario)
        if card is None:
            raise LobbyError(400, f"there is no scenario {scenario[:64]!r} here")
        return tuple(side.id for side in card.sides)

    async def _found(self, found: Any) -> m.BattleKeys:
        try:
            battle: Battle = await apart(found)
        except BattlesError as error:
            raise LobbyError(400, str(error)[:300]) from None
        return await asyncio.to_thread(self._keys, battle.id, tuple(battle.seats.values()))

    @staticmethod
    def _check_options(card: m.ScenarioCard, options: dict[str, bool | int | str]) -> None:
        known = {option.name: option for option in card.options}
        absent = registry.vocabulary(card.system).absent
        for name, value in options.items():
            if name in absent:
                raise LobbyError(400, absent[name])
            if name not in known:
                raise LobbyError(400, f"there is no option {name[:64]!r}")
            if not any(type(value) is type(own) and value == own for own in known[name].values):
                raise LobbyError(400, f"the option {name} can't be {str(value)[:64]!r}")

    @staticmethod
    def _places(choices: tuple[m.SeatChoice, ...], sides: tuple[SideId, ...]) -> tuple[Seat, ...]:
        makers = {
            Kind.HUMAN.value: seats.human,
            Kind.HOT_SEAT.value: seats.hot_seat,
            Kind.FRIEND.value: seats.friend,
        }
        for choice in choices:
            if choice.player not in makers and choice.player not in registry.PLAYERS:
                raise LobbyError(400, f"there is no player {choice.player[:64]!r}")
        places = tuple(
            makers[choice.player](choice.side, seats.player_name(choice.called))
            if choice.player in makers
            else seats.computer(choice.side, choice.player)
            for choice in choices
        )
        problem = seats.seating_problem(places, sides)
        if problem:
            raise LobbyError(400, problem)
        return places

    # tokens

    async def keys(self, battle: str) -> m.BattleKeys:
        """The tokens of the human seats of a battle, once more."""
        session = await self._session(battle)
        found = await asyncio.to_thread(self._keys, battle, tuple(session.battle.seats.values()))
        await self.sessions.tidy(battle)
        return found

    def _keys(self, battle: str, places: tuple[Seat, ...]) -> m.BattleKeys:
        """Every human seat has its token; the seats of one device share theirs."""
        shared = tuple(seat.name for seat in places if seat.kind is Kind.HOT_SEAT)
        groups: list[tuple[str, ...]] = [(seat.name,) for seat in places if seat.kind is Kind.HUMAN]
        if shared:
            groups.append(shared)
        tokens = {name: token for names in groups for token in [self._token(battle, names)] for name in names}
        by_side = {seat.side: tokens[seat.name] for seat in places if seat.side and seat.name in tokens}
        return m.BattleKeys(battle, by_side)

    def _token(self, battle: str, names: tuple[str, ...]) -> str:
        if not self.settings.is_local:
            return self._battles.invite(battle, *names)
        token = access.derived_token(self._key, battle, names)
        if not set(names) <= {name for id, name in self._battles.join(token) if id == battle}:
            # written when it is not there yet, so that it is handed out also by a store that can't be written to
            self._battles.store.token_set(battle, names, token_hash(token)).result()
        return token

    async def invite(self, battle: str, side: SideId) -> m.BattleKeys:
        """An invitation to a friend's seat."""
        seat = self._friend((await self._session(battle)).battle.seats.values(), side)
        token = await asyncio.to_thread(self._battles.invite, battle, seat.name)
        return m.BattleKeys(battle, {side: token})

    async def join(self, battle: str, who: Caller, called: str) -> m.BattleKeys:
        """The seat of an invitation is taken: neither who sent it nor who has seen it can sit there any more."""
        seat = self._friend(who.seats, next((seat.side for seat in who.seats if seat.side), SideId("")))
        name = seats.player_name(called)
        if not name:
            raise LobbyError(400, "tell the others what to call you")
        token = await asyncio.to_thread(self._battles.take, battle, seat.name, name)
        session = await self._session(battle)
        session.tell_seats()
        await self.sessions.tidy(battle)
        return m.BattleKeys(battle, {SideId(seat.name): token})

    @staticmethod
    def _friend(places: Iterable[Seat], side: SideId) -> Seat:
        found = next((seat for seat in places if seat.side == side and seat.kind is Kind.FRIEND), None)
        if found is None:
            raise LobbyError(409, "nobody is invited to that side: it has its player")
        return found

    async def watch(self, battle: str) -> m.BattleKeys:
        """A spectator's token."""
        await self._session(battle)
        name = f"spectator {seats.new_token()[:12]}"
        token = await asyncio.to_thread(self._battles.watch, battle, name)
        return m.BattleKeys(battle, {}, token)

    # leaving

    async def record(self, battle: str, who: Caller, side: str = "") -> bytes:
        """The record of a battle as its file; before the end, what the caller's seat has seen of it."""
        session = await self._session(battle)
        seat = next((seat for seat in who.seats if seat.side == side), who.seats[0])

        def written() -> bytes:
            export: Log | Whole = session.battle.export(seat.name)
            return replay.write(export.record) if isinstance(export, Whole) else wire(export)

        queues = self.sessions.queues
        return await queues.past.apart(queues.payers(battle, seat, ""), written)

    async def salvage(self, battle: str) -> bytes:
        """The record of a battle that can't be opened, as far as it can be read."""
        try:
            await self.sessions.session(battle)
        except (BattlesError, StoreError):
            record = await asyncio.to_thread(salvaged, self._battles.store, battle)
            if record is None:
                raise LobbyError(404, "nothing of this battle can be read any more") from None
            return await asyncio.to_thread(replay.write, record)
        await self.sessions.tidy(battle)
        raise LobbyError(409, "the battle can be opened: export its record")

    async def delete(self, battle: str) -> None:
        """The battle is gone, also one that can't be opened."""
        if await asyncio.to_thread(self._battles.store.charter, battle) is None:
            raise LobbyError(404, "there is no such battle")
        await self.sessions.forget(battle, DELETED, "the battle was deleted")
        await asyncio.to_thread(self._battles.delete, battle)
        self._standings.pop(battle, None)


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


def _card_of(card: Card, known: _Standing) -> m.BattleCard:
    """A battle as the list shows it."""
    choices = [
        m.SeatChoice(seat.side, seat.player if seat.kind is Kind.COMPUTER else seat.kind.value, seat.called)
        for seat in card.seats
        if seat.side is not None
    ]
    return m.BattleCard(
        id=card.id,
        scenario=card.scenario,
        system=card.system,
        title=card.title,
        turn=known.turn,
        turns=known.turns,
        seats=tuple(choices),
        outcome=known.outcome,
        updated=known.updated,
        trouble=known.trouble,
        stopped=known.stopped,
        readable=known.readable,
    )


def _commanded(listed: tuple[Card, ...], opened: list[tuple[str, str]]) -> dict[str, tuple[SideId, ...]]:
    """The sides that somebody commands, battle by battle."""
    sides = {
        card.id: tuple(seat.side for seat in card.seats if seat.side is not None and (card.id, seat.name) in opened)
        for card in listed
    }
    return {id: found for id, found in sides.items() if found}


def _only_watched(listed: tuple[Card, ...], opened: list[tuple[str, str]]) -> dict[str, str]:
    """The battles that somebody may only watch, each with a seat of his there: he is told no more of how far it is."""
    commanded = _commanded(listed, opened)
    return {id: name for id, name in opened if id not in commanded}


def _shipped(scenario: str, otherwise: int) -> m.ScenarioCard:
    """The card of the shipped scenario of that id; where there is none, LobbyError with that status."""
    card = next((card for card in cards.scenarios() if card.id == scenario), None)
    if card is None:
        raise LobbyError(otherwise, f"there is no scenario {scenario[:64]!r}")
    return card


def _passphrase(text: str) -> bytes:
    """The passphrase in a header, which holds no more than plain ASCII."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise LobbyError(400, "a passphrase is sent as UTF-8 in base64") from None


def options_from(card: m.ScenarioCard, text: str) -> dict[str, bool | int | str]:
    """Options written as name:value,name:value; a value is what the card's option calls so, or else its words."""
    pairs = [word.partition(":") for word in text.split(",") if word]
    values = {option.name: {str(value).lower(): value for value in option.values} for option in card.options}
    return {name: values.get(name, {}).get(value, value) for name, _, value in pairs}


def seating_from(text: str) -> tuple[m.SeatChoice, ...]:
    """Seats written as side:player,side:player."""
    pairs = [word.partition(":") for word in text.split(",") if word]
    if len(pairs) > 16:
        raise LobbyError(400, "no battle has so many seats")
    return tuple(m.SeatChoice(SideId(side.strip()), player.strip()) for side, _, player in pairs)
