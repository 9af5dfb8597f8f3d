"""Panzer Battles, the fifth room: platoons and companies on hexes of 250 meters, half an hour a turn, under fog."""
