"""Words that no game owns: lists, counted names, fractions, and the names that things go by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

FRACTIONS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def listed(parts: Iterable[str], none: str = "") -> str:
    """Several things in one phrase: "a", "a and b", "a, b and c"; `none` when there are none."""
    *first, last = tuple(parts) or (none,)
    return f"{', '.join(first)} and {last}" if first else last


PLURALS = {"is": "are", "has": "have", "goes": "go", "tries": "try"}
"""What several do, where that is more than a letter shorter."""

PRONOUNS = {": it is ": ": they are ", ": it has ": ": they have ", " without it": " without them"}
"""Of whom a reason speaks that is given for what they do."""


def does(names: Iterable[str], deed: str) -> str:
    """What one or several do, given as of one: "A leaves its tank", "A and B leave their tank"."""
    found = tuple(names)
    if len(found) == 1 and not is_plural(found[0]):
        return f"{found[0]} {deed}"
    verb, *rest = deed.split(" ")
    words = [PLURALS.get(verb, verb.removesuffix("s")), *("their" if word == "its" else word for word in rest)]
    said = " ".join(words)
    for one, several in PRONOUNS.items():
        said = said.replace(one, several)
    return f"{listed(found)} {said}"


def is_plural(name: str) -> bool:
    """Whether a name is that of several: "Assault pioneers", and not "Colonel Danilov's", "52nd Rifle Corps" or
    "Headquarters #2".
    """
    return name.endswith("s") and not name.endswith(("'s", "ss", "orps"))


def counted(names: Iterable[str], none: str = "") -> str:
    """Several things in one phrase, alike ones counted: "2 tanks and a truck" for a tank, a truck and a tank."""
    numbers: dict[str, int] = {}
    for name in names:
        numbers[name] = numbers.get(name, 0) + 1
    return listed((name if n == 1 else f"{n} {name}" for name, n in numbers.items()), none)


def by_place(found: Iterable[tuple[str, str]], link: str) -> str:
    """Names with their places, those of one place together: "2 tanks in 0101; a truck in 0202" with the link " in "."""
    names: dict[str, list[str]] = {}
    for name, place in found:
        names.setdefault(place, []).append(name)
    return "; ".join(f"{counted(there)}{link}{place}" for place, there in names.items())


LAST_SEEN = ", last seen in "
"""What links who is out of sight with where he was."""

_CITED = re.compile(r" \(([A-Z][A-Z0-9]*-[A-Z0-9.-]+)\)$")


def reason_and_rule(why: str) -> tuple[str, str]:
    """A reason, and apart from it the rule that is cited behind it, if one is."""
    cited = _CITED.search(why)
    return (why, "") if cited is None else (why[: cited.start()], cited[1])


def so_many(number: int, one: str, many: str) -> str:
    """A number of things: "1 hex", "3 hexes"."""
    return f"{number} {one if number == 1 else many}"


def all_of(number: int) -> str:
    """Everybody of so many: "both", "all 3"."""
    return "both" if number == 2 else f"all {number}"


def so_far(done: int, needed: int, word: str) -> str:
    """How much of what is needed is done: "2 of 4 held", "5 held, 4 are enough"."""
    return f"{done} of {needed} {word}" if done <= needed else f"{done} {word}, {needed} are enough"


def mixed(number: str | int | Fraction) -> str:
    """An exact fraction as players write it: "27/2" is 13½."""
    whole, rest = divmod(Fraction(number), 1)
    return f"{whole or '' if rest else whole}{FRACTIONS.get(rest, f' {rest}') if rest else ''}".strip()


def numbered(name: str, number: int) -> str:
    """One of several that share a name: "Sherman #3"."""
    return f"{name} #{number}"
