"""A running battle as a file that it can be taken up from again, sealed: what is hidden in the battle is hidden there.

Sealed with a passphrase, a save can be opened by whoever knows it, anywhere (Argon2id makes the key of it). Sealed by
the server, by that server alone. What is written openly is what anybody at the table knows; the seal vouches for it.
"""

from __future__ import annotations

import secrets
import zlib
from base64 import b64decode, b64encode
from typing import Final

import msgspec
from msgspec.structs import replace
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    sodium_pad,
    sodium_unpad,
)
from nacl.encoding import RawEncoder
from nacl.exceptions import CryptoError
from nacl.hash import blake2b
from nacl.pwhash import argon2id

from sandtable.battle.seats import Seat
from sandtable.kernel import codec

KIND: Final = "sandtable save"
FORMAT: Final = 1

PASSPHRASE, SERVER = "passphrase", "server"
"""What a save is sealed with."""

SHORTEST_PASSPHRASE = 8
LONGEST_PASSPHRASE = 1024

# fixed for this format, so that no file can ask for more work than that
OPERATIONS = 4
MEMORY = 64 * 1024 * 1024

BLOCK = 64 * 1024
"""What is sealed is filled up to a multiple of this: its length would tell how much was ordered unseen."""

LARGEST = 64 * 1024 * 1024


class SaveError(Exception):
    """The save can't be made or opened; the message is one sentence."""


class Saved(msgspec.Struct, frozen=True):
    """What a save holds under its seal: the record with its seed, who sat where, and the scenario's files."""

    record: msgspec.Raw
    seats: tuple[Seat, ...]
    title: str
    delay: int
    dice: str
    content: str


class SaveFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A save as it is written."""

    kind: str
    format: int
    title: str
    system: str
    scenario: str
    rules_version: str
    turn: int
    sealed_with: str
    salt: str
    nonce: str
    sealed: str = ""


def sealed(opened: SaveFile, saved: Saved, secret: bytes) -> bytes:
    """The save as a file; `secret` is the passphrase or the server's key."""
    nonce = secrets.token_bytes(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    salt = secrets.token_bytes(argon2id.SALTBYTES)
    opened = replace(opened, salt=_text(salt), nonce=_text(nonce), sealed="")
    plain = sodium_pad(zlib.compress(codec.encode(saved)), BLOCK)
    key = _key(opened.sealed_with, secret, salt)
    box = crypto_aead_xchacha20poly1305_ietf_encrypt(plain, codec.encode(opened), nonce, key)
    return codec.encode(replace(opened, sealed=_text(box)))


def is_save(data: bytes) -> bool:
    """Whether a file says that it is a save."""
    try:
        return msgspec.json.decode(data, type=_Kind).kind == KIND
    except msgspec.MsgspecError:
        return False


class _Kind(msgspec.Struct, frozen=True):
    kind: str = ""


def read(data: bytes) -> SaveFile:
    """The save in a file, still sealed; SaveError when it is none."""
    try:
        file = msgspec.json.decode(data, type=SaveFile)
    except msgspec.MsgspecError:
        raise SaveError("that is no save, or it was damaged on its way") from None
    if file.kind != KIND or file.sealed_with not in (PASSPHRASE, SERVER):
        raise SaveError("that is no save, or it was damaged on its way")
    if file.format != FORMAT:
        raise SaveError("the save was made by a newer version of the program")
    return file


def unsealed(file: SaveFile, secret: bytes) -> Saved:
    """What a save holds; SaveError when the secret does not open it."""
    try:
        salt, nonce, box = (b64decode(text, validate=True) for text in (file.salt, file.nonce, file.sealed))
        key = _key(file.sealed_with, secret, salt)
        plain = crypto_aead_xchacha20poly1305_ietf_decrypt(box, codec.encode(replace(file, sealed="")), nonce, key)
    except (ValueError, TypeError, CryptoError):
        if file.sealed_with == SERVER:
            raise SaveError(
                "this save can be opened only by the server that made it, or it was changed since"
            ) from None
        raise SaveError("that passphrase does not open this save, or the file was changed since") from None
    try:
        unpacking = zlib.decompressobj()
        found: Saved = codec.decode(unpacking.decompress(sodium_unpad(plain, BLOCK), LARGEST), Saved)
    except (ValueError, zlib.error, codec.CodecError):
        raise SaveError("the save was made by another version of the program and can't be read") from None
    return found


def passphrase_problem(text: str) -> str:
    """Why a passphrase is not good enough to seal with, or nothing."""
    if not SHORTEST_PASSPHRASE <= len(text) <= LONGEST_PASSPHRASE:
        return f"a passphrase has at least {SHORTEST_PASSPHRASE} characters"
    return ""


def _key(kind: str, secret: bytes, salt: bytes) -> bytes:
    if kind == PASSPHRASE:
        return argon2id.kdf(32, secret, salt, opslimit=OPERATIONS, memlimit=MEMORY)
    return blake2b(b"sandtable save" + salt, digest_size=32, key=secret, encoder=RawEncoder)


def _text(data: bytes) -> str:
    return b64encode(data).decode()
