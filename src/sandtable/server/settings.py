"""How a server is set: where it listens, where it keeps its battles, and whether strangers can reach it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path

import msgspec

PORT = 8470
SHORTEST_SECRET = 16

SECRET = "SANDTABLE_SECRET"
ORIGINS = "SANDTABLE_ORIGINS"
DATABASE = "SANDTABLE_DATABASE"


class SettingsError(Exception):
    """The server can't be started like this; the message is one sentence."""


class Settings(msgspec.Struct, frozen=True):
    """One server's settings; `origins` are the addresses that its pages are served under, when a proxy changes them."""

    data: Path
    host: str = "127.0.0.1"
    port: int = PORT
    secret: str = ""
    origins: tuple[str, ...] = ()
    database: str = ""

    @property
    def store(self) -> str:
        """Where the battles are: the URL of a database, or a SQLite file among the server's data."""
        return self.database or str(self.data / "battles.sqlite")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server: its user then is everybody."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether nothing but this machine can reach that address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def settings_from(host: str, port: int, data: Path | None, environment: Mapping[str, str], platform: str) -> Settings:
    """The settings for a command line and an environment; SettingsError when the server would be open to strangers."""
    origins = tuple(origin.strip().rstrip("/") for origin in environment.get(ORIGINS, "").split(",") if origin.strip())
    secret = environment.get(SECRET, "")
    database = environment.get(DATABASE, "")
    settings = Settings(data or data_folder(environment, platform), host, port, secret, origins, database)
    if not settings.is_local and len(secret) < SHORTEST_SECRET:
        raise SettingsError(
            f"others can reach {host}, so {SECRET} must hold a secret of at least {SHORTEST_SECRET} characters: "
            "whoever has it may open and delete battles"
        )
    return settings


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Where this kind of system keeps the data of its user's programs."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "win32":
        base = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        chosen = Path(environment.get("XDG_DATA_HOME", ""))
        # a relative path there is to be ignored, says the standard
        base = chosen if chosen.is_absolute() else home / ".local" / "share"
    return base / "sandtable"


def house_key(folder: Path) -> bytes:
    """The secret that a local server's tokens are made of; it lies beside the battles and is made on first use."""
    path = folder / "house.key"
    try:
        # "x" and the mode in one step: nobody can read the file before it is closed to them
        with open(path, "xb", opener=_private) as file:
            file.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    key = path.read_bytes()
    if len(key) != 32:
        raise SettingsError(f"{path} is not a key any more; delete it and a new one is made")
    return key


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
