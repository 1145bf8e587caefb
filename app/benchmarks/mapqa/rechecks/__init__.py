"""Keys of MapQA's files computed again, from the coordinates in the files alone."""
