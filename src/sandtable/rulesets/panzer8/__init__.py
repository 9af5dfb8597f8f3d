"""PANZER8: elements, event cards, actions and reactions on hexes of an inch."""
