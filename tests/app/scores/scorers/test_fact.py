"""The scorer `fact`: a name in any accepted form, a year or none, a number by its relative error."""

import pytest

from app.scores.registry import get_scorer
from app.scores.scorers import fact as _fact  # noqa: F401  (registers the scorer)

YEAR = {"kind": "year", "value": "1984", "unit": "", "names": []}
NAME = {"kind": "name", "value": "Hans Meier", "unit": "", "names": ["Hans Meier", "H. Meier"]}
HEIGHT = {"kind": "number", "value": "30.48", "unit": "m", "names": []}
ROOMS = {"kind": "number", "value": "35", "unit": "", "names": []}


@pytest.mark.parametrize(
    ("fact", "answer", "outcome", "value"),
    [
        (YEAR, "1984", "correct", 1),
        (YEAR, "It was founded in 1984.", "correct", 1),
        (YEAR, "1984-05-06", "correct", 1),
        (YEAR, "6.5.1984", "correct", 1),
        (YEAR, "Opened by 200 people; Answer: 1984", "correct", 1),
        (YEAR, "1985", "wrong", 0),
        (YEAR, "1984 or 1985", "unparseable", 0),
        (YEAR, "19840", "unparseable", 0),
        (YEAR, "1,984", "unparseable", 0),
        (YEAR, "nan", "unparseable", 0),
        (YEAR, "", "unparseable", 0),
        (NAME, "hans meier", "correct", 1),
        (NAME, "The architect is **H. Meier**.", "correct", 1),
        (NAME, "Hans Müller", "wrong", 0),
        (HEIGHT, "30.48 m", "correct", 1),
        (HEIGHT, "100 ft", "correct", 1),
        (HEIGHT, "34 metres", "wrong", 1 - (34 / 30.48 - 1) / 0.2),
        (HEIGHT, "tall", "unparseable", 0),
        (ROOMS, "35", "correct", 1),
        (ROOMS, "thirty-five rooms", "correct", 1),
        (ROOMS, "70", "wrong", 0),
        (ROOMS, "1e400", "unparseable", 0),
    ],
)
def test_facts(fact: dict[str, object], answer: str, outcome: str, value: float) -> None:
    score = get_scorer("fact").judge(answer, {"fact": fact}, None)
    assert (score.outcome, score.value) == (outcome, pytest.approx(value))


@pytest.mark.parametrize("fact", [YEAR, NAME, HEIGHT, ROOMS])
@pytest.mark.parametrize("answer", ["x" * 1_000_000, "9" * 1_000_000, "\ud800", "[1984, 1985]", "\0"])
def test_any_answer_is_scored(fact: dict[str, object], answer: str) -> None:
    assert get_scorer("fact").judge(answer, {"fact": fact}, None).value in (0, pytest.approx(0))
