"""The candidates of a way that are not its destination."""

from app.questions.strategies import Distractor, QuestionToFill, Strategy, strategy


@strategy("urban_reasoning", "other_candidates")
class OtherCandidates(Strategy):
    """All candidates that the question compares the destination with."""

    may_be_five = says_names = is_drawn = False
    offers_places = True

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The four others, whatever `count` is."""
        objects = question.gold["objects"]
        others = [
            row for row in question.rows if row["role"] == "candidate" and row["osm_key"] not in objects
        ]
        return [{"text": row["name"], "osm_key": row["osm_key"]} for row in others]
