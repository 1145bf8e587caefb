"""Wrong options of questions about turns: other turns of the same route, and other numbers of them."""

from collections import Counter
from collections.abc import Iterable

from app.benchmarks.mapeval.derivations.turns import SIDES, TurnTaken, count_on_route, turns_taken
from app.core import seeds
from app.core.names import bare_form
from app.questions.alike import COMMON, is_related
from app.questions.derivations.base import Case
from app.questions.picking import Pick, Tuple
from app.questions.shared_words import shared_words, telling_words
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Sources, Strategy, strategy

SAMPLE = 200
"""Routes of the map of which turns are counted to learn how frequent a number is."""
FEWEST_ROUTES = 20
"""With fewer routes that may be asked about nothing is learnt."""


@strategy("mapeval", "turns_of_route")
class TurnsOfRoute(Strategy):
    """Both sides, each with the road of the key and with a road that another turn of the route leads onto.

    The other turn could be asked for as well, with the same two roads; which of the two is asked for is as likely.
    """

    may_be_five = says_names = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The three others of the four, whatever `count` is."""
        told = str(question.picked.one("places").label)
        turns = [one for one in turns_taken(question.rows) if one.fault(self.sources.margins) is None]
        key = next(one for one in turns if one.off.name == question.gold["after"])
        partners = _partners(key, turns, told)
        if not partners:
            return TOO_FEW
        other = partners[seeds.below(len(partners), self.sources.seed, "turn", question.id)]
        theirs = len(_partners(other, turns, told))
        if seeds.unit(self.sources.seed, "kept", question.id) * theirs >= len(partners):
            return COMMON  # a turn with fewer partners would be the key of such a pair more often
        texts = [f"Turn {side} onto {turn.onto.name}" for turn in (key, other) for side in SIDES]
        return [{"text": text, "osm_key": None} for text in texts if text != key.text]


def _partners(key: TurnTaken, turns: Iterable[TurnTaken], told: str) -> list[TurnTaken]:
    return [one for one in turns if _are_alike(key, one, told)]


def _are_alike(one: TurnTaken, other: TurnTaken, told: str) -> bool:
    """Whether the roads of two turns may be offered together, whichever of the turns is asked for.

    Nobody turns onto the road that he is on, and neither road shares a word with the text that the other does not.
    """
    roads = (one.onto.name, other.onto.name)
    offs = (one.off.name, other.off.name)
    if is_related(*roads) or {*map(bare_form, roads)} & {*map(bare_form, offs)}:
        return False
    return all(
        shared_words(roads[0], said) == shared_words(roads[1], said)
        for said in (telling_words(f"{told} {off}") for off in offs)
    )


@strategy("mapeval", "counts_of_routes")
class CountsOfRoutes(Strategy):
    """Numbers in a row, of which each is equally often the key: of routes of the map it is counted how many turns they
    have, and questions with frequent numbers are given up more often."""

    may_be_five = says_names = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._frequencies: dict[str, Counter[int]] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many other numbers; with the key they follow one another, and its rank among them is drawn."""
        seed, key = self.sources.seed, question.gold["count"]
        frequencies = self._frequencies_of(question.picked.one("counted"))
        least = key - seeds.below(count + 1, seed, "rank", question.id, key)
        numbers = range(least, least + count + 1)
        rarest = min(frequencies[one] for one in numbers)
        if least < 1 or seeds.unit(seed, "kept", question.id) * frequencies[key] >= rarest:
            return COMMON
        return [{"text": str(one), "osm_key": None} for one in numbers if one != key]

    def _frequencies_of(self, counted: Pick) -> Counter[int]:
        """How often each number is that of one of the map's routes."""
        what = str(counted.value)
        if what not in self._frequencies:
            drawn = seeds.shuffled(self.sources.choices["places"], self.sources.seed, "routes", what)[:SAMPLE]
            asked = self.sources.rows_of(
                [Tuple({"places": [places], "counted": [counted]}) for places in drawn]
            )
            binds, margins = {"counted": what}, self.sources.margins
            found = [count_on_route(Case(rows, binds, margins, {})) for rows in asked]
            counts = Counter(one.gold["count"] for one in found if one.refusal is None)
            self._frequencies[what] = counts if counts.total() >= FEWEST_ROUTES else Counter()
        return self._frequencies[what]
