"""Servers that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.kit import SECRET, Server, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on one's own machine."""
    with running(tmp_path_factory.mktemp("local")) as server:
        yield server


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that strangers can reach."""
    with running(tmp_path_factory.mktemp("public"), host="0.0.0.0", secret=SECRET) as server:
        yield server
