"""Keys of GS-QA's files computed again, from the points in the files alone."""
