"""The web floor: a client per seat, over real sockets on loopback."""
