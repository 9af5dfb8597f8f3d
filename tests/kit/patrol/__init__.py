"""Night Patrol: the smallest whole system there is, and the example of docs/howto/add-a-system.md."""
