"""How a fault of ours is written down: where it happened for the operator, its text, which may hold secrets, only for
debugging.
"""

from __future__ import annotations

import logging
import traceback


def write_down(log: logging.Logger, what: str, error: BaseException) -> None:
    """The log says what failed, the kind of error and the place; in full only at debug level."""
    places = traceback.extract_tb(error.__traceback__)
    place = f"{places[-1].filename}:{places[-1].lineno}" if places else "another process"
    log.error("%s: %s in %s", what, type(error).__name__, place)
    log.debug("in full", exc_info=error)
