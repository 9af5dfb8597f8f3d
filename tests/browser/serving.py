"""A server of its own for the browser tests: started as a player starts it, stopped and started again at will."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NO_LIST = """
  const key = 'sandtable.settings';
  const chosen = '{"checklist": false, "passing": false}';
  if (location.protocol === 'http:' && !localStorage.getItem(key)) localStorage.setItem(key, chosen);
"""
"""Most tests end steps like a player who has switched the list of who could still act off and ends them himself."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Serving:
    """A server process on one port, with its battles in one folder."""

    def __init__(self, data: Path, program: str = "sandtable.cli", **environment: str) -> None:
        self.data = data
        self.program = program
        self.environment = environment
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """The server listens: it has said where it is."""
        command = [sys.executable, "-m", self.program, "serve", "--no-browser"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        around = {**os.environ, **self.environment}
        self._process = subprocess.Popen(command, cwd=ROOT, env=around, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert self.url in said, f"the server did not start: {said!r}"

    def stop(self) -> None:
        """The server is gone."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=20)
            self._process = None
