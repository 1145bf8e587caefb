"""Directions, numbers and lengths beside the key, of which each is the key as often as another."""

from collections import Counter

from app.benchmarks.mapeval_visual.derivations.places import DIRECTIONS
from app.benchmarks.mapeval_visual.lengths import length_text, metres_of
from app.benchmarks.mapeval_visual.pictures.counting import MOST
from app.benchmarks.mapeval_visual.pictures.looking import KINDS
from app.core import seeds
from app.drawing.symbols import symbol_of
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Strategy, strategy

BENCHMARK = "mapeval_visual"
STEPS = (1.4, 1.8)
"""The least and the most times that a length is as long as the one below it."""
SHORTEST = 10.0
"""Metres."""


@strategy(BENCHMARK, "other_directions")
class OtherDirections(Strategy):
    """The three other directions."""

    may_be_five = says_names = is_drawn = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other directions, whatever `count` is."""
        key = question.gold["text"]
        return [{"text": one, "osm_key": None} for one in DIRECTIONS if one != key]


@strategy(BENCHMARK, "other_counts")
class OtherCounts(Strategy):
    """The numbers of other kinds of symbols in the same picture: the key was drawn among all of them."""

    may_be_five = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many of them."""
        kinds = Counter(symbol_of(row["classes"]).name for row in question.rows)
        numbers = {number for kind, number in kinds.items() if kind in KINDS and number <= MOST}
        others = sorted(numbers - {int(question.gold["text"])})
        if len(others) < count:
            return TOO_FEW
        drawn = seeds.shuffled(others, self.sources.seed, "numbers", question.id)[:count]
        return [{"text": str(one), "osm_key": None} for one in drawn]


@strategy(BENCHMARK, "other_lengths")
class OtherLengths(Strategy):
    """Lengths around the key's, whose rank among them is drawn."""

    may_be_five = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """A ladder of lengths; the key is one of its rungs."""
        seed, key = self.sources.seed, metres_of(question.gold["text"]) or 0.0
        rank = seeds.below(count + 1, seed, "rank", question.id)
        least, most = STEPS
        ladder = [1.0]
        for step in range(count):
            share = seeds.unit(seed, "step", question.id, step)
            ladder.append(ladder[-1] * (least + share * (most - least)))
        wrong = [key * one / ladder[rank] for place, one in enumerate(ladder) if place != rank]
        if min(wrong) < SHORTEST:
            return TOO_FEW
        return [{"text": length_text(one), "osm_key": None} for one in wrong]
