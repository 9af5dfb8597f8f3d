"""One seeded battle of every shipped scenario goes today as it went when somebody last looked at it."""

from __future__ import annotations

from tools import golden


def test_every_golden_playthrough_is_what_the_game_does_now() -> None:
    assert golden.stale() == [], "look at the difference, then run tools/golden.py --write"
