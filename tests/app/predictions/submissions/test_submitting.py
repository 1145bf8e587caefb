"""Submissions from the file to the board: stored, scored as any run is, withdrawn, deleted; and who may see what."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app.core.clock import ManualClock
from app.core.errors import BadSubmission, Conflict, Fenced, NotFound, TooMany, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.pairwise import compare_runs
from app.predictions.submissions import storing, taking
from app.predictions.submissions.storing import (
    Checked,
    Submission,
    add_submission,
    begin_writing,
    check_answers,
    end_submission,
    question_ids,
    read_submission,
)
from app.questions.versions import PublishedVersion, find_version
from app.scores.submitted import score_submissions
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, option_question
from tests.support.processes import query, scalar
from tests.support.scored_runs import MadeBoard, make_knowledge_board

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeBoard]:
    settings = make_database()
    return settings, make_knowledge_board(settings)


@pytest.fixture
def settings(made: tuple[Settings, MadeBoard]) -> Iterator[Settings]:
    yield made[0]
    with connect(made[0], Role.OWNER) as connection:
        connection.execute(text("truncate submission, submission_answer, agent_session, agent_session_call"))
        connection.execute(text("delete from run where solver = 'submitted'"))
        connection.execute(text("delete from api_key"))
        connection.commit()


def answers_of(board: MadeBoard, choose: Callable[[int], str | None] = lambda number: "A") -> bytes:
    rows = [{"id": name, "answer": choose(place)} for place, name in enumerate(board.version.questions)]
    return "\n".join(map(json.dumps, rows)).encode()


def key(settings: Settings, name: str) -> int:
    statement = (
        "insert into api_key (prefix, hash, name, role, requests_per_minute, created_at)"
        " values (:name, 'x', :name, 'submitter', 60, now()) returning id"
    )
    with connect(settings, Role.OWNER) as connection:
        number: int = connection.execute(text(statement), {"name": name}).scalar_one()
        connection.commit()
    return number


def writable(connection: Connection) -> Connection:
    begin_writing(connection)
    return connection


def add(
    settings: Settings,
    data: bytes,
    name: str = "mine",
    key_id: int | None = None,
    role: Role = Role.API,
    now: datetime = NOW,
    dataset: str = "toy_knowledge",
    **card: Any,
) -> storing.Taken:
    with connect(settings, role) as connection:
        version, checked = look(connection, data, {"name": name} | card, dataset)
        begin_writing(connection)
        taken = add_submission(connection, version, checked, BytesIO(data), now, key_id=key_id)
        connection.commit()
    return taken


def look(
    connection: Connection, data: bytes, card: dict[str, Any], dataset: str = "toy_knowledge"
) -> tuple[PublishedVersion, Checked]:
    version = find_version(connection, dataset)
    ids = question_ids(connection, version)
    connection.rollback()
    return version, check_answers(version, ids, BytesIO(data), card)


def read(settings: Settings, number: int, now: datetime = NOW) -> Submission:
    with connect(settings, Role.API) as connection:
        return read_submission(connection, number, None, now)


def work(settings: Settings, now: datetime = NOW) -> int:
    with connect(settings, Role.WORKER) as connection:
        return score_submissions(connection, ManualClock(now), "test")


def row_of(settings: Settings, name: str) -> Any:
    with connect(settings, Role.API) as connection:
        rows = [row for row in read_board(connection, "toy_knowledge").rows if row.name == name]
    return rows[0] if rows else None


def test_an_answer_that_says_it_does_not_know_is_silent_as_in_a_run(settings: Settings) -> None:
    """The prompt asks for these words; "unread" would blame the form of the answer."""
    with connect(settings, Role.API) as connection:
        ids = question_ids(connection, find_version(connection, "toy_knowledge"))
    hidden = {row.id for row in query(settings, "select id from question where split = 'hidden'")}
    words = (" I do not know.\n", "Answer: I do not know.\n\nThe answer is: I do not know.", "", "no letter")
    lines = (
        json.dumps({"id": name, "answer": words[i % 4]})
        for i, name in enumerate(sorted(ids, key=hidden.__contains__))
    )
    add(settings, "\n".join(lines).encode(), "modest")
    work(settings)
    public = len(ids) - len(hidden)
    unread = sum(i % 4 == 3 for i in range(public))
    states = row_of(settings, "modest").states
    assert (states.no_answer, states.unparseable + states.wrong) == (public - unread, unread)


def test_a_submission_is_scored_as_the_same_answers_of_a_run_are(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    data = answers_of(made[1])
    taken = add(settings, data, contact="me@example.org", sampling={"temperature": 0.5})
    waiting = read(settings, taken.id, NOW + timedelta(seconds=30))
    assert (waiting.state, waiting.before, waiting.age_seconds, waiting.run) == ("waiting", 0, 30.0, None)
    assert waiting.deadline is not None
    assert read(settings, taken.id, waiting.deadline + timedelta(seconds=1)).next == storing.OVERDUE
    assert (work(settings), work(settings)) == (1, 0)
    scored = read(settings, taken.id)
    assert (scored.state, scored.deadline, scored.self_reported) == ("scored", None, True)
    assert "me@example.org" not in scored.model_dump_json()
    row, same = row_of(settings, "mine"), row_of(settings, "scripted:first-option")
    assert (row.solver, row.rank) == ("submitted", same.rank)
    assert (row.score, row.low, row.high, row.states) == (same.score, same.low, same.high, same.states)
    assert (
        scalar(settings, "select sampling ->> 'temperature' from run where id = :id", id=scored.run) == "0.5"
    )
    assert scalar(settings, "select count(*) from submission_answer") == 0


def test_repeats_and_answers_that_are_none_are_counted(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    rows = [
        {"id": name, "answer": ["B", None][repeat], "repeat": repeat}
        for name in made[1].version.questions
        for repeat in (0, 1)
    ]
    number = add(settings, json.dumps(rows).encode()).id
    assert work(settings) == 1
    assert (read(settings, number).repeats, row_of(settings, "mine").states.no_answer) == (2, 44)


def test_what_is_not_complete_leaves_nothing(made: tuple[Settings, MadeBoard], settings: Settings) -> None:
    data = answers_of(made[1]).replace(b'"A"', b"3", 1)
    with pytest.raises(BadSubmission, match="line 1: its answer is not a text"):
        add(settings, data)
    assert query(settings, "select 1 from submission") == []


def test_the_same_again_is_the_same_and_a_name_is_whose_it_was_first(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    ada, bob = key(settings, "ada"), key(settings, "bob")
    data = answers_of(made[1])
    first = add(settings, data, key_id=ada)
    assert add(settings, data, key_id=ada) == storing.Taken(first.id, "same")
    assert add(settings, answers_of(made[1], lambda _: "B"), key_id=ada).was == "new"
    with pytest.raises(Conflict, match="Somebody else has submitted 'MINE'"):
        add(settings, data, name="MINE", key_id=bob)
    assert work(settings) == 2
    assert row_of(settings, "mine").run == read(settings, first.id + 1).run


def test_a_name_that_looks_like_anothers_is_refused(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    eve, bob = key(settings, "eve"), key(settings, "bob2")
    data = answers_of(made[1])
    assert add(settings, data, name="oco-40", key_id=eve).was == "new"
    before = query(settings, "select count(*) from submission")
    for name in ("осо-40", "oco-4o", "оcо-40".replace("c", "с"), "осо–4О"):
        with pytest.raises(Conflict, match="looks like 'oco-40'"):
            add(settings, data, name=name, key_id=bob)
    for name in (
        "oco (self-reported)",
        "oracle (Run by us)",
        "mine (GUIDED)",
    ):
        with pytest.raises(Conflict, match="which only this service writes"):
            add(settings, data, name=name, key_id=bob)
    for name, like in (
        ("oracle", "oracle"),
        ("0racle", "oracle"),
        ("ORАСLE".replace("А", "A").replace("С", "C").replace("O", "0"), "oracle"),
        ("scripted:first_option", "scripted:first-option"),
        ("scripted:flrst-option", "scripted:first-option"),
    ):
        with pytest.raises(Conflict, match=f"looks like '{like}'"):
            add(settings, data, name=name, key_id=bob)
    for name in ("оracle", "my οracle", "orac\u200ble", "\u202eelcaro", "ora\u3164cle"):
        with pytest.raises(UsageError, match=r"not well formed\. name: must"):
            add(settings, data, name=name, key_id=bob)
    assert query(settings, "select count(*) from submission") == before
    assert add(settings, data, name="OCO-40", key_id=eve).was == "new", (
        "one's own name may be written otherwise"
    )
    assert add(settings, data, name="scripted:first-option", key_id=bob).was == "new", (
        "the same model, asked elsewhere"
    )


def test_twenty_a_day_of_a_key_and_failed_ones_are_free(
    made: tuple[Settings, MadeBoard], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_A_DAY", 2)
    ada = key(settings, "ada")
    data = answers_of(made[1])
    numbers = [add(settings, data, name=name, key_id=ada).id for name in "ab"]
    with pytest.raises(TooMany):
        add(settings, data, name="c", key_id=ada)
    with connect(settings, Role.OWNER) as connection:  # as when rows were lost
        connection.execute(
            text("delete from submission_answer where submission_id = :id and repeat = 0"), {"id": numbers[0]}
        )
        connection.commit()
    assert work(settings) == 2
    failed = read(settings, numbers[0])
    assert (failed.state, failed.run) == ("failed", None)
    assert failed.error is not None
    assert failed.error.startswith("48 answers were checked and 0 are stored")
    number = add(settings, data, name="c", key_id=ada).id
    with pytest.raises(TooMany):
        add(settings, data, name="d", key_id=ada)
    with connect(settings, Role.API) as connection:
        end_submission(writable(connection), number, ada, NOW, forget=True)
        connection.commit()
    with pytest.raises(TooMany):  # or hidden gold could be tried out by deleting
        add(settings, data, name="d", key_id=ada)
    assert add(settings, data, name="d", key_id=ada, now=NOW + timedelta(days=1, seconds=1)).was == "new"


def test_all_keys_of_an_owner_share_a_quota_over_all_data_sets(
    made: tuple[Settings, MadeBoard], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_A_DAY", 1)
    keys = [key(settings, name) for name in ("ada", " Ada")]
    assert add(settings, answers_of(made[1]), name="a", key_id=keys[0]).was == "new"
    with pytest.raises(TooMany, match="with whatever key"):
        add(settings, answers_of(made[1]), name="b", key_id=keys[1])
    assert add(settings, answers_of(made[1]), name="c", key_id=key(settings, "bob")).was == "new"


def test_so_many_submissions_of_an_owner_count_hidden_questions(
    made: tuple[Settings, MadeBoard], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the three, the third counts only public questions and has no rank; after a while one counts them again."""
    monkeypatch.setattr(storing, "MOST_HIDDEN", 2)
    questions = [option_question(i, i % 4, split="hidden" if i % 2 else "public") for i in range(40)]
    version = make_version(settings, questions, name="half_hidden")
    data = answers_of(MadeBoard(version, {}), lambda place: "ABCD"[place % 4])
    keys = [key(settings, "ada"), key(settings, "ADA")]
    numbers = [
        add(
            settings,
            data,
            name=name,
            key_id=keys[days % 2],
            now=NOW + timedelta(days=days),
            dataset="half_hidden",
        ).id
        for name, days in (("a", 0), ("b", 0), ("c", 1), ("d", 60))
    ]
    assert [read(settings, number).public_only for number in numbers] == [False, False, True, False]
    assert work(settings) == 4
    with connect(settings, Role.API) as connection:
        board = read_board(connection, "half_hidden")
        runs = {row.name: row for row in board.rows}
        assert [(row.rank, row.n, row.public_only) for row in (runs[name] for name in "abcd")] == [
            (1, 40, False),
            (1, 40, False),
            (None, 20, True),
            (1, 40, False),
        ]
        assert [row.name for row in board.rows] == ["a", "b", "d", "c"], "it stands beside the others"
        assert {row.n for row in board.templates["Find_Nearest_POI"].rows} == {20}
        with pytest.raises(Conflict, match="counts only public questions"):
            compare_runs(connection, [runs["a"].run, runs["c"].run])


def test_withdrawn_is_off_the_board_and_deleted_is_gone(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    ada, bob = key(settings, "ada"), key(settings, "bob")
    number = add(settings, answers_of(made[1]), key_id=ada, contact="me@example.org").id
    work(settings)
    run = read(settings, number).run
    with connect(settings, Role.API) as connection:
        for _ in range(2):
            begin_writing(connection)
            with pytest.raises(NotFound):
                end_submission(connection, number, bob, NOW, forget=True)
            with pytest.raises(NotFound):
                read_submission(connection, number, bob, NOW)
            end_submission(connection, number, ada, NOW, forget=False)
            connection.commit()
    withdrawn = read(settings, number)
    assert (withdrawn.state, len(withdrawn.log), row_of(settings, "mine")) == ("withdrawn", 2, None)
    assert scalar(settings, "select count(*) from prediction where run_id = :id", id=run) == 48
    with connect(settings, Role.API) as connection:
        end_submission(writable(connection), number, ada, NOW, forget=True)
        connection.commit()
        begin_writing(connection)
        with pytest.raises(NotFound):
            end_submission(connection, number, ada, NOW, forget=True)
    deleted = read(settings, number)
    assert (deleted.state, deleted.name, deleted.card, deleted.run) == ("deleted", "deleted", None, None)
    assert scalar(settings, "select count(*) from prediction where run_id = :id", id=run) == 0
    assert scalar(settings, "select contact from submission where id = :id", id=number) is None


def test_one_that_kills_its_workers_fails_and_one_that_is_withdrawn_meanwhile_is_left_alone(
    made: tuple[Settings, MadeBoard], settings: Settings
) -> None:
    number = add(settings, answers_of(made[1])).id
    now = NOW
    for _ in range(taking.MOST_ATTEMPTS):
        with connect(settings, Role.WORKER) as connection:
            claimed = taking.claim(connection, now, "killed")
            connection.commit()
            assert claimed is not None
            assert taking.claim(connection, now, "other") is None
        now += taking.LEASE + timedelta(seconds=1)
    assert claimed is not None
    assert work(settings, now) == 0
    assert (read(settings, number).state, read(settings, number).error) == ("failed", taking.LOST)
    with pytest.raises(Fenced), connect(settings, Role.WORKER) as connection:
        taking.take(connection, claimed, now)


@pytest.mark.parametrize(
    "statement",
    [
        "select contact from submission",
        "select * from submission",
        "select answer from submission_answer",
        "update submission set state = 'scored'",
        "insert into submission (version_id) values (1)",
        "delete from submission_answer",
    ],
)
def test_the_api_reads_no_contact_and_no_answer(settings: Settings, statement: str) -> None:
    with connect(settings, Role.API) as connection, pytest.raises(DBAPIError) as caught:
        writable(connection).execute(text(statement))
    assert isinstance(caught.value.orig, psycopg.errors.InsufficientPrivilege)


# --- the command line -----------------------------------------------------------------------------------------------


def test_trigpoint_submit(made: tuple[Settings, MadeBoard], settings: Settings, tmp_path: Any) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(answers_of(made[1]))
    options = (
        "--name",
        "my model",
        "--tool",
        "maps",
        "--sampling",
        "temperature=0",
        "--contact",
        "a@example.org",
    )
    done = trigpoint(settings, "submit", "toy_knowledge@1", str(file), *options, "--run-by-us", "--json")
    assert (done.status, done.json["state"], done.json["self_reported"]) == (0, "scored", False), done.err
    assert done.json["card"]["tools"] == ["maps"]
    assert done.json["card"]["sampling"] == {"temperature": 0}
    again = trigpoint(settings, "submit", "toy_knowledge@1", str(file), *options, "--run-by-us", "--json")
    assert (again.json["submission"], "were sent before" in again.err) == (done.json["submission"], True)
    number = str(done.json["submission"])
    assert trigpoint(settings, "submission", "list", "--json").json["submissions"][0] == again.json | {
        "age_seconds": pytest.approx(again.json["age_seconds"], abs=60)
    }
    assert "scored" in trigpoint(settings, "submission", "show", number).out
    assert trigpoint(settings, "submission", "withdraw", number, "--json").json["state"] == "withdrawn"
    assert trigpoint(settings, "submission", "delete", number, "--json").json["state"] == "deleted"
    assert trigpoint(settings, "submission", "delete", number).status == 2
    rescored = trigpoint(settings, "submit", "toy_knowledge", str(file), "--name", "m", "--json")
    assert trigpoint(settings, "run", "rescore", str(rescored.json["run"])).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no_such", "FILE", "--name", "m"), "There is no published data set"),
        (("toy_knowledge", "/no/such", "--name", "m"), "/no/such cannot be read"),
        (("toy_knowledge", "FILE"), "The submission has no name"),
        (("toy_knowledge", "FILE", "--name", "m", "--sampling", "hot"), "give NAME=VALUE"),
        (("toy_knowledge", "FILE", "--name", "m\x1b"), "The card is not well formed. name:"),
    ],
    ids=range(5),
)
def test_what_cannot_be_submitted_is_said(
    made: tuple[Settings, MadeBoard], settings: Settings, tmp_path: Any, arguments: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(answers_of(made[1]))
    done = trigpoint(settings, "submit", *(str(file) if one == "FILE" else one for one in arguments))
    assert (done.status, said in done.err) == (UsageError.exit_code, True), done.err


def test_faults_are_told_by_line(made: tuple[Settings, MadeBoard], settings: Settings, tmp_path: Any) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(answers_of(made[1]) + b"\nnonsense")
    done = trigpoint(settings, "submit", "toy_knowledge", str(file), "--name", "m")
    assert (done.status, "line 49: it is not JSON: write" in done.err) == (1, True), done.err
