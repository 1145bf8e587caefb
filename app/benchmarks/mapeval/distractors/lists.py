"""Lists of names that differ from the key's by two places, so that each of them could be the key."""

from collections import Counter

from app.benchmarks.mapeval.derivations.opened import name_of
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.derivations.hours import read_week, time_of
from app.questions.labels.place_labels import listed
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Row, Strategy, strategy

FEWEST = 2
"""Options."""


@strategy("mapeval", "other_lists")
class OtherLists(Strategy):
    """Two places are drawn, open or closed; the lists have neither, one, the other or both of them.

    It is counted at how many of the times that are asked about each of these lists is right. One that never is right is
    no option, and questions are given up so that each list is equally often the key.
    """

    may_be_five = says_names = is_drawn = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other lists, one to three whatever `count` is; none is empty."""
        seed, right = self.sources.seed, {*question.gold["names"]}
        doubtful = seeds.shuffled(question.rows, seed, "doubtful", question.id)[:2]
        names = [name_of(row) for row in question.rows]
        kept = right - {name_of(row) for row in doubtful}
        if not kept:
            return TOO_FEW
        open_then = [
            frozenset(name_of(row) for row in question.rows if self._is_open(row, str(moment.value)))
            for moment in self.sources.choices["moment"]
        ]
        unsure = {name_of(row) for row in doubtful}
        counts = Counter(one for one in open_then if one - unsure == kept)
        share = seeds.unit(seed, "kept", question.id)
        if len(counts) < FEWEST or share * counts[frozenset(right)] >= min(counts.values()):
            return COMMON
        lists = sorted((one for one in counts if one != right), key=sorted)
        return [{"text": listed(name for name in names if name in one), "osm_key": None} for one in lists]

    @staticmethod
    def _is_open(row: Row, moment: str) -> bool:
        week = read_week(row["opening_hours"])
        return week is not None and week.is_open(time_of(moment))
