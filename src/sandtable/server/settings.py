"""How a server is set: where it listens, where it keeps its battles, and whether strangers can reach it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

PORT = 8470
SHORTEST_SECRET = 16

SECRET = "SANDTABLE_SECRET"
ORIGINS = "SANDTABLE_ORIGINS"
PROXIES = "SANDTABLE_PROXIES"
DATABASE = "SANDTABLE_DATABASE"


class SettingsError(Exception):
    """The server can't be started like this; the message is one sentence."""


class Settings(msgspec.Struct, frozen=True):
    """One server's settings; `origins` are the addresses that its pages are served under, when a proxy changes them;
    `proxies` are the addresses or networks of those whose word is taken for where a request comes from.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = PORT
    secret: str = ""
    origins: tuple[str, ...] = ()
    database: str = ""
    proxies: tuple[str, ...] = ()

    @property
    def store(self) -> str:
        """Where the battles are: the URL of a database, or a SQLite file among the server's data."""
        return self.database or str(self.data / "battles.sqlite")

    @property
    def is_local(self) -> bool:
        """Whether nobody but the user of this machine asks anything here. An address that only this machine reaches
        does not say so by itself: behind a proxy on the same machine all the world comes from there.
        """
        return is_loopback(self.host) and not self.secret and not self.is_fronted

    @property
    def is_fronted(self) -> bool:
        """Whether a proxy stands before the server."""
        return bool(self.proxies) or not all(is_loopback(urlsplit(origin).hostname or "") for origin in self.origins)


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
    settings = Settings(
        data=data or data_folder(environment, platform),
        host=host,
        port=port,
        secret=environment.get(SECRET, ""),
        origins=tuple(origin.rstrip("/") for origin in _listed(environment, ORIGINS)),
        database=environment.get(DATABASE, ""),
        proxies=_listed(environment, PROXIES),
    )
    for proxy in settings.proxies:
        if not _is_network(proxy):
            raise SettingsError(f"{PROXIES} holds {proxy[:64]!r}, which is no address and no network of addresses")
    if not settings.is_local and len(settings.secret) < SHORTEST_SECRET:
        where = f"a proxy lets others reach {host}" if is_loopback(host) else f"others can reach {host}"
        raise SettingsError(
            f"{where}, so {SECRET} must hold a secret of at least {SHORTEST_SECRET} characters: "
            "whoever has it may open and delete battles"
        )
    return settings


def _listed(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    """What a variable lists, one from the other by commas."""
    return tuple(word.strip() for word in environment.get(name, "").split(",") if word.strip())


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


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
