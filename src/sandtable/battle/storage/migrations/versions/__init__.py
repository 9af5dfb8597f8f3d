"""One file for each version of the tables; a file that was released never changes."""
