"""The scorers, one a file; importing this package registers them all."""

from app.scores.scorers import angle, area, count, distance, fact, length, location, name, option

__all__ = ["angle", "area", "count", "distance", "fact", "length", "location", "name", "option"]
