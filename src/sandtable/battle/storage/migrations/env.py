"""How Alembic reaches the database: over the connection the store hands it, inside the store's transaction."""

from alembic import context

from sandtable.battle.storage import schema

context.configure(connection=context.config.attributes["connection"], target_metadata=schema.metadata)
with context.begin_transaction():
    context.run_migrations()
