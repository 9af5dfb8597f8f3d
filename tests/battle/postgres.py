"""A PostgreSQL server of our own for the length of a test run: a private cluster on a socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, or None when there is no PostgreSQL server on this machine."""
    # a link may stand in a folder that the server's own user can't enter
    candidates = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (folder for folder in candidates if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None
    )


def _servant() -> dict[str, Any]:
    """The server refuses to run as root: then somebody else runs it."""
    if os.getuid() != 0:
        return {}
    names = {user.pw_name: user for user in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Cluster:
    """A running server; every call of `database` makes a new, empty schema, which a store takes for its database."""

    def __init__(self, folder: Path) -> None:
        self._url = f"postgresql+psycopg://sandtable@/postgres?host={folder}"
        self._made = 0

    def database(self) -> str:
        self._made += 1
        engine = create_engine(self._url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA battles{self._made}"))
        engine.dispose()
        return f"{self._url}&options=-csearch_path%3Dbattles{self._made}"


@contextmanager
def cluster(bin: Path) -> Iterator[Cluster]:
    """The server runs inside, with the durability settings it has out of the box."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    servant = _servant()
    if servant:
        os.chown(folder, servant["user"], servant["group"])
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [bin / program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            **servant,
        )

    try:
        run("initdb", "-D", str(data), "-U", "sandtable", "-A", "trust", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
        run("pg_ctl", "-D", str(data), "-l", str(folder / "log"), "-w", "-o", settings, "start")
        try:
            yield Cluster(folder)
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
