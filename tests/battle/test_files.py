"""The files of a store are their owner's, and its log tells nothing of what stands in them."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest
import sqlalchemy as sa

from sandtable.battle.storage.files import private_folder
from sandtable.battle.storage.rows import ReadOnly, Unavailable
from sandtable.battle.storage.store import Store, open_store
from tests.battle.kit import new_battle, play_by_lot

unix = pytest.mark.skipif(os.name == "nt", reason="Windows keeps no modes")


def others_may(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o077


@pytest.fixture(autouse=True)
def careless_mask() -> object:
    """What a user without a thought for others has set."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@unix
@pytest.mark.parametrize("is_old", [False, True], ids=["new", "open to all before"])
def test_only_the_owner_reads_a_database(tmp_path: Path, is_old: bool) -> None:
    path = tmp_path / "battles.sqlite"
    if is_old:
        open_store(str(path)).close()
        path.chmod(0o644)
    store = open_store(str(path))
    play_by_lot(new_battle(store), 3)
    files = sorted(tmp_path.glob("battles.sqlite*"))
    assert len(files) == 3
    assert [others_may(file) for file in files] == [0, 0, 0]
    store.close()


@unix
def test_only_the_owner_enters_the_folder(tmp_path: Path) -> None:
    new, old, shared = tmp_path / "deep" / "new", tmp_path / "old", tmp_path / "shared"
    for folder in (old, shared):
        folder.mkdir(mode=0o755)
    (old / "battles.sqlite").touch()
    (shared / "letters.txt").touch()
    for folder in (new, old, shared):
        private_folder(folder)
    assert (others_may(new), others_may(old)) == (0, 0)
    # what somebody keeps other things in is his to open or to close
    assert others_may(shared) == 0o055


def test_what_was_to_be_written_is_not_in_the_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    secret = "the tank stands in the wood"

    def fail(connection: sa.Connection) -> None:
        connection.execute(sa.text("INSERT INTO nowhere VALUES (:body)"), {"body": secret})

    with caplog.at_level(logging.INFO):
        assert isinstance(store.writer.put(fail).exception(), ReadOnly)
    assert "OperationalError" in caplog.text
    assert secret not in caplog.text


def test_what_was_asked_for_is_not_in_an_error(store: Store) -> None:
    with pytest.raises(Unavailable) as told:
        store._read(sa.text("SELECT * FROM nowhere WHERE token = :token").bindparams(token="a stranger's token"))
    assert told.value.__cause__ is not None
    assert "stranger" not in f"{told.value} {told.value.__cause__}"
