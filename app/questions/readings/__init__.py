"""Readings of questions: the sensible ways to understand one, and which of them change its answer."""

from app.questions.readings.registering import (
    KINDS,
    REFERENCE_POINT,
    SAME_SHARE,
    TAGS_OF_READINGS,
    Coordinates,
    Reading,
    is_same_number,
    read_question,
    readings,
    texts_of_coordinates,
)

__all__ = [
    "KINDS",
    "REFERENCE_POINT",
    "SAME_SHARE",
    "TAGS_OF_READINGS",
    "Coordinates",
    "Reading",
    "is_same_number",
    "read_question",
    "readings",
    "texts_of_coordinates",
]
