"""Wrong options that are numbers around the key's, whose rank among them is even. Metres."""

from app.benchmarks.mapeval.derivations.measuring import kilometres_text
from app.core import seeds
from app.questions.strategies import Distractor, QuestionToFill, Strategy, strategy

STEP, SPAN = 1.16, 1.6
"""Each number is at least so many times the one below it, and the greatest at most so many times the least."""


@strategy("mapeval", "near_distances")
class NearDistances(Strategy):
    """Distances of which each could be the key.

    MapEval draws wrong distances as 0.5 to 0.85 and 1.15 to 1.6 times the key, 5 % apart: the number that stands alone
    would be the key. Here the steps from number to number are drawn first, and which of the numbers is the key then.
    """

    may_be_five = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """A ladder of numbers around the key's, at a drawn rank."""
        seed, distance = self.sources.seed, question.gold["distance"]
        rank = seeds.below(count + 1, seed, "rank", question.id, distance)
        shares = [seeds.unit(seed, "step", question.id, distance, step) for step in range(count + 1)]
        room = SPAN / STEP**count
        ladder = [1.0]
        for share in shares[:count]:
            ladder.append(ladder[-1] * STEP * room ** (share / sum(shares)))
        wrong = [distance * one / ladder[rank] for place, one in enumerate(ladder) if place != rank]
        return [{"text": kilometres_text(one), "osm_key": None, "distance": one} for one in wrong]
