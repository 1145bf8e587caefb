"""Yes and no, of which each is as often right."""

from collections import Counter

from app.core import seeds
from app.questions.alike import COMMON
from app.questions.derivations.hours import read_week, time_of
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy


@strategy("mapeval", "yes_or_no")
class YesOrNo(Strategy):
    """The other one of the two. At a time most places are open, or most are closed: these are given up more often."""

    may_be_five = says_names = is_drawn = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        weeks = [read_week(str(pick.facts["opening_hours"])) for pick in sources.choices["place"]]
        self._weeks = [week for week in weeks if week is not None]

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """One option, whatever `count` is."""
        time = time_of(str(question.picked.one("moment").value))
        counts = Counter("Yes" if week.is_open(time) else "No" for week in self._weeks)
        key = question.gold["text"]
        share = seeds.unit(self.sources.seed, "kept", question.id)
        if share * counts[key] >= min(counts["Yes"], counts["No"]):
            return COMMON
        return [{"text": "No" if key == "Yes" else "Yes", "osm_key": None}]
