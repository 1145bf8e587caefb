"""Wrong options that are minutes or times of the clock, as far apart as the travel times are that they stand on."""

from typing import ClassVar

from app.benchmarks.mapeval.derivations.travels import clock_text, minute_of
from app.benchmarks.mapeval.distractors.ladders import draw_ladder
from app.questions.alike import COMMON
from app.questions.strategies import Distractor, QuestionToFill, Strategy, strategy


@strategy("mapeval", "near_minutes")
class NearMinutes(Strategy):
    """Travel times of which each could be the key, as for distances."""

    may_be_five = says_names = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many other times, of which none is so short that it could be no key."""
        minutes = question.gold["minutes"]
        wrong = [round(one) for one in draw_ladder(self.sources.seed, question.id, minutes, count)]
        if min(wrong) < self.sources.margins["least"]:
            return COMMON
        return [{"text": self._say(question, one), "osm_key": None} for one in wrong]

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
