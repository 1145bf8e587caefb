"""Tools that an agent calls on a published snapshot: search, details, nearby, distances, opening hours.

Each tool is a function of a snapshot and of arguments alone, so that the same call has the same answer for ever.
registry.py holds them; calling.py calls one; schemas.py describes them to a model.
"""
