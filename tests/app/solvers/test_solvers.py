"""Solvers over the village: what they say, what they draw from, what they refuse."""

from collections import Counter
from fractions import Fraction

import pytest

from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.outcomes import Reply
from app.solvers import Answer, Call, CallResult, QuestionView, RunView, find_solver
from app.solvers.direct import prompt_text, read_reply
from app.solvers.not_knowing import says_not_knowing
from app.solvers.options_only import Keyed, guess_all
from app.solvers.oracle import say_gold
from app.solvers.random import distributions
from tests.support.factories import (
    QuestionSpec,
    area_question,
    count_question,
    make_version,
    mixed_dataset,
    option_question,
    options_dataset,
)

OPTIONS = ["Adler", "Krone", "Linde", "Bohne"]


def asked(options: list[str] | None = None, answer_type: str = "name", repeat: int = 0) -> QuestionView:
    parts = [{"type": "text", "text": "First part."}, {"type": "text", "text": "Which?"}]
    return QuestionView("q", "T5", parts, options, "option" if options else answer_type, repeat)


def test_an_unknown_solver_names_those_there_are() -> None:
    with pytest.raises(
        NotFound,
        match="direct, geoflow, georover, judge, last_named, majority, nearest_station, options_only, oracle",
    ):
        find_solver("wizard")
    assert find_solver("oracle").reads == {"gold"}
    assert find_solver("random").reads == {"snapshot"}
    assert find_solver("direct").reads == frozenset()


def test_the_oracle_says_gold_in_words_that_scorers_read() -> None:
    assert say_gold("option", {"index": 2}) == "C"
    assert say_gold("option", {"index": 4}, "unanswerable") == "E"
    assert say_gold("name", {}, "unanswerable") == "I cannot answer"
    assert say_gold("name", {"names": ["Adler", "Krone"]}) == "Adler"
    assert say_gold("azimuth", {"azimuth": 123.456789}) == "123.456789 degrees"
    assert say_gold("count", {"count": 12}) == "12"
    assert say_gold("area", {"area": 12345.678}) == "12345.678 m2"


def test_random_draws_from_what_the_map_holds(database: Settings) -> None:
    version = make_version(database, mixed_dataset())
    with connect(database, Role.WORKER) as connection:
        found = distributions(connection, version.id)
    name, _, azimuth, _, count, _, area, _ = (found[question] for question in version.questions)
    # Named restaurants of the village: two are called Adler and count twice; the unnamed one has no name to say.
    assert Counter(name) == {"Adler": 2, "Krone": 1, "Linde": 1}
    assert list(azimuth) == [str(degrees) for degrees in range(360)]
    # Five restaurants, the unnamed one among them.
    assert list(count) == ["1", "2", "3", "4", "5"]
    assert len(area) == 100
    numbers = [int(text.removesuffix(" m2")) for text in area]
    assert numbers[99] == pytest.approx(100 * numbers[0], rel=1e-5)
    # The village is 0.05 by 0.03 degrees at 47.1° north: about 3.8 km by 3.3 km.
    assert numbers[99] == pytest.approx(12.66e6, rel=0.01)


def test_random_draws_evenly_and_the_same_again(database: Settings) -> None:
    version = make_version(database, options_dataset(400))
    with connect(database, Role.WORKER) as connection:
        next_step = find_solver("random").open(connection, RunView(version.id, "urban_knowledge", seed=5))
        again = find_solver("random").open(connection, RunView(version.id, "urban_knowledge", seed=5))
        other = find_solver("random").open(connection, RunView(version.id, "urban_knowledge", seed=6))

    def answers(mover: object) -> list[str | None]:
        items = [QuestionView(question, "t", [], OPTIONS, "option") for question in version.questions]
        return [mover(item, []).text for item in items]  # type: ignore[operator]

    drawn = answers(next_step)
    assert drawn == answers(again)
    assert drawn != answers(other)
    # Chi-square with three degrees of freedom; 16.3 is its 0.999 quantile. The seed is fixed: no luck is involved.
    counts = Counter(drawn)
    assert set(counts) == set("ABCD")
    assert sum((Fraction(n - 100) ** 2 / 100 for n in counts.values()), Fraction()) < Fraction("16.3")


def test_repeats_draw_anew(database: Settings) -> None:
    version = make_version(database, [count_question(0), area_question(1)])
    with connect(database, Role.WORKER) as connection:
        next_step = find_solver("random").open(connection, RunView(version.id, "gsqa", seed=1))
    question = version.questions[1]
    drawn = {
        next_step(QuestionView(question, "T27", [], None, "area", repeat), []).text for repeat in range(20)
    }  # type: ignore[union-attr]
    assert len(drawn) > 5


def open_distance() -> QuestionSpec:
    """A question without options about no kind of place: random knows no list of answers for it."""
    return QuestionSpec(
        "Distance_Between", "distance", "How far is it?", {"distance": 12.5}, {}, scorer="distance"
    )


def test_random_gives_no_answer_where_it_knows_no_list(database: Settings) -> None:
    """Questions with options are guessed all the same."""
    questions = [option_question(0), open_distance()]
    version = make_version(database, questions, name="half_open")
    solver = find_solver("random")
    assert solver.check is not None
    with connect(database, Role.WORKER) as connection:
        solver.check(connection, version.id)
        next_step = solver.open(connection, RunView(version.id, "map_tools_check", seed=1))
    guessed, open_one = (
        next_step(QuestionView(name, "t", [], options, kind), [])
        for name, options, kind in zip(
            version.questions, (OPTIONS, None), ("option", "distance"), strict=True
        )
    )
    assert isinstance(guessed, Answer)
    assert guessed.text in {"A", "B", "C", "D"}
    assert open_one == Answer("no_answer", None)


def test_random_refuses_a_data_set_of_which_it_can_guess_nothing(database: Settings) -> None:
    version = make_version(database, [open_distance()], name="all_open")
    check = find_solver("random").check
    assert check is not None
    with (
        connect(database, Role.WORKER) as connection,
        pytest.raises(UsageError, match="No question of this data set has options"),
    ):
        check(connection, version.id)


def test_options_only_refuses_open_questions(database: Settings) -> None:
    version = make_version(database, mixed_dataset())
    check = find_solver("options_only").check
    assert check is not None
    with (
        connect(database, Role.WORKER) as connection,
        pytest.raises(UsageError, match="8 of the 8 questions have none"),
    ):
        check(connection, version.id)


def numbers_with_key_second(count: int) -> list[Keyed]:
    return [
        Keyed(f"q{i}", "length", "", [f"{i + 5 * rank} m" for rank in (9, 3, 30, 60)], 0)
        for i in range(100, 100 + count)
    ]


def test_options_only_finds_what_the_options_give_away() -> None:
    questions = numbers_with_key_second(60)
    guesses = guess_all(questions, seed=3)
    assert all(guesses[question.id] == (0, "second") for question in questions)
    centre = [
        Keyed(f"c{i}", "coordinates", "", [f"({9 + i}.01000, 47.01000)", f"({9 + i}.00000, 47.00000)", f"({9 + i}.01000, 46.99000)",
                                       f"({8 + i}.99000, 47.01000)"], 1)
        for i in range(60)
    ]  # fmt: skip
    guesses = guess_all(centre, seed=3)
    assert all(guesses[question.id] == (1, "corner_centre") for question in centre)


def test_options_only_learns_classes_of_the_other_half_only() -> None:
    words = [
        ["Residential", "Water", "Medical", "Industrial"][i % 4 :]
        + ["Residential", "Water", "Medical", "Industrial"][: i % 4]
        for i in range(80)
    ]
    questions = [
        Keyed(f"q{i}", "landuse", "", options, options.index("Water")) for i, options in enumerate(words)
    ]
    guesses = guess_all(questions, seed=1)
    hits = sum(guesses[question.id][0] == question.key for question in questions)
    assert hits == 80
    assert {name for _, name in guesses.values()} <= {"class_prior", "shortest"}


def test_options_only_reads_which_words_are_shared() -> None:
    """What all texts say counts nothing, a part of a longer word does, and nobody needs the keys."""
    towns = ["Au", "Berg", "Feld", "Halde"]
    questions = [
        Keyed(
            f"s{i}",
            "nearest",
            f"Which place is nearest to the {towns[i % 4] * 3}platz {i}?",
            [f"Place {town * 3}" for town in towns],
            i % 4,
        )
        for i in range(60)
    ]
    guesses = guess_all(questions, seed=2)
    assert all(guesses[one.id] == (one.key, "shares_word") for one in questions)


def test_a_questions_own_gold_has_no_part_in_its_guess() -> None:
    """Whatever the key of one question is, its own guess stays the same."""
    questions = numbers_with_key_second(12) + [
        Keyed(f"n{i}", "names", "", [f"place {i}", f"spot {i} of many", "here", f"there {i}"], i % 4)
        for i in range(24)
    ]
    before = guess_all(questions, seed=9)
    for place, question in enumerate(questions):
        for key in range(4):
            changed = [*questions[:place], question._replace(key=key), *questions[place + 1 :]]
            assert guess_all(changed, seed=9)[question.id] == before[question.id]


def test_the_prompt_of_direct() -> None:
    text = prompt_text(asked(OPTIONS))
    assert text.startswith("First part.\n\nWhich?\n\nA) Adler\nB) Krone\nC) Linde\nD) Bohne\n\n")
    assert text.endswith("If you do not know, answer: I do not know.")
    for answer_type, unit in (
        ("azimuth", "degrees"),
        ("area", "m2"),
        ("count", "whole number"),
        ("name", "name"),
    ):
        assert unit in prompt_text(asked(None, answer_type))


def test_direct_asks_once_and_says_what_it_was_told(database: Settings) -> None:
    with connect(database, Role.WORKER) as connection:
        view = RunView(1, "gsqa", 7, "tiny", {"temperature": 0.3})
        next_step = find_solver("direct").open(connection, view)
    call = next_step(asked(OPTIONS, repeat=2), [])
    assert isinstance(call, Call)
    assert call.body["model"] == "tiny"
    assert (call.body["temperature"], call.body["seed"]) == (0.3, 9)
    assert call == next_step(asked(OPTIONS, repeat=2), [])
    answer = next_step(asked(OPTIONS), [CallResult(Reply("It is B.", "stop", None, {}))])
    assert answer == Answer("answered", "It is B.", {"finish_reason": "stop"})


@pytest.mark.parametrize(
    "text",
    [
        "I do not know",
        "I don't know.",
        "I don’t know",
        "Hm.\nAnswer: I do not know.",
        "i DO NOT know!",
        "Unknown.",
        "I do not know.\n\nThe answer is: I do not know. I do not know.",
        "I do not know.\nAnswer: I do not know.\nAnswer: ",
    ],
)
def test_not_knowing_is_no_answer(text: str) -> None:
    assert says_not_knowing(text)
    assert read_reply(Reply(text, "stop", None, {})).state == "no_answer"


@pytest.mark.parametrize(
    "text", ["B", "I do not know, but I guess B", "The Unknown Pub", "Answer: B", "0", "1000 m\nAnswer: "]
)
def test_guessing_is_an_answer(text: str) -> None:
    assert read_reply(Reply(text, "stop", None, {})) == Answer("answered", text, {"finish_reason": "stop"})


@pytest.mark.parametrize("content", [None, "", "  \n"])
def test_empty_is_no_answer_and_says_so(content: str | None) -> None:
    answer = read_reply(Reply(content, "length", None, {}))
    assert (answer.state, answer.detail) == (
        "no_answer",
        {"finish_reason": "length", "truncated": True, "empty": True},
    )
