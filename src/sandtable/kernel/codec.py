"""Canonical bytes: the same value gives the same JSON on every machine, and hostile bytes give one plain error."""

from __future__ import annotations

from hashlib import blake2b
from itertools import accumulate
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

MOST_BYTES = 64 * 1024 * 1024
MOST_DEPTH = 64


class CodecError(Exception):
    """Bytes that are not what they should be, said in one sentence."""


class Fixed:
    """Something that is part of a battle's ground and not of its changing state; it is written as its digest alone."""

    digest: str


class Unwritten:
    """Something that can be worked out again from what it belongs to: never written, and alike whatever it holds."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unwritten)

    def __hash__(self) -> int:
        return 0


def _encode_special(value: object) -> object:
    if isinstance(value, Fixed):
        return value.digest
    if isinstance(value, Unwritten):
        return None
    if isinstance(value, msgspec.Raw):
        return msgspec.json.decode(value)
    raise NotImplementedError(f"{type(value).__name__} has no canonical form")


_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=_encode_special)


def encode(value: object) -> bytes:
    """The canonical JSON of a value: keys in order, numbers among them written as text."""
    try:
        return _ENCODER.encode(value)
    except TypeError:
        # msgspec sorts only text keys; a mapping by hex or unit number has to be turned into one first
        return _ENCODER.encode(msgspec.to_builtins(value, str_keys=True, order="sorted", enc_hook=_encode_special))


def digest(value: object) -> str:
    """The BLAKE2b digest of a value's canonical JSON, 32 hex digits."""
    return blake2b(encode(value), digest_size=16).hexdigest()


def decode(data: bytes, kind: Any, fixed: Fixed | None = None) -> Any:
    """The value, or a CodecError that says where the bytes go wrong; `fixed` is what its digest stands for."""
    guard(data)

    def restore(wanted: type, found: object) -> object:
        if fixed is not None and isinstance(fixed, wanted):
            if found != fixed.digest:
                raise ValueError("this belongs to another scenario, or to another version of its files")
            return fixed
        if issubclass(wanted, Unwritten):
            return wanted()
        raise NotImplementedError(f"{wanted.__name__} can't be read from JSON")

    try:
        return msgspec.json.decode(data, type=kind, dec_hook=restore)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise CodecError(str(error)) from None


def guard(data: bytes, most: int = MOST_BYTES) -> None:
    """The bytes are neither too many nor too deeply nested to be worth decoding."""
    if len(data) > most:
        raise CodecError(f"the file has {len(data):,} bytes, more than the {most:,} allowed")
    if data.count(b"[") + data.count(b"{") > MOST_DEPTH and _is_too_deep(data):
        raise CodecError(f"the file is nested more than {MOST_DEPTH} levels deep")


# A hostile file must not cost more than an honest one, so no Python loop looks at single bytes: escapes go first (pairs
# of backslashes before escaped quotes), then all but quotes and brackets; an opening bracket is +1, a closing one -1.
# Taking out two quotes that have become neighbors changes nothing: what is inside a string stays inside.
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_REST = bytes(set(range(256)) - set(b'"[{]}'))
_CHUNK = 1 << 16


def _is_too_deep(data: bytes) -> bool:
    """Whether the brackets outside strings nest more deeply than allowed."""
    marks = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(_STEPS, _REST).replace(b'""', b"")
    depth = inside = 0
    for start in range(0, len(marks), _CHUNK):
        pieces = marks[start : start + _CHUNK].split(b'"')
        steps = memoryview(b"".join(pieces[inside::2])).cast("b")
        depths = list(accumulate(steps, initial=depth))
        if max(depths) > MOST_DEPTH:
            return True
        depth = depths[-1]
        inside ^= (len(pieces) - 1) & 1
    return False
