"""Who sits at a battle, and the tokens that prove it."""

from __future__ import annotations

import secrets
from enum import Enum
from hashlib import sha256

import msgspec

from sandtable.kernel.ids import SideId


class Kind(Enum):
    """How a seat is filled. Seats of one hot-seat device are several seats with one token; a friend comes to his by an
    invitation."""

    HUMAN = "human"
    HOT_SEAT = "hot-seat"
    FRIEND = "friend"
    COMPUTER = "computer"
    SPECTATOR = "spectator"


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place at the table: it commands one side, or it watches. `called` is what its player calls himself."""

    name: str
    kind: Kind
    side: SideId | None = None
    player: str = ""
    called: str = ""

    @property
    def is_spectator(self) -> bool:
        return self.side is None


def human(side: SideId, called: str = "") -> Seat:
    """The seat of a person who plays that side."""
    return Seat(side, Kind.HUMAN, side, called=called)


def hot_seat(side: SideId, called: str = "") -> Seat:
    """The seat of a person who shares the device with the other side's player."""
    return Seat(side, Kind.HOT_SEAT, side, called=called)


def friend(side: SideId, called: str = "") -> Seat:
    """The seat of a person who is invited to that side."""
    return Seat(side, Kind.FRIEND, side, called=called)


def computer(side: SideId, player: str) -> Seat:
    """The seat of a computer player of that name."""
    return Seat(side, Kind.COMPUTER, side, player)


def spectator(name: str) -> Seat:
    """A seat that only watches."""
    return Seat(name, Kind.SPECTATOR)


def seating_problem(seats: tuple[Seat, ...], sides: tuple[SideId, ...]) -> str:
    """Why these seats can't hold a battle of these sides, or nothing: each side has one seat, each seat one name."""
    names = [seat.name for seat in seats]
    if len(set(names)) != len(names):
        return "two seats have one name"
    if any(not name or len(name) > 64 or ":" in name for name in names):
        return "a seat has a name of 1 to 64 characters without a colon"
    if any((seat.kind is Kind.SPECTATOR) != seat.is_spectator for seat in seats):
        return "a spectator has no side, and every other seat has one"
    if sorted(seat.side for seat in seats if seat.side is not None) != sorted(sides):
        return f"each side has one seat: {', '.join(sides)}"
    return ""


LONGEST_NAME = 32


def plain_text(text: str, longest: int) -> str:
    """What somebody wrote, on one line and without anything that is not seen: such signs turn other people's text
    around or break it."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:longest].rstrip()


def player_name(text: str) -> str:
    """What a player calls himself, as others are shown it."""
    return plain_text(text, LONGEST_NAME)


def new_token() -> str:
    """A token nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token: a token has 256 bits of chance, so a plain hash can't be searched backwards."""
    return sha256(token.encode()).hexdigest()
