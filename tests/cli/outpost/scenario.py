"""The words of the toy's files."""

from __future__ import annotations

import msgspec

from sandtable.content import Nothing, Option, Vocabulary


class Details(msgspec.Struct, frozen=True):
    hidden: bool = False


VOCABULARY: Vocabulary[Nothing, Details] = Vocabulary(
    "toy",
    Nothing,
    Details,
    frozenset({"clear", "woods"}),
    frozenset({"post"}),
    features=frozenset({"well"}),
    hexsides=frozenset({"hedge"}),
    sides=frozenset({"red", "blue"}),
    options=(Option("turns", 6, (2, 6, 12)), Option("mood", "calm", ("calm", "wild"))),
)
