"""Keys of EVGeoQA's records computed again, from the coordinates in the records alone."""
