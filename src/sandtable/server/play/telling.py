"""Messages as bytes, and the answers of worker processes as values."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import Forecast


def encode(message: Any) -> bytes:
    """A message as it is sent: the fields in their order, so that equal messages are equal bytes."""
    return _ENCODER.encode(message)


_ENCODER = msgspec.json.Encoder()


def forecast_from(data: bytes) -> Forecast | Refusal:
    """The answer of a process that worked out the odds: a forecast has branches, a refusal has none."""
    if b'"branches":' in data[:16]:
        return msgspec.json.decode(data, type=Forecast)
    return msgspec.json.decode(data, type=Refusal)
