"""Who may do what: the matrix of roles and commands, and the checks that keep other people's pages out."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from enum import Enum
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from sandtable.battle.seats import Seat
from sandtable.server import messages as m
from sandtable.server.settings import SECRET, Settings, is_loopback


class Role(Enum):
    """What somebody is to a battle; nobody is a stranger to the lobby's public pages."""

    STRANGER = "stranger"
    SPECTATOR = "spectator"
    COMMANDER = "commander"
    OPERATOR = "operator"


EVERYBODY = frozenset(Role)
AT_THE_TABLE = frozenset({Role.SPECTATOR, Role.COMMANDER})
COMMANDERS = frozenset({Role.COMMANDER})
OPERATORS = frozenset({Role.OPERATOR})

# Deny by default: what is not in these tables is nobody's to do.
REQUESTS: Mapping[str, frozenset[Role]] = {
    "house": EVERYBODY,
    "systems": EVERYBODY,
    "scenarios": EVERYBODY,
    "boards": EVERYBODY,
    "rules": EVERYBODY,
    "counters": EVERYBODY,
    "list": EVERYBODY,
    "briefings": OPERATORS,
    "create": OPERATORS,
    "import": OPERATORS,
    "delete": OPERATORS,
    "keys": OPERATORS,
    "record": AT_THE_TABLE,
    "salvage": OPERATORS,
    "tutorial": COMMANDERS,
    "scenario": AT_THE_TABLE | OPERATORS,
    "branch": COMMANDERS | OPERATORS,
    "watch": COMMANDERS | OPERATORS,
    "invite": OPERATORS,
    "save": OPERATORS,
    "join": COMMANDERS,
}

WORDS: Mapping[type, frozenset[Role]] = {
    m.Hello: AT_THE_TABLE,
    m.TakeSeat: AT_THE_TABLE,
    m.Ping: AT_THE_TABLE,
    m.AskReplay: AT_THE_TABLE,
    m.AskLog: AT_THE_TABLE,
    m.AskChat: AT_THE_TABLE,
    m.Say: COMMANDERS,
    m.Submit: COMMANDERS,
    m.Undo: COMMANDERS,
    m.AskMenu: COMMANDERS,
    m.AskPreview: COMMANDERS,
    m.AskSight: COMMANDERS,
    m.AskSeen: COMMANDERS,
    m.AskHex: COMMANDERS,
    m.AskReady: COMMANDERS,
    m.AskCard: COMMANDERS,
    m.AskWhyNot: COMMANDERS,
    m.AskTree: COMMANDERS,
    m.AskQueries: COMMANDERS,
    m.AskQuery: COMMANDERS,
    m.AskReports: COMMANDERS,
    m.AskReport: COMMANDERS,
    m.CancelThinking: COMMANDERS,
}

LOCAL_ONLY = frozenset({"keys"})
"""What is never done for anybody on a public server."""


FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"})
"""Headers that only a proxy sends."""

LONGEST_WAY = 16
"""Hops of a request that are looked at."""


class Caller(NamedTuple):
    """Who asks: the roles he has at a battle, and the seats there that his token opens."""

    roles: frozenset[Role]
    seats: tuple[Seat, ...] = ()


def role_of(seat: Seat) -> Role:
    """The role of whoever sits there."""
    return Role.SPECTATOR if seat.is_spectator else Role.COMMANDER


def is_operator(settings: Settings, bearer: str) -> bool:
    """Whether the caller runs this server: who has its secret, and everybody on a local one, which has none."""
    if settings.secret:
        return hmac.compare_digest(bearer.encode(), settings.secret.encode())
    return settings.is_local


def caller(settings: Settings, bearer: str, seats: tuple[Seat, ...]) -> Caller:
    """Who asks, by what he carries and the seats that it opens at the battle in question."""
    roles = {role_of(seat) for seat in seats}
    if is_operator(settings, bearer):
        roles.add(Role.OPERATOR)
    return Caller(frozenset(roles) or frozenset({Role.STRANGER}), seats)


def may_request(settings: Settings, who: Caller, command: str) -> bool:
    """Whether the matrix lets him."""
    if command in LOCAL_ONLY and not settings.is_local:
        return False
    return bool(who.roles & REQUESTS.get(command, frozenset()))


def may_say(seat: Seat, word: type) -> bool:
    """Whether whoever sits there may say that over his socket."""
    return role_of(seat) in WORDS.get(word, frozenset())


def derived_token(key: bytes, battle: str, names: tuple[str, ...]) -> str:
    """The token of seats on a local server: the same whenever it is asked for, so that it can be handed out again."""
    text = "\0".join(("seat token", battle, *names)).encode()
    return urlsafe_b64encode(hmac.digest(key, text, "sha256")).decode().rstrip("=")


# other people's pages


def host_problem(settings: Settings, host: str) -> str:
    """Why a request under that host name is not answered, or nothing.

    A page whose name was made to point at this machine could otherwise ask a local server for everything.
    """
    name = _name(host)
    if settings.origins:
        known = {_name(urlsplit(origin).netloc) for origin in settings.origins}
        if name in known or (is_loopback(settings.host) and _is_here(name)):
            return ""
        return "this server does not go by that name"
    if settings.is_local and not _is_here(name):
        return "this server answers only to its own machine"
    return ""


def origin_problem(settings: Settings, host: str, origin: str | None, site: str | None) -> str:
    """Why a page of that origin may not change anything here, or nothing; programs that are no browsers name none."""
    if site is not None and site not in ("same-origin", "none"):
        return "another site's page may not do that"
    if origin is None:
        return ""
    if origin.rstrip("/") in settings.origins:
        return ""
    parts = urlsplit(origin)
    is_ours = parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and not parts.path
    # behind a proxy with a name of its own, that name is the only one
    if is_ours and (not settings.origins or _is_here(_name(host))):
        return ""
    return "another site's page may not do that"


# where a request comes from


def forwarding_problem(settings: Settings, names: Iterable[str]) -> str:
    """Why a request with headers of these names is not answered, or nothing: on a local server nobody speaks for
    somebody else.
    """
    if settings.is_local and not FORWARDED.isdisjoint(names):
        return f"this server is for its own machine alone; to put it behind a proxy, set {SECRET}"
    return ""


def caller_address(settings: Settings, peer: str, forwarded: str) -> str:
    """Whose request it is: the nearest of those named on its way that is no proxy of ours. Nobody else is believed."""
    way = [peer, *(hop.strip() for hop in reversed(forwarded.split(",")) if hop.strip())]
    nearest = peer
    for hop in way[:LONGEST_WAY]:
        if not _is_address(hop):
            break
        nearest = hop
        if not is_proxy(settings, hop):
            break
    return _household(nearest)


def is_proxy(settings: Settings, address: str) -> bool:
    """Whether an address is one of those whose word is taken."""
    return _is_address(address) and any(
        ip_address(address) in ip_network(proxy, strict=False) for proxy in settings.proxies
    )


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _household(address: str) -> str:
    """Who counts as one: an address; of the newer kind, which are handed out by the billion, its network of 64 bits."""
    if not _is_address(address):
        return address
    found = ip_address(address)
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


def _name(host: str) -> str:
    """The name in a host header, without its port."""
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[").lower()
    return host.partition(":")[0].lower()


def _is_here(name: str) -> bool:
    return is_loopback(name)
