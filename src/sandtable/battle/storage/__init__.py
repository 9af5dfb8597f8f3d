"""Where battles are kept: tables, rows, the one writer and the store, on SQLite or PostgreSQL."""
