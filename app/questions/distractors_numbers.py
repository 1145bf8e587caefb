"""Wrong options that are numbers, written as the key is: same unit, same decimals. Lengths in metres."""

from collections.abc import Mapping
from typing import Any

from app.questions.derivations.numerals import metres_text

Distractor = dict[str, Any]


def length_multiples(length: float, margins: Mapping[str, float]) -> list[Distractor]:
    """max(low_share · length, low_metres), middle_share · length, high_share · length (UrbanGeoEval, Table 2).

    Distinct from each other and from the key for lengths of 300 m and more, with shares of 0.1, 2 and 3 and 100 m.
    """
    wrong = (
        max(margins["low_share"] * length, margins["low_metres"]),
        margins["middle_share"] * length,
        margins["high_share"] * length,
    )
    return [{"text": metres_text(metres), "osm_key": None, "length": metres} for metres in wrong]
