"""Figures of report cards: computed by hand, and equal to those of boards and reports."""

import pytest

from app import __version__
from app.core.errors import NotFound, UsageError
from app.core.settings import Role
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.report import report_runs
from app.report_cards.entries import CardRun
from app.report_cards.making import make_card
from app.report_cards.measuring_others import find_others
from tests.app.report_cards.conftest import HIDDEN, HOW_MUCH, WHERE, Made


def test_figures_count_each_public_question_of_all_runs_once(made: Made) -> None:
    card = made.card("mine", "directions")
    assert (card.model, card.overall.n) == ("model A", 14 + 4)
    by_skill = {one.skill: one.figure for one in card.skills}
    assert by_skill["where"].n == 6
    assert by_skill["where"].score == pytest.approx(4 / 6)
    assert (by_skill["how_much"].n, by_skill["how_much"].score) == (8, 0.25)
    assert by_skill["which_way"].n == 4
    assert by_skill["routes"].score is None
    assert by_skill["routes"].why == "nothing was asked"
    assert card.overall.score == pytest.approx((4 + 2 + 4 * (by_skill["which_way"].score or 0)) / 18)
    assert card.overall.states.no_answer == 1
    assert card.overall.low is not None
    assert card.overall.low < (card.overall.score or 0) < (card.overall.high or 0)
    assert [one.benchmark for one in card.templates] == ["gsqa", "urban_knowledge", "urban_knowledge"]


def test_every_figure_is_that_of_the_report_and_the_board(made: Made) -> None:
    card = made.card("mine", "directions")
    with connect(made.settings, Role.MAINTAINER) as connection:
        reports = [report_runs(connection, [made.runs[name]]).runs[0] for name in ("mine", "directions")]
    templates = {one.template: one.figure for one in card.templates}
    for report, run in zip(reports, card.runs, strict=True):
        assert report.means is not None
        assert run.figure.score == report.means.questions
        for name, cell in report.templates.items():
            one = templates[name]
            assert (one.n, one.score, one.low, one.high) == (cell.n, cell.score, cell.low, cell.high)
    with connect(made.settings, Role.API) as connection:
        (row,) = read_board(connection, made.directions.reference).rows
    own = card.runs[1].figure
    assert (own.n, own.score, own.low, own.high) == (row.n, row.score, row.low, row.high)
    assert own.states == row.states


def test_two_models_are_compared_by_skill_with_a_plain_verdict(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        others = find_others(connection, [made.entry("mine")])
    assert [(one.name, len(one.runs)) for one in others] == [
        ("<b>model</b>", 1),
        ("model B", 1),
        ("random", 1),
    ]
    card = made.card("mine", others=others[1:])
    (comparison,) = card.comparisons
    assert (comparison.name, comparison.datasets) == ("model B", [made.options.reference])
    rows = {row.skill: row.difference for row in comparison.rows}
    assert set(rows) == {"all", "where", "how_much"}
    where = rows["where"]
    assert where is not None
    assert (where.mine, where.theirs, where.n) == (pytest.approx(4 / 6), 1.0, 6)
    assert where.difference == pytest.approx(-2 / 6)
    assert where.verdict == "undecided"
    assert where.words.startswith("not decided: model A −33 points, −")
    row = {one.name: one for one in card.references}["random"]
    assert (row.calls_model, row.solver, row.overall.n) == (False, "random", 14)


def test_runs_with_tools_stand_beside_those_without(made: Made) -> None:
    card = made.card("tools", "mine")
    assert [(run.run, run.counted) for run in card.runs] == [
        (made.runs["tools"], False),
        (made.runs["mine"], True),
    ]
    assert card.overall.score == pytest.approx(6 / 14)
    (way,) = card.ways
    assert (way.solver, way.tool_set, way.beside) == ("react", "all", "direct")
    assert way.difference is not None
    assert way.difference.difference == pytest.approx(13 / 14 - 6 / 14)
    assert way.difference.verdict == "better"
    assert way.name == "react with tools"
    assert way.difference.words.startswith("react with tools is better: 50 points, ")
    alone = made.card("tools")
    assert alone.overall.score == pytest.approx(13 / 14)
    assert alone.ways == []


def test_the_skill_tools_counts_runs_with_tools_alone(made: Made) -> None:
    card = made.card("bare", "bare_tools")
    assert [run.counted for run in card.runs] == [False, True]
    (tools,) = [one.figure for one in card.skills if one.skill == "tools"]
    assert (tools.n, tools.score, card.overall.score) == (4, 0.75, 0.75)
    (way,) = card.ways
    assert (way.name, way.beside_tool_set) == ("direct without tools", "all")
    alone = made.card("bare")
    (tools,) = [one.figure for one in alone.skills if one.skill == "tools"]
    assert (tools.n, tools.score, alone.overall.score) == (0, None, 0.25)


def test_runs_tell_how_they_asked_and_rules_are_no_runs_of_the_model(made: Made) -> None:
    card = made.card("mine", "rule")
    (run,) = card.runs
    assert (run.run, run.solver_version, run.seed, run.repeats) == (made.runs["mine"], 1, 1, 1)
    assert (run.temperature, run.max_tokens, run.variant) == (None, None, None)
    assert [one.name for one in card.references] == ["random"]
    assert (card.trigpoint, card.answered_until) == (__version__, run.finished_at)


def test_each_answer_that_is_not_right_is_in_one_exclusive_row(made: Made) -> None:
    card = made.card("mine", "directions")
    wrong = sum(one.count for one in card.errors if one.exclusive)
    assert wrong == card.overall.n - card.overall.states.correct


def test_a_run_that_is_not_complete_gives_no_score_and_the_card_says_why(made: Made) -> None:
    card = made.card("broken", "directions")
    assert (card.overall.score, card.overall.low) == (None, None)
    assert card.overall.why == (
        f"run {made.runs['broken']} (options@1, incomplete): of 14 answers 1 failed and 1 missing"
    )
    by_skill = {one.skill: one.figure for one in card.skills}
    assert by_skill["how_much"].score is None
    assert by_skill["which_way"].score is not None
    assert {one.name: one.count for one in card.errors}["error"] == 1


def test_examples_show_a_right_answer_of_the_best_and_a_wrong_one_of_the_worst(made: Made) -> None:
    (best, worst) = made.card("mine").examples
    assert (best.kind, best.template.template, best.outcome) == ("best", WHERE, "correct")
    assert (worst.kind, worst.template.template, worst.outcome) == ("worst", HOW_MUCH, "wrong")
    assert best.question == made.options.questions[0]
    assert worst.question == made.options.questions[9]
    assert worst.answer == "B"
    assert [one.name for one in worst.gold] == ["Option"]


def test_what_a_judge_says_stands_apart_and_is_that_of_its_board(made: Made) -> None:
    card = made.card("judged")
    (told,) = card.judged
    with connect(made.settings, Role.API) as connection:
        (row,) = read_board(connection, told.dataset, profile="judge_hybrid").rows
        with pytest.raises(UsageError, match="is a judge's"):
            make_card(connection, [made.entry("judge")])
    assert (told.run, told.judged) == (made.runs["judge"], made.runs["judged"])
    assert (told.score, told.low, told.high, told.n) == (row.score, row.low, row.high, row.n)
    assert card.overall.score == 0.5
    assert made.card("mine").judged == []


def test_nothing_of_hidden_questions_is_on_a_card(made: Made) -> None:
    card = made.card("mine", "tools")
    assert card.runs[0].figure.n == 14
    assert not any(made.options.questions[number] in card.as_json() for number in HIDDEN)


def test_the_same_runs_give_the_same_bytes(made: Made) -> None:
    assert made.card("mine", "directions").as_json() == made.card("mine", "directions").as_json()


def test_cards_of_no_run_or_of_one_that_is_not_there_are_refused(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        with pytest.raises(UsageError, match="needs a run"):
            make_card(connection, [])
        with pytest.raises(NotFound, match="There is no run 999"):
            make_card(connection, [CardRun(999, "gsqa/direct", "gsqa", "direct", None)])
