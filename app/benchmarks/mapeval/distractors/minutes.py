"""Wrong options that are minutes or times of the clock, as far apart as the travel times are that they stand on."""

from typing import ClassVar

from app.benchmarks.mapeval.derivations.travels import clock_text, minute_of
from app.benchmarks.mapeval.distractors.ladders import Frequencies, draw_ladder
from app.benchmarks.mapeval.distractors.plane import metres_along
from app.questions.alike import COMMON
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy


@strategy("mapeval", "near_minutes")
class NearMinutes(Strategy):
    """Travel times of which each could be the key, as for distances.

    How frequent they are is reckoned by straight lines between the places of the map's trips, at the question's own
    speed in a straight line.
    """

    may_be_five = says_names = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._ways = [metres_along(pick) for pick in sources.choices["places"]]

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many other times, of which none is so short or so long that it could be no key."""
        seed, minutes = self.sources.seed, question.gold["minutes"]
        wrong = [round(one) for one in draw_ladder(seed, question.id, minutes, count)]
        is_no_key = min(wrong) < self.sources.margins["least"] or max(wrong) > self._most(question)
        if is_no_key or self._frequencies_for(question).is_common(seed, question.id, minutes, wrong):
            return COMMON
        return [{"text": self._say(question, one), "osm_key": None} for one in wrong]

    def _most(self, question: QuestionToFill) -> float:
        """The longest that a trip with as many ways may take."""
        return self.sources.margins["longest"] * (len(question.rows) - 1)

    def _frequencies_for(self, question: QuestionToFill) -> Frequencies:
        """How frequent travel times are among the map's trips whose ways are neither too short nor too long."""
        metres_a_minute = metres_along(question.picked.one("places")).sum() / question.gold["minutes"]
        margins, ways = self.sources.margins, [one / metres_a_minute for one in self._ways]
        asked = [one for one in ways if one.min() >= margins["shortest"] and one.max() <= margins["longest"]]
        return Frequencies([float(one.sum()) for one in asked])

    def _say(self, question: QuestionToFill, minutes: int) -> str:
        return f"{minutes} minutes"


class _NearClocks(NearMinutes):
    later: ClassVar[int]
    """1 where a longer way leads to a later time, else -1."""

    def _say(self, question: QuestionToFill, minutes: int) -> str:
        more = minutes - question.gold["minutes"]
        return clock_text(minute_of(question.gold["text"]) + self.later * more)


@strategy("mapeval", "near_arrivals")
class NearArrivals(_NearClocks):
    """The times at which one would arrive if the ways took as long as these."""

    later = 1


@strategy("mapeval", "near_departures")
class NearDepartures(_NearClocks):
    """The times at which one would have to leave then."""

    later = -1
