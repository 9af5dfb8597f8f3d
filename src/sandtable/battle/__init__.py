"""The authority over battles: seats, the one exit to players, and a log in a database that outlives the process."""
