"""Questions with contexts, several gold answers and none, from the record to exports, REST, scores and boards."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx
import pyarrow.parquet as pq
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.published.questions import Wanted, read_questions
from app.questions.records import QuestionRecord
from app.questions.stored import load_questions
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from app.scores.profiles import TRIGPOINT
from app.scores.scoring import score_run
from tests.support.command_line import export, lines, trigpoint
from tests.support.factories import MadeMap, MadeVersion, make_run
from tests.support.rich_questions import (
    CONTEXT,
    both,
    lines_by_template,
    make_rich,
    recording_endpoint,
    unanswerable,
    with_keys,
    with_parts,
)
from tests.support.service import serving
from tests.support.town import make_town

DRIVING = {"names": ["Somewhere Else"], "objects": [], "tolerated": []}
CHANGES = {
    "T5": both(with_parts(CONTEXT), with_keys(driving=DRIVING)),
    "T22": unanswerable,
    "T23": lambda one: one,
}
KEYS = {"driving": {"kind": "value", "value": DRIVING}}


class Made(NamedTuple):
    settings: Settings
    version: PublishedVersion
    records: dict[str, QuestionRecord]

    def answered(self, *answers: object) -> int:
        """A run that gave these answers to the three questions; a pair is the state and the text."""
        ids = [self.records[name].id for name in CHANGES]
        version = MadeVersion(self.version.id, self.version.name, 1, MadeMap(0, ""), ids)
        run = make_run(self.settings, version, [one if isinstance(one, str) else None for one in answers])
        with connect(self.settings, Role.WORKER) as connection:
            for question, answer in zip(ids, answers, strict=True):
                if isinstance(answer, tuple):
                    connection.execute(
                        text(
                            "update prediction set answer = :said where run_id = :run and question_id = :question"
                        ),
                        {"said": answer[0], "run": run, "question": question},
                    )
            connection.commit()
        return run


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Made:
    settings = make_database()
    file = make_town().write(tmp_path_factory.mktemp("rich") / "town.osm")
    return Made(settings, *make_rich(settings, file, "rich", CHANGES))


def scores_of(made: Made, run: int, gold_key: str = "default") -> dict[str, tuple[str, float]]:
    """Outcome and value by template, and of the board's mean under `mean`."""
    profile = TRIGPOINT.under(gold_key)
    with connect(made.settings, Role.WORKER) as connection:
        score_run(connection, run, profile=profile)
        connection.commit()
        rows = connection.execute(
            text(
                "select question.template, score.outcome, score.value from score join prediction"
                " on prediction.id = prediction_id join question on question.version_id = prediction.version_id"
                " and question.id = question_id where run_id = :run and profile = :profile and gold_key = :key"
            ),
            {"run": run, "profile": profile.name, "key": gold_key},
        ).all()
    with connect(made.settings, Role.API) as connection:
        board = read_board(connection, "rich", gold_key=gold_key)
    (row,) = (row for row in board.rows if row.run == run)
    assert row.score is not None
    return {one.template: (one.outcome, one.value) for one in rows} | {"mean": (board.profile, row.score)}


def test_what_is_stored_is_what_the_record_says(made: Made) -> None:
    with connect(made.settings, Role.MAINTAINER) as connection:
        stored = {one.template: one for one in load_questions(connection, made.version)}
        found = verify(connection, list(stored.values()), lambda done: None)
    assert stored["T5"].gold_keys == KEYS
    assert stored["T22"].gold_kind == "unanswerable"
    assert stored["T23"].gold_keys == {}
    for template, record in made.records.items():
        assert stored[template].prompt == record.prompt
        assert stored[template].revision == record.revision
    # The map does not say what the records now say: the stored SQL shows it, and nothing else differs.
    told = {(one.template, one.path) for one in found.failures}
    assert ("T5", "stored_sql") in told
    assert ("T22", "stored_sql") in told
    assert not any(template == "T23" or path == "identity" for template, path in told)


def test_exports_hold_parts_and_keys_and_nothing_more_for_other_questions(made: Made, tmp_path: Path) -> None:
    rows = lines_by_template(lines(export(made.settings, "rich", tmp_path / "a", "--with-gold")))
    assert rows["T5"]["prompt"] == made.records["T5"].prompt
    assert rows["T5"]["text"].startswith("Information of Krone:\n{")
    assert rows["T5"]["gold_keys"] == KEYS
    assert rows["T22"]["gold_kind"] == "unanswerable"
    assert rows["T23"].keys() == {
        "id", "prompt_hash", "template", "template_version", "snapshots", "text", "options", "answer_type", "split",
        "gold",
    }  # fmt: skip
    bare = lines_by_template(lines(export(made.settings, "rich", tmp_path / "b")))
    assert not {"gold", "gold_keys", "gold_kind"} & {key for row in bare.values() for key in row}
    export(made.settings, "rich", tmp_path / "c", "--format", "croissant", "--with-gold")
    table = pq.read_table(tmp_path / "c" / "data" / "public-00000-of-00001.parquet").to_pylist()
    by_template = {row["template"]: row for row in table}
    assert json.loads(by_template["T5"]["gold_keys"]) == KEYS
    assert json.loads(by_template["T5"]["prompt"])[0] == CONTEXT
    assert by_template["T23"]["prompt"] is None


def test_questions_show_their_parts_and_are_found_by_the_words_of_a_context(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        (found,) = read_questions(connection, Wanted(dataset="rich", words="sunday", gold=True), None, 10)
        plain = read_questions(connection, Wanted(dataset="rich", template="T23"), None, 10)[0].question
    assert found.question.parts is not None
    assert found.question.parts[0]["document"] == CONTEXT["document"]
    assert found.question.gold_keys == KEYS
    assert plain.parts is None


def test_saying_that_there_is_no_answer_is_right_where_there_is_none(made: Made) -> None:
    for said in (
        "I do not know.",
        "Answer: this question cannot be answered.",
        "<think>45</think> Unanswerable",
    ):
        found = scores_of(made, made.answered("x", (said,), "0 m"))
        assert found["T22"] == ("correct", 1.0), said
    assert scores_of(made, made.answered("x", "45 degrees", "0 m"))["T22"] == ("wrong", 0.0)
    assert "T22" not in scores_of(made, made.answered("x", ("",), "0 m"))
    assert "T5" not in scores_of(made, made.answered(("I do not know",), "1", "0 m"))


def test_a_run_is_scored_by_the_gold_of_a_key_beside_the_default(made: Made) -> None:
    run = made.answered("Somewhere Else", ("I cannot answer",), "nothing")
    first = scores_of(made, run)
    assert first["T5"] == ("wrong", 0.0)
    assert first["mean"] == ("trigpoint", pytest.approx(1 / 3))
    driving = scores_of(made, run, "driving")
    assert driving["T5"] == ("correct", 1.0)
    assert driving["mean"] == ("trigpoint:driving", pytest.approx(2 / 3))
    assert scores_of(made, run) == first
    done = trigpoint(made.settings, "run", "rescore", str(run), "--gold-key", "driving", "--json")
    assert done.json["profile"] == "trigpoint:driving", done.err
    refused = trigpoint(made.settings, "run", "rescore", str(run), "--gold-key", "flying")
    assert refused.status != 0
    assert "default, driving" in refused.err.replace("\n", " ")


def test_the_oracle_says_that_there_is_no_answer(made: Made) -> None:
    done = trigpoint(made.settings, "evaluate", "rich", "--solver", "oracle", "--json")
    assert done.status == 0, done.err
    with connect(made.settings, Role.API) as connection:
        board = read_board(connection, "rich")
    assert [row.score for row in board.rows if row.run == done.json["run"]] == [1.0]


def test_a_model_is_asked_with_the_context_before_the_question(made: Made) -> None:
    with recording_endpoint("I do not know") as (address, asked):
        done = trigpoint(
            made.settings,
            "evaluate",
            "rich",
            "--solver",
            "direct",
            "--endpoint",
            address,
            "--model",
            "m",
            "--json",
        )
    assert done.status == 0, done.err
    texts = [body["messages"][-1]["content"] for body in asked]
    assert any(one.startswith("Information of Krone:\n{\n") and "<b>Sunday</b>" in one for one in texts)


def test_the_page_of_each_question_shows_what_it_has(made: Made) -> None:
    with serving(made.settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        pages = {
            template: client.get(f"/datasets/rich/questions/{record.id}")
            for template, record in made.records.items()
        }
    assert {page.status_code for page in pages.values()} == {200}
    shown = {template: page.text for template, page in pages.items()}
    assert "Information of Krone" in shown["T5"]
    assert "&lt;b&gt;Sunday&lt;/b&gt;" in shown["T5"]
    assert "Gold under the key <bdi>driving</bdi>" in shown["T5"]
    assert "Somewhere Else" in shown["T5"]
    assert "This question cannot be answered. It is right to say so." in shown["T22"]
    assert 'id="unanswerable"' not in shown["T23"]
