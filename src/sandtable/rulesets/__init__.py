"""One room per system; the rooms have no doors to each other."""
