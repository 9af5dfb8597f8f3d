"""Verbs that several rooms have in the same words: their key, title and hot key, and why there is no target."""

from __future__ import annotations

from typing import TypedDict


class Words(TypedDict):
    """What a row's `Action` says of itself wherever it is the same verb."""

    key: str
    title: str
    hotkey: str
    nothing: str


MOVE: Words = {"key": "move", "title": "Move", "hotkey": "m", "nothing": "there is no hex it can move to"}
OVERRUN: Words = {"key": "overrun", "title": "Overrun", "hotkey": "o", "nothing": "there is no stack it can overrun"}
ASSAULT: Words = {
    "key": "assault",
    "title": "Close assault",
    "hotkey": "a",
    "nothing": "there is no hex it can assault",
}
LOAD: Words = {"key": "load", "title": "Load", "hotkey": "l", "nothing": "there is nobody here it can take aboard"}
UNLOAD: Words = {"key": "unload", "title": "Unload", "hotkey": "d", "nothing": "it carries nobody it could set down"}
PLACE: Words = {
    "key": "place",
    "title": "Place",
    "hotkey": "p",
    "nothing": "there is no hex where it can be placed now",
}
PASS: Words = {"key": "pass", "title": "Let it go by", "hotkey": " ", "nothing": "there is nothing to let go by"}
