"""`sandtable serve`: the game in a browser."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path

from sandtable.battle.storage.folders import FolderTaken
from sandtable.battle.storage.rows import StoreError
from sandtable.cli.trouble import CommandError
from sandtable.server.http.serving import serve as run
from sandtable.server.settings import DATABASE, SettingsError, settings_from


def serve(asked: argparse.Namespace) -> int:
    """The server has run until Ctrl-C."""
    data = Path(asked.data).expanduser() if asked.data else None
    if data is not None and data.exists() and not data.is_dir():
        raise CommandError(f"{data}: battles are kept in a folder, and this is a file")
    try:
        named = {**os.environ, DATABASE: asked.store} if asked.store else os.environ
        settings = settings_from(asked.host, asked.port, data, named, sys.platform)
        return run(settings, _tell, None if asked.no_browser else webbrowser.open)
    except (SettingsError, StoreError, FolderTaken) as error:
        raise CommandError(str(error)) from None


def _tell(text: str) -> None:
    print(text, flush=True)
