"""Battles being played over sockets: sessions, the connections at them, and what each is told."""
