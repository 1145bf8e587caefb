"""Readings of the Knowledge Module's questions."""
