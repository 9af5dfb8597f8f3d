"""Stores to test with: a SQLite file, and a database of a PostgreSQL server when one is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sandtable.battle.storage.store import Store, open_store


@pytest.fixture(scope="session")
def postgresql() -> Iterator[object]:
    """A PostgreSQL server; the test is skipped when none is installed."""
    if os.name == "nt":
        pytest.skip("PostgreSQL: its test server is started on a Unix socket")
    from tests.battle import postgres

    folder = postgres.programs()
    if folder is None:
        pytest.skip("PostgreSQL is not installed: there is no initdb and pg_ctl")
    with postgres.cluster(folder) as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'battles.db'}"
    return str(request.getfixturevalue("postgresql").database())


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an empty SQLite file."""
    return f"sqlite:///{tmp_path / 'battles.db'}"


@pytest.fixture
def stores() -> Iterator[Opener]:
    """Opens stores and closes them after the test."""
    with ExitStack() as stack:
        yield Opener(stack)


class Opener:
    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def __call__(self, url: str) -> Store:
        store = open_store(url)
        self._stack.callback(store.close)
        return store


@pytest.fixture
def store(sqlite_url: str, stores: Opener) -> Store:
    """A store in a SQLite file."""
    return stores(sqlite_url)
