"""One package for each benchmark: everything that only this benchmark knows. Found by name; nothing imports it."""
