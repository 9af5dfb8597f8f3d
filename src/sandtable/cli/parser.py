"""The words of the command line; to read them nothing of the game is loaded: a command names the code that runs it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import NoReturn

from sandtable.cli.trouble import CommandError

PROGRAM = "sandtable"


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{_in_our_words(message)} (`{self.prog} --help` tells more)")


def _in_our_words(message: str) -> str:
    """A complaint of argparse as a player would put it."""
    for pattern, words in COMPLAINTS:
        found = re.fullmatch(pattern, message)
        if found is not None:
            parts = found.groupdict()
            # some versions of Python put the choices in quotation marks
            return words.format(**{**parts, "known": parts.get("known", "").replace("'", "")})
    return f"{message[:1].lower()}{message[1:]}"


_CHOICE = r"invalid choice: (?P<word>'.*') \(choose from (?P<known>.+)\)"

COMPLAINTS = (
    (r"the following arguments are required: (?P<word>.+)", "something is missing: {word}"),
    (rf"argument COMMAND: {_CHOICE}", "there is no command {word}; there is {known}"),
    (rf"argument (?P<name>\S+): {_CHOICE}", "{name} can't be {word}; it is one of {known}"),
    (r"argument (?P<name>[^:]+): expected one argument", "something is missing after {name}"),
    (r"argument (?P<name>[^:]+): (?P<rest>.+)", "{name}: {rest}"),
    (r"unrecognized arguments: (?P<word>.+)", "this is not understood here: {word}"),
)
"""How argparse complains, and how we do."""


def parser() -> Parser:
    """The whole command line."""
    root = Parser(prog=PROGRAM, description="Tactical wargame systems of the Second World War on one engine.")
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, run, title, add in COMMANDS:
        command = commands.add_parser(name, help=title, description=title)
        add(command)
        # `record` sets a runner for each of its own commands
        if run:
            command.set_defaults(run=run)
    return root


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="answer in JSON, for programs")


def _systems(command: argparse.ArgumentParser) -> None:
    _json(command)


def _scenarios(command: argparse.ArgumentParser) -> None:
    command.add_argument("system", metavar="SYSTEM", nargs="?", help="only those of this system, such as PL")
    _json(command)


def _rules(command: argparse.ArgumentParser) -> None:
    command.add_argument("system", metavar="SYSTEM", help="the system, such as PL or panzer_leader")
    command.add_argument("id", metavar="ID", nargs="?", help="one rule, with the places that implement and test it")
    _json(command)


def _battle(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_text, help="what the dice fall by; the same seed gives the same battle")
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule option; may be given several times"
    )
    command.add_argument("--budget", type=_count, help="how many orders a computer player may weigh at each decision")


def _console(command: argparse.ArgumentParser) -> None:
    command.add_argument("scenario", metavar="SCENARIO", nargs="?", help="the id of a scenario, or its file")
    command.add_argument(
        "--sides", metavar="A,B", help="who plays each side: human or a computer player (default: human,greedy)"
    )
    command.add_argument("--hot-seat", action="store_true", help="people play all sides, taking turns at the keyboard")
    _battle(command)
    command.add_argument("--record", metavar="FILE", help="keep the battle in this file while it is played")
    command.add_argument("--resume", metavar="FILE", help="go on with the battle recorded in this file")
    command.add_argument("--plain", action="store_true", help="words only, for screen readers: no colors, no drawing")


def _serve(command: argparse.ArgumentParser) -> None:
    command.add_argument("--port", type=_port, default=8470, metavar="N", help="the port to listen on (default: 8470)")
    command.add_argument("--no-browser", action="store_true", help="open no browser")
    command.add_argument("--data", metavar="FOLDER", help="where battles are kept (default: your data folder)")
    command.add_argument(
        "--store", metavar="URL", help="keep battles in this PostgreSQL database or SQLite file instead"
    )
    command.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="the address to listen on (default: this machine alone)"
    )


def _odds(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="a situation file")
    _json(command)


def _simulate(command: argparse.ArgumentParser) -> None:
    command.add_argument("scenario", metavar="SCENARIO", help="the id of a scenario, or its file")
    command.add_argument("--sides", metavar="A,B", required=True, help="the computer player of each side")
    command.add_argument("--games", type=_count, default=10, metavar="N", help="how many games (default: 10)")
    _battle(command)
    command.add_argument("--workers", type=_count, metavar="W", help="how many processes (default: one per processor)")
    command.add_argument(
        "--most-orders", type=_count, metavar="N", help="break a game off after so many orders (default: 20000)"
    )
    command.add_argument("--out", metavar="FILE.csv", help="write the results of the games to this file")
    _json(command)


def _calibrate(command: argparse.ArgumentParser) -> None:
    command.add_argument("--runs", type=_count, default=300, metavar="N", help="how often each (default: 300)")
    command.add_argument("--only", default="", metavar="PREFIX", help="only engagements whose ids begin so, such as T1")
    command.add_argument("--seed", type=_text, default="1", help="what the dice fall by (default: 1)")
    _json(command)


def _record(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, title in (
        ("show", "what a record holds, in a few lines"),
        ("verify", "play a record again under the rules and compare every byte"),
        ("export", "the whole record as JSON lines or as a log to read"),
    ):
        action = actions.add_parser(name, help=title, description=title)
        action.set_defaults(run=f"sandtable.cli.records:{name}")
        action.add_argument("file", metavar="FILE", help="a record of a battle")
        action.add_argument("--scenario", metavar="FILE", help="the scenario's file, when it is not a shipped one")
        if name == "export":
            action.add_argument("--format", choices=("jsonl", "text"), default="jsonl", help="(default: jsonl)")
            action.add_argument("--side", help="only what this side could know")
            action.add_argument("--out", metavar="FILE", help="write to this file")
        else:
            _json(action)


def _validate(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", metavar="FILE", nargs="+", help="board and scenario files")
    command.add_argument("--system", help="the system whose words a board is held to (default: any)")
    command.add_argument("--boards", metavar="FOLDER", help="where scenarios find boards (default: the shipped ones)")
    _json(command)


def _compile(command: argparse.ArgumentParser) -> None:
    command.add_argument("--unless-failed", action="store_true", help="leave it where it could not be done before")


def _version(command: argparse.ArgumentParser) -> None:
    _json(command)


def _text(text: str) -> str:
    """Words that can be written down: a terminal may hand over bytes that are no letters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("that is not UTF-8 text") from None
    return text


def _count(text: str) -> int:
    """A whole number of at least 1."""
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 9 and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 up")
    return int(text)


def _port(text: str) -> int:
    """A port, 0 for any that is free."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a port from 0 to 65535")
    return int(text)


COMMANDS: tuple[tuple[str, str, str, Callable[[argparse.ArgumentParser], None]], ...] = (
    ("systems", "sandtable.cli.listing:systems", "the game systems", _systems),
    ("scenarios", "sandtable.cli.listing:scenarios", "the scenarios that come with Sandtable", _scenarios),
    ("rules", "sandtable.cli.rulebook:rules", "the rules of a system", _rules),
    ("serve", "sandtable.cli.serving:serve", "play in the browser", _serve),
    ("console", "sandtable.cli.console:console", "play in this terminal", _console),
    ("odds", "sandtable.cli.odds:odds", "the exact odds of an order in a situation", _odds),
    ("simulate", "sandtable.cli.simulation:simulate", "play many games between computer players", _simulate),
    (
        "calibrate",
        "sandtable.cli.calibration:calibrate",
        "play standard engagements and hold the results against their bands",
        _calibrate,
    ),
    ("record", "", "look into records of battles", _record),
    ("validate", "sandtable.cli.validation:validate", "check board and scenario files", _validate),
    ("compile", "sandtable.cli.compiling:compile_rules", "compile the rules, so that games go quicker", _compile),
    ("version", "sandtable.cli.about:version", "which version this is", _version),
)
