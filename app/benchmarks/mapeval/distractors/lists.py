"""Lists of names that differ from the key's by two places, so that each of the four could be the key."""

from app.benchmarks.mapeval.derivations.opened import name_of
from app.benchmarks.mapeval.distractors.queries import read_places
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.derivations.hours import Time, is_plain, read_week, time_of
from app.questions.labels.place_labels import listed
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Sources, Strategy, strategy


@strategy("mapeval", "other_lists")
class OtherLists(Strategy):
    """Two places are drawn, open or closed; the four lists have neither, one, the other or both of them.

    At a time when most places are open, the longest list would be right too often: such questions are given up.
    """

    may_be_five = says_names = is_drawn = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._hours: dict[str, list[str]] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The three other lists, whatever `count` is; none of the four is empty."""
        seed, right = self.sources.seed, {*question.gold["names"]}
        names = [name_of(row) for row in question.rows]
        doubtful = seeds.shuffled(names, seed, "doubtful", question.id)[:2]
        kept = [name for name in names if name in right and name not in doubtful]
        if not kept:
            return TOO_FEW
        lists = [{*kept}, {*kept, doubtful[0]}, {*kept, doubtful[1]}, {*kept, *doubtful}]
        odds = self._odds(question)
        weight = odds ** len(right & {*doubtful})
        if seeds.unit(seed, "kept", question.id) * weight >= min(1.0, odds**2):
            return COMMON
        texts = [listed(name for name in names if name in one) for one in lists if one != right]
        return [{"text": text, "osm_key": None} for text in texts]

    def _odds(self, question: QuestionToFill) -> float:
        """How many places of the class are open at the time, for each one that is closed."""
        category = str(question.picked.one("category").value)
        if category not in self._hours:
            said = [row["opening_hours"] for row in read_places(self.sources.connection, category)]
            self._hours[category] = [one for one in said if one and is_plain(one)]
        time = time_of(str(question.picked.one("moment").value))
        opened = sum(_is_open(one, time) for one in self._hours[category])
        return (opened + 1) / (len(self._hours[category]) - opened + 1)


def _is_open(said: str, time: Time) -> bool:
    week = read_week(said)
    return week is not None and week.is_open(time)
