"""Gold of the Reasoning Module, from what contexts will print."""
