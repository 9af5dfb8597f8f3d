"""Air power: missions called in one turn and flown at the start of the next, anti-aircraft fire, interdiction."""
