"""Wrong options that are roads of the same route: nobody can tell the key from them who does not know the route."""

from app.benchmarks.mapeval.derivations.routes import roads_to_ask_for
from app.core.names import bare_form
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Strategy, strategy

FEWEST = 2


@strategy("mapeval", "roads_of_route")
class RoadsOfRoute(Strategy):
    """The other roads of the route whose rank is asked for, too: four ranks are, and each of them equally often. A road
    that is too far on to be asked for would be no key, so it is no option."""

    may_be_five = says_names = is_drawn = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Three of them or two, whatever `count` is; none where two roads read alike."""
        roads = roads_to_ask_for(question.rows, self.sources.margins)
        others = [road for road in roads if road != question.gold["text"]]
        if len(others) < FEWEST or len({*map(bare_form, roads)}) < len(roads):
            return TOO_FEW
        return [{"text": road, "osm_key": None} for road in others]
