"""The application over HTTP: the lobby with its cards, the client's pages, and the gate before it all."""
