"""What the toy's content files may say."""

from __future__ import annotations

import msgspec

from sandtable.content import Nothing, Vocabulary


class PostDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add."""

    hidden: bool = False


VOCABULARY = Vocabulary(
    "toy", Nothing, PostDetails, terrains=frozenset({"clear", "woods"}), unit_types=frozenset({"post"})
)
