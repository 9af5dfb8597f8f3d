"""A scenario with the rules it is played under, found by id or by path, and the options chosen for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.battle.library import PlayableScenario, files_digest
from sandtable.content import (
    ContentError,
    Option,
    OptionValue,
    Problem,
    load_scenario,
    read_header,
    scenario_path,
    shipped_folder,
)
from sandtable.content.scenarios import Boards
from sandtable.kernel.events import Order
from sandtable.kernel.ruleset import AnyRuleset, Selection
from sandtable.kernel.state import View


class LabError(Exception):
    """What was asked for can't be done; the message is one sentence that says why."""


def named(noun: str, name: str, known: Iterable[str]) -> LabError:
    """The error about a name that nothing bears, with the name probably meant."""
    names = sorted(known)
    near = get_close_matches(name[:40], names, n=1)
    advice = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(names) or 'none'}"
    return LabError(f"there is no {noun} {name[:40]!r}; {advice}")


def system_key(name: str) -> str:
    """The key of the system that is called so: by its key, its title or the prefix of its rules."""
    wanted = name.casefold().rstrip("-")
    for system in registry.SYSTEMS.values():
        if wanted in (system.key.casefold(), system.title.casefold(), system.prefix.casefold().rstrip("-")):
            return system.key
    raise named("system", name, registry.SYSTEMS)


def is_path(name: str) -> bool:
    """Whether a scenario is named by its file and not by its id."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def open_table(name: str, boards: Boards | None = None) -> PlayableScenario:
    """The scenario with that id among the shipped ones, or in that file; ContentError when it can't be played."""
    source = Path(name) if is_path(name) else scenario_path(name)
    header = read_header(source)
    # the words of the system are needed to judge a file; a file that does not name its system is judged without
    if header.problems and header.system not in registry.SYSTEMS:
        raise ContentError(header.problems)
    if header.system not in registry.SYSTEMS:
        error = named("system", header.system, registry.SYSTEMS)
        raise ContentError([Problem(header.file, "'system'", str(error))])
    return read_table(source, header.system, boards)


def read_table(source: Any, system: str, boards: Boards | None = None) -> PlayableScenario:
    """The scenario a source holds, under the rules of a system."""
    boards = shipped_folder("boards") if boards is None else boards
    scenario = load_scenario(source, registry.vocabulary(system), boards)
    return PlayableScenario(registry.ruleset(system), scenario, files_digest(scenario), scenario.title)


def checked_options(table: PlayableScenario, options: Mapping[str, Any]) -> dict[str, OptionValue]:
    """The options as they are, each known to the system and with a value of its own; LabError otherwise."""
    known = _known_options(table)
    for name, value in options.items():
        if name not in known:
            raise _no_option(table, name, known)
        if not known[name].allows(value):
            raise LabError(f"the option {name} can't be {str(value)[:40]!r}; it is one of {_values(known[name])}")
    return dict(options)


def options_from(table: PlayableScenario, texts: Iterable[str]) -> dict[str, OptionValue]:
    """Options written as name=value, each with a value the system knows."""
    known = _known_options(table)
    chosen: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, word = text.partition("=")
        if not equals:
            raise LabError(f"an option is written name=value, not {text[:40]!r}")
        if name not in known:
            raise _no_option(table, name, known)
        values = {_word(value): value for value in known[name].values}
        word = {"on": "true", "yes": "true", "off": "false", "no": "false"}.get(word.lower(), word)
        if word not in values:
            raise LabError(f"the option {name} can't be {word[:40]!r}; it is one of {_values(known[name])}")
        chosen[name] = values[word]
    return chosen


def _no_option(table: PlayableScenario, name: str, known: Mapping[str, Option]) -> LabError:
    """What is said to an option that a system does not have, be it known for it or not."""
    absent = registry.vocabulary(table.system).absent
    return LabError(absent[name]) if name in absent else named("option", name, known)


def _known_options(table: PlayableScenario) -> dict[str, Option]:
    return {option.name: option for option in registry.vocabulary(table.system).options}


def _word(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(option: Option) -> str:
    return ", ".join(map(_word, option.values))


def ending(ruleset: AnyRuleset, view: View[Any]) -> Order | None:
    """The order that does nothing more in the open decision, or None while the rules ask for something first."""
    verbs = ruleset.menu(view, Selection())
    return next((verb.targets[0].order for verb in verbs if verb.closes and verb.targets), None)
