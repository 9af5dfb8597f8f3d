"""The history of the store's tables, run by Alembic when a database is opened."""
