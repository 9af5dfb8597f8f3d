"""The web floor: REST for lobby and rules, one WebSocket per seat; only observations pass."""
