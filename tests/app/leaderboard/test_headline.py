"""By the mean of free-text F1 random answers beat models (fault 13 of docs/faults.md): no board is made of it."""

from statistics import mean

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from tests.support.factories import (
    area_question,
    azimuth_question,
    count_question,
    make_run,
    make_version,
    name_question,
)
from tests.support.scored_runs import score

QUESTIONS = [
    *(area_question(i, area=1234.5 * (1 + i)) for i in range(6)),
    *(azimuth_question(10 + i, azimuth=61.0 * i) for i in range(6)),
    *(count_question(20 + i, count=21 + i) for i in range(6)),
    *(name_question(30 + i, names=("Gasthaus zum Adler",)) for i in range(2)),
]
RIGHT = [
    *(f"{1234.5 * (1 + i)} m²" for i in range(6)),
    *(f"{61 * i}°" for i in range(6)),
    *(str(21 + i) for i in range(6)),
    *["Gasthaus zum Adler"] * 2,
]
"""Every answer is right; numbers in digits."""
GUESSED = [
    *["nine thousand seven hundred and twenty-four point five meters squared"] * 6,
    *["the north west"] * 6,
    *["twenty-nine"] * 6,
    *["Gasthaus zum Löwen"] * 2,
]
"""Hardly any is right; numbers in words, which gold is spelled out in there."""


def test_whoever_is_right_more_often_ranks_above_shared_words(database: Settings) -> None:
    version = make_version(database, QUESTIONS)
    for label, answers in (("right", RIGHT), ("guessed", GUESSED)):
        score(
            database,
            make_run(database, version, answers, label, "random" if label == "guessed" else "direct"),
        )
    with connect(database, Role.WORKER) as connection:
        rows = connection.execute(
            text(
                "select run.label, (score.components -> 'text_F1' ->> 'value')::float as f1 from score"
                " join prediction on prediction.id = score.prediction_id join run on run.id = prediction.run_id"
                " where score.profile = 'published'"
            )
        ).all()
    with connect(database, Role.API) as connection:
        board = read_board(connection, "toy")
    free_text = {label: mean(row.f1 for row in rows if row.label == label) for label in ("right", "guessed")}
    assert free_text["guessed"] > 2 * free_text["right"], "the fault, were this the headline"
    assert (board.profile, board.metric) == ("trigpoint", "mean_value")
    assert [row.name for row in board.rows] == ["right", "guessed"]
    first, last = (row.score for row in board.rows)
    assert first == 1.0
    assert last is not None
    assert last < 0.2
