"""Wrong options that are roads of the same route: nobody can tell the key from them who does not know the route."""

from app.core import seeds
from app.core.names import bare_form
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Strategy, strategy

FEWEST = 2


@strategy("mapeval", "roads_of_route")
class RoadsOfRoute(Strategy):
    """Other roads that the route follows. The first and the last are often streets that lead nowhere else: they are
    seldom asked for, and no options."""

    may_be_five = says_names = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many of them, two at least; roads that read like the key or like each other are passed over."""
        seen = {bare_form(question.gold["text"])}
        roads = list(dict.fromkeys(row["road"] for row in question.rows if row["road"]))[1:-1]
        drawn: list[Distractor] = []
        for road in seeds.shuffled(roads, self.sources.seed, "roads", question.id):
            if bare_form(road) not in seen and len(drawn) < count:
                seen.add(bare_form(road))
                drawn.append({"text": road, "osm_key": None})
        return drawn if len(drawn) >= FEWEST else TOO_FEW
