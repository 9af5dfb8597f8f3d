"""The toy of the kernel's tests as a session that a server can open: its board, its words and its menu."""
