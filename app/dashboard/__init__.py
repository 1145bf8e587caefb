"""Pages: server-rendered, without scripts, every number from the same function as REST and the terminal."""
