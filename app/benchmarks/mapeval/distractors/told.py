"""Words that options share with the places that a text tells: a place is often named after what it lies beside."""

from app.questions.shared_words import share_alike, telling_words
from app.questions.strategies import QuestionToFill

OFFERED = "places"
"""The parameter whose places are the options."""


def tells_by_words(question: QuestionToFill) -> bool:
    """Whether one of the places that are offered shares other words with those that the text tells than another."""
    told = (pick.label for name, picks in question.picked.picks.items() if name != OFFERED for pick in picks)
    return not share_alike((row["name"] for row in question.rows), telling_words(" ".join(told)))
