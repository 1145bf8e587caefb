"""Readings of GS-QA's questions."""
