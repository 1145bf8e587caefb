"""The baselines that look at no map: the commonest answer, and the place that is named last."""

from collections.abc import Sequence

import pytest

from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.solvers import QuestionView, RunView, find_solver
from app.solvers.last_named import find_last_named
from app.solvers.majority import Said, commonest_of_others, middle_of_others
from tests.support.factories import MadeVersion, make_version, mixed_dataset, name_question


def said(*words: str, numbers: Sequence[float | None] = ()) -> list[Said]:
    known = numbers or [None] * len(words)
    return [
        Said(f"q{place}", "T5", text, number)
        for place, (text, number) in enumerate(zip(words, known, strict=True))
    ]


def test_a_question_is_told_what_most_others_have_and_never_its_own_answer() -> None:
    assert commonest_of_others(said("cafe", "cafe", "bar")) == {"q0": "bar", "q1": "bar", "q2": "cafe"}
    assert commonest_of_others(said("cafe", "cafe", "cafe", "bar")) == dict.fromkeys(
        ("q0", "q1", "q2", "q3"), "cafe"
    )
    assert commonest_of_others(said("bank")) == {}


def test_of_measured_answers_it_says_the_middle_one_of_the_others() -> None:
    lengths = said("9 m", "1 m", "5 m", "7 m", numbers=(9.0, 1.0, 5.0, 7.0))
    assert middle_of_others(lengths) == {"q0": "5 m", "q1": "7 m", "q2": "7 m", "q3": "5 m"}
    assert middle_of_others(lengths[:1]) == {}


def asked_of(
    settings: Settings, solver: str, version: MadeVersion, question: str, text: str = "x"
) -> str | None:
    view = QuestionView(question, "T5", [{"type": "text", "text": text}], None, "name")
    with connect(settings, Role.WORKER) as connection:
        return find_solver(solver).open(connection, RunView(version.id, "gsqa", seed=1))(view, []).text  # type: ignore[union-attr]


def test_hidden_gold_has_no_part_in_what_most_have(database: Settings) -> None:
    specs = [
        name_question(1, ["Krone"]),
        name_question(2, ["Krone"]),
        *(name_question(number, ["Adler"], "hidden") for number in (3, 4, 5)),
    ]
    version = make_version(database, specs)
    assert [asked_of(database, "majority", version, one) for one in version.questions] == ["Krone"] * 5


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which is closer to Pompei, Domino's or Buffalo Restaurant & Ice Cream Parlor?", "Buffalo Restaurant & Ice Cream Parlor"),
        ("Which spot is closer to Leisure Village, Deland Cemetery or Busse Forest South?", "Busse Forest South"),
        ("Which is closer in distance to BMO, McDonald's or Subway?", "Subway"),
        ("Which is closer to Dux (park): Simply Hooked (café) or Rivoli (Jardin) (hotel)? Answer from OpenStreetMap.", "Rivoli (Jardin)"),
        ("Is Kings Tattooing (tattoo parlour) or Trick or Treat (sweet shop) nearer to Kuma Inn (restaurant)?", "Trick or Treat"),
        ("Of Salt and Pepper (café) and Unis (boutique), which one lies closer to Dux (park)?", "Unis"),
        ("Which of the two, Linde (restaurant) or Krone (restaurant), has the shorter distance to Dux (park)?", "Krone"),
        ("What's closer to Dux (park) as the crow flies, Linde (restaurant) or Krone (restaurant)?", "Krone"),
        ("At Dux (park): is Linde (restaurant) or Krone (restaurant) nearer, straight line?", "Krone"),
        ("Linde (restaurant) or Krone (restaurant), which is nearer to Dux (park) in a straight line?", "Krone"),
        ("Which restaurant is closest to Dux (park)?", None),
        ("How far is Linde or Krone?", None),
    ],
)  # fmt: skip
def test_the_place_that_is_named_last_is_found(text: str, named: str | None) -> None:
    assert find_last_named(text) == named


def test_a_data_set_without_comparisons_is_refused(database: Settings) -> None:
    version = make_version(database, mixed_dataset())
    check = find_solver("last_named").check
    assert check is not None
    with connect(database, Role.WORKER) as connection, pytest.raises(UsageError, match="compares two places"):
        check(connection, version.id)
    text = "Is Linde or Krone nearer to Dux?"
    assert asked_of(database, "last_named", version, version.questions[0], text) == "Krone"
    assert asked_of(database, "last_named", version, version.questions[0]) is None
