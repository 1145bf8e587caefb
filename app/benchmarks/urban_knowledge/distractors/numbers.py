"""Wrong options that are numbers, written as the key is: same unit, same decimals. Lengths in metres."""

from collections.abc import Mapping
from typing import Any

from app.benchmarks.urban_knowledge.derivations.numerals import kilometres_text, metres_text
from app.core import seeds
from app.core.seeds import Seed
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Strategy, strategy

TURNS = 1000
"""How often a number is drawn before there are too few."""


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


def distance_draws(
    key: Mapping[str, Any], margins: Mapping[str, float], count: int, seed: Seed, question_id: str
) -> list[Distractor] | None:
    """Uniform in [least, most], more than `clear` and at most `reach` from the key, `spread` from each other.

    As UrbanGeoEval's Table 2 has it, in whole tens of metres, as they are written; None where too few are found.
    The draw is named by the key's two places: by seed and id, which are public, anybody could draw these numbers
    again, and the one that is not among them would be the key of a hidden question.
    """
    least, most, clear, reach, spread = (
        round(margins[name] / 10) for name in ("least", "most", "clear", "reach", "spread")
    )
    measured = round(key["distance"] / 10)
    drawn: list[int] = []
    for turn in range(TURNS):
        number = least + seeds.below(most - least + 1, seed, "distance", question_id, key["objects"], turn)
        if clear < abs(number - measured) <= reach and all(abs(number - other) >= spread for other in drawn):
            drawn.append(number)
        if len(drawn) == count:
            return [{"text": kilometres_text(10.0 * n), "osm_key": None, "distance": 10.0 * n} for n in drawn]
    return None


@strategy("urban_knowledge", "length_multiples")
class LengthMultiples(Strategy):
    """The strategy `length_multiples`."""

    may_be_five = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Three shares of the key's length."""
        return length_multiples(question.gold["length"], self.sources.margins)


@strategy("urban_knowledge", "distance_draws")
class DistanceDraws(Strategy):
    """The strategy `distance_draws`."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Numbers around the key's."""
        margins, seed = self.sources.margins, self.sources.seed
        return distance_draws(question.gold, margins, count, seed, question.id) or TOO_FEW
