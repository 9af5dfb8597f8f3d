"""The toy of the kernel's tests as a room that a server can open: its board, its words and its menu."""
