"""Values that the map tells of other places, drawn as keys are: each value of a set is right equally often."""

from app.benchmarks.mapeval.derivations.attributes import VAGUE, words_of_value
from app.core.names import bare_form
from app.questions.alike import Candidate, draw_alike, is_related, scripts_of
from app.questions.picking import Pick
from app.questions.shared_words import shared_words
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Sources, Strategy, strategy

FEWEST = 2
DISHES = frozenset(
    "bagel barbecue breakfast burger cake chicken coffee crepe dessert donut fish fries grill"
    " juice kebab noodle pancake pasta pastry pizza ramen salad sandwich seafood soup steak"
    " sushi tapas tea vegan vegetarian wings wraps".split()
) | {"coffee shop", "fish and chips", "hot dog", "ice cream", "steak house"}
"""Cuisines that are dishes: beside them those of countries may be right, too."""


@strategy("mapeval", "other_values")
class OtherValues(Strategy):
    """Values of the same tag; two where the map has no three that could be wrong."""

    may_be_five = says_names = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._offered: dict[str, list[Candidate]] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Values that share with the question what the key shares with it."""
        attribute, told = str(question.picked.one("attribute").value), question.told
        key = _candidate(attribute, question.gold["text"], question.subject)
        looks = key.kind, scripts_of(key.text), shared_words(key.text, told)
        window = [
            one
            for one in self._offered_of(attribute)
            if (one.kind, scripts_of(one.text), shared_words(one.text, told)) == looks
        ]
        drawn: list[Candidate] | str = TOO_FEW
        for wanted in range(count, FEWEST - 1, -1):
            drawn = draw_alike(
                key,
                window,
                wanted,
                self.sources.seed,
                question.id,
                lambda one: is_related(key.text, one.text),
            )
            if drawn != TOO_FEW:
                break
        return drawn if isinstance(drawn, str) else [{"text": one.text, "osm_key": None} for one in drawn]

    def _offered_of(self, attribute: str) -> list[Candidate]:
        """One candidate for each place of which the map tells one value that is not vague."""
        if attribute not in self._offered:
            told = [
                (words_of_value(pick.facts[attribute] or ""), pick) for pick in self.sources.choices["place"]
            ]
            self._offered[attribute] = [
                _candidate(attribute, text, pick)
                for text, pick in told
                if text and ";" not in text and text.casefold() not in VAGUE
            ]
        return self._offered[attribute]


def _candidate(attribute: str, text: str, pick: Pick) -> Candidate:
    """The value of a place; brands stand beside those of the same class, and dishes beside dishes."""
    kind = ""
    if attribute == "brand":
        kind = str(pick.facts["class"])
    elif attribute == "cuisine" and text.casefold() in DISHES:
        kind = "dish"
    return Candidate(text, bare_form(text), kind)
