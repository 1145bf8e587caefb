"""Loads records of EVGeoQA's authors: a question of a driver at a place, and up to five stations that answer it."""
