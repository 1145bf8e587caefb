"""Wrong options of questions about trips: other orders, other numbers of visits, other places to meet or to visit."""

from collections import Counter
from itertools import permutations

import numpy as np
import numpy.typing as npt

from app.benchmarks.mapeval.derivations.detours import landmark_passed
from app.benchmarks.mapeval.derivations.travels import Travels, in_order, names_of
from app.benchmarks.mapeval.derivations.trip_choices import ARROW, PEOPLE
from app.benchmarks.mapeval.distractors.plane import METRES_A_MINUTE, Floats, points_near
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.derivations.base import Case
from app.questions.derivations.hours import Time, Week, read_week, time_of
from app.questions.picking import Pick, Tuple
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy

FEWEST = 2
"""Wrong options."""
RARE = 0.06
"""The share of a map's trips for which a number must be right to be an option beside three others."""
SAMPLE = 600
"""Of so many of a map's trips it is reckoned what their answers would be."""
Numbers = npt.NDArray[np.int_]


@strategy("mapeval", "other_orders")
class OtherOrders(Strategy):
    """Any other orders: places are listed in an order that tells nothing, so that all orders are as often right."""

    may_be_five = says_names = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many other orders."""
        names = names_of(question.rows)[1:]
        texts = [ARROW.join(order) for order in permutations(names)]
        others = [text for text in texts if text != question.gold["text"]]
        drawn = seeds.shuffled(others, self.sources.seed, "orders", question.id)[:count]
        return [{"text": text, "osm_key": None} for text in drawn]


@strategy("mapeval", "near_visits")
class NearVisits(Strategy):
    """Numbers in a row, of which each is about equally often the key, by travel times of trips of the map."""

    may_be_five = says_names = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._trips = seeds.shuffled(sources.choices["places"], sources.seed, "sample")[:SAMPLE]
        self._minutes: dict[str, Numbers] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other numbers of the row, which is the same for all trips of the map with this stay and time."""
        key, frequencies = question.gold["count"], self._frequencies_for(question)
        row = _best_row(frequencies, len(question.rows) - 1, count + 1)
        share = seeds.unit(self.sources.seed, "kept", question.id)
        if key not in row or share * frequencies[key] >= min(frequencies[one] for one in row):
            return COMMON
        return [{"text": str(one), "osm_key": None} for one in row if one != key]

    def _frequencies_for(self, question: QuestionToFill) -> Counter[int]:
        """How often each number would be right for the trips of the map, with the question's stay and time."""
        stay, budget = (int(question.picked.one(name).value) for name in ("stay", "budget"))
        spent = (self._minutes_for(question) + stay).cumsum(axis=1)
        clear = (np.abs(spent - budget) >= self.sources.margins["room"]).all(axis=1)
        counts = Counter((spent[clear] <= budget).sum(axis=1).tolist())
        return Counter({number: times for number, times in counts.items() if number})

    def _minutes_for(self, question: QuestionToFill) -> Numbers:
        """The minutes of each way of the map's trips that may be asked about, by the question's mode of travel.

        They are asked of the router: with straight lines at one speed, the greatest number was the key far too often.
        """
        mode = str(question.picked.one("mode").value)
        if mode not in self._minutes:
            asked = [Tuple({**question.picked.picks, "places": [trip]}) for trip in self._trips]
            legs = in_order(len(question.rows))
            travels = [Travels(rows, self.sources.margins) for rows in self.sources.rows_of(asked) if rows]
            minutes = [[one.minutes([leg]) for leg in legs] for one in travels if not one.fault_of(legs)]
            self._minutes[mode] = np.array(minutes, dtype=int).reshape(-1, len(legs))
        return self._minutes[mode]


def _best_row(frequencies: Counter[int], most: int, size: int) -> range:
    """So many numbers from 1 to `most` of which the rarest is the most frequent; one fewer where it is too rare."""
    rows = [range(first, first + size) for first in range(1, most + 2 - size)]
    best = max(rows, key=lambda row: min(frequencies[one] for one in row))
    rare = min(frequencies[one] for one in best) < RARE * frequencies.total()
    return _best_row(frequencies, most, size - 1) if rare and size > FEWEST + 1 else best


class _OtherPlaces(Strategy):
    """The other places that one may go to, behind those that one starts from."""

    may_be_five = says_names = is_drawn = False
    offers_places = True

    def _others(self, question: QuestionToFill, starts: int) -> list[Distractor]:
        rows = question.rows[starts:]
        return [
            {"text": name, "osm_key": row["osm_key"]}
            for name, row in zip(names_of(rows), rows, strict=True)
            if row["osm_key"] not in question.gold["objects"]
        ]


class _OtherBetween(_OtherPlaces):
    """The other places. One in the middle is often the best: such questions are given up more often."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        pick = question.picked.one("places")
        points = points_near(pick.facts["lons"], pick.facts["lats"])
        ends = self._drawn_ends(question, points)
        apart = np.hypot(*np.moveaxis(ends[:, :, None] - points[None, None, PEOPLE:], -1, 0))
        counts = np.bincount(self._costs(apart).argmin(axis=1), minlength=len(points) - PEOPLE)
        key = [*pick.value][PEOPLE:].index(question.gold["objects"][0])
        share = seeds.unit(self.sources.seed, "kept", question.id)
        return self._others(question, PEOPLE) if share * counts[key] < counts.min() else COMMON

    def _costs(self, apart: Floats) -> Floats:
        """What each place costs, for each pair of ends, of which `apart` says how far each is from the places."""
        raise NotImplementedError

    def _drawn_ends(self, question: QuestionToFill, points: Floats) -> Floats:
        """Pairs of points in the box of the question's places, (SAMPLE, 2, 2)."""
        units = np.array(
            [seeds.unit(self.sources.seed, "ends", question.id, number) for number in range(4 * SAMPLE)]
        ).reshape(SAMPLE, 2, 2)
        low, high = points.min(axis=0), points.max(axis=0)
        ends: Floats = low + units * (high - low)
        return ends


@strategy("mapeval", "other_meetings")
class OtherMeetings(_OtherBetween):
    """Of two people the one who travels longer counts."""

    def _costs(self, apart: Floats) -> Floats:
        longer: Floats = apart.max(axis=1)
        return longer


@strategy("mapeval", "others_of_four")
class OthersOfFour(_OtherPlaces):
    """The other places: the pick draws which of the four is to be right, so that no question need be given up."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        return self._others(question, PEOPLE)


@strategy("mapeval", "others_aside")
class OthersAside(_OtherPlaces):
    """The other places, which the way does not pass.

    Beside many roads no fast way leads, so a place would be as good as never the answer: a question stands where the
    router finds for each of the four places a trip of the pick on which it is the one that is passed.
    """

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is; of several trips with this key the first one stands."""
        pick = question.picked.one("places")
        passed = self._first_trips(
            question, list(zip(pick.facts["betweens"], pick.facts["trips"], strict=True))
        )
        (key,) = question.gold["objects"]
        fair = passed.keys() == set(pick.facts["betweens"]) and passed[key] == pick.bind
        return self._others(question, PEOPLE) if fair else COMMON

    def _first_trips(self, question: QuestionToFill, trips: list[tuple[str, str]]) -> dict[str, str]:
        """By place the first of the trips that are drawn for it on which it is passed, and no other one."""
        asked = [
            Tuple({**question.picked.picks, "places": [Pick(bind.split(","), bind, "")]}) for _, bind in trips
        ]
        first: dict[str, str] = {}
        for (place, bind), one, rows in zip(trips, asked, self.sources.rows_of(asked), strict=True):
            found = landmark_passed(Case(rows, one.binds, self.sources.margins, {}))
            if found.refusal is None and found.gold["objects"] == [place]:
                first.setdefault(place, bind)
        return first


@strategy("mapeval", "others_not_open")
class OthersNotOpen(_OtherPlaces):
    """The other places. It is reckoned at how many times each would be the only one that can be visited: one that never
    would is no option, and questions are given up so that each of the others is equally often right."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        pick, mode = question.picked.one("places"), str(question.picked.one("mode").value)
        points = points_near(pick.facts["lons"], pick.facts["lats"])
        minutes = np.hypot(*(points[1:] - points[0]).T) / METRES_A_MINUTE[mode]
        weeks = [read_week(said) for said in pick.facts["hours"][1:]]
        counts = Counter(self._find_only(weeks, minutes.round().astype(int).tolist()))
        key = [*pick.value][1:].index(question.gold["objects"][0])
        share = seeds.unit(self.sources.seed, "kept", question.id)
        if len(counts) <= FEWEST or share * counts[key] >= min(counts.values()):
            return COMMON
        offered = {[*pick.value][1 + number] for number in counts}
        return [one for one in self._others(question, 1) if one["osm_key"] in offered]

    def _find_only(self, weeks: list[Week | None], minutes: list[int]) -> list[int]:
        """The only place that could be visited, for each time and each stay that has one."""
        only = []
        for moment in self.sources.choices["moment"]:
            for stay in self.sources.choices["stay"]:
                right = [
                    number
                    for number, (week, way) in enumerate(zip(weeks, minutes, strict=True))
                    if week and _is_open_for(week, time_of(str(moment.value)), way, int(stay.value))
                ]
                only += right if len(right) == 1 else []
        return only


def _is_open_for(week: Week, time: Time, way: int, stay: int) -> bool:
    begin = Time(time.day, time.minute + way)
    return week.is_open(begin) and week.is_open(Time(time.day, begin.minute + stay))
