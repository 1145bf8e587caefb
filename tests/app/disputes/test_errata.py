"""Errata on the toy town: a question left out, or its gold derived anew; proved, made again, and on a board at once."""

import json
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.withholding import in_steps
from tests.support.command_line import TRIGPOINT, Done, environment, export, generate, lines, trigpoint
from tests.support.errata import Tamper, decide, give_another_answer, open_dispute, tampering
from tests.support.factories import (
    MadeMap,
    MadeVersion,
    QuestionSpec,
    make_run,
    make_version,
    option_question,
    options_dataset,
)
from tests.support.processes import query, scalar, wait_until
from tests.support.random_edits import Editing
from tests.support.scored_runs import score
from tests.support.town import TIMESTAMP, import_map, make_town_of_neighbours

MADE = ("urban_knowledge", "town", "toy", "--bank", "3", "--per-template", "2", "--hidden", "0.25")
COUNTED = (
    "dataset_version",
    "question",
    "gold",
    "run",
    "prediction",
    "score",
    "board_aggregate",
    "lineage",
    "audit",
)
NOWHERE = MadeMap(0, "")


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    made = make_database()
    import_map(made, make_town_of_neighbours().write(tmp_path_factory.mktemp("town") / "town.osm"), "town")
    done = generate(made, *MADE)
    assert done.status == 0, done.err
    return made


@pytest.fixture
def own(settings: Settings, request: pytest.FixtureRequest) -> str:
    """The name of a data set of the test's own."""
    name = request.node.name[5:50]
    assert generate(settings, *MADE[:2], name, *MADE[3:]).status == 0
    return name


@pytest.fixture
def tamper(superuser_of: Callable[[Settings], str]) -> Tamper:
    """Changes a published version as only who owns the database can."""
    return tampering(superuser_of)


def answer_all(settings: Settings, dataset: str, label: str, solver: str, letter: str | None) -> None:
    """A scored run that answers every question by the letter, or by its stored gold."""
    rows = query(
        settings,
        "select question.version_id, question.id, gold.value from question"
        " join gold on gold.version_id = question.version_id and gold.question_id = question.id"
        " join dataset_version on dataset_version.id = question.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id"
        " where dataset.name || '@' || number = :dataset order by position",
        dataset=dataset,
    )
    version = MadeVersion(rows[0].version_id, dataset, 1, NOWHERE, [row.id for row in rows])
    answers = [letter or "ABCDE"[row.value["index"]] for row in rows]
    score(settings, make_run(settings, version, answers, label, solver))


def board(settings: Settings, dataset: str) -> str:
    done = trigpoint(settings, "leaderboard", dataset, "--json")
    assert done.status == 0, done.err
    return done.out


def counts(settings: Settings) -> dict[str, int]:
    return {table: scalar(settings, f"select count(*) from {table}") for table in COUNTED if table != "audit"}


def right_without(settings: Settings, version: str, run: int, question: str) -> tuple[int, int]:
    """From the old version's scores, not from any board: right answers, and questions, without that one.

    Hidden questions do not count: nine are left, which is too few.
    """
    (row,) = query(
        settings,
        "select count(*) filter (where score.outcome = 'correct') as right, count(*) as n from prediction"
        " left join score on score.prediction_id = prediction.id and score.profile = 'trigpoint'"
        " join question on question.version_id = prediction.version_id and question.id = prediction.question_id"
        " where run_id = :run and question_id <> :question and question.split = 'public'",
        run=run,
        question=question,
    )
    return row.right, row.n


def test_a_voided_question_is_left_out_and_nothing_else_changes(settings: Settings, tmp_path: Path) -> None:
    answer_all(settings, "toy@1", "always B", "direct", "B")
    answer_all(settings, "toy@1", "oracle", "oracle", None)
    before = export(settings, "toy@1", tmp_path / "before", "--with-gold", "--include-hidden")
    told, board_before = lines(before), board(settings, "toy@1")
    question = next(one["id"] for one in told if one["split"] == "hidden")
    number = open_dispute(settings, "toy", question)
    steps = scalar(settings, "select count(*) from step")
    done = decide(settings, number, "void")
    assert done.status == 0, done.err
    assert (done.json["outcome"], done.json["erratum"], done.json["decision"]) == (
        "voided",
        "toy@2",
        "So it is.",
    )
    after = lines(export(settings, "toy@2", tmp_path / "after", "--with-gold", "--include-hidden"))
    assert after == [one for one in told if one["id"] != question]
    assert trigpoint(settings, "verify", "toy@2").status == 0
    again = trigpoint(settings, "reproduce", "toy@2", "--json")
    assert (again.status, again.json["identical"]) == (0, True), again.err
    assert export(settings, "toy@1", tmp_path / "still", "--with-gold", "--include-hidden") == before
    assert board(settings, "toy@1") == board_before
    runs = {row["name"]: row["run"] for row in json.loads(board_before)["rows"]}
    rows = json.loads(board(settings, "toy@2"))["rows"]
    assert [row["name"] for row in rows] == ["oracle", "always B"]
    for row in rows:
        right, n = right_without(settings, "toy@1", runs[row["name"]], question)
        assert (row["score"], row["n"], row["states"]["correct"]) == (right / n, n, right)
        assert row["low"] <= right / n <= row["high"]
        assert row["low"] < row["high"]
        assert row["carried_from"] == runs[row["name"]]
    assert scalar(settings, "select count(*) from step") == steps
    found = query(
        settings, "select outcome, count(*) from lineage where origin = 'erratum' group by 1 order by 1"
    )
    assert [tuple(row) for row in found] == [("kept", len(after)), ("voided", 1)]
    assert "toy@2 corrects this version: 1 question voided" in trigpoint(settings, "leaderboard", "toy@1").err
    same = generate(settings, *MADE)
    assert (same.json["version"], "nothing differs" in same.err) == (2, True)


@pytest.mark.long
def test_what_is_voided_stays_out_of_later_versions(settings: Settings, own: str, tmp_path: Path) -> None:
    question = lines(export(settings, own, tmp_path / "first"))[-1]["id"]
    assert decide(settings, open_dispute(settings, own, question), "void").status == 0
    other = generate(settings, *MADE[:2], own, *MADE[3:], "--seed", "1", "--per-template", "3")
    assert other.json["version"] == 3
    assert question not in [one["id"] for one in lines(export(settings, own, tmp_path / "third"))]
    assert trigpoint(settings, "reproduce", own).status == 0


def test_gold_that_still_follows_from_the_map_is_not_corrected(settings: Settings, tmp_path: Path) -> None:
    question = lines(export(settings, "toy", tmp_path))[0]["id"]
    number = open_dispute(settings, "toy", question)
    before = counts(settings)
    done = decide(settings, number, "correct")
    assert (done.status, "there is nothing to correct" in done.err) == (1, True), done.err
    assert counts(settings) == before
    assert scalar(settings, "select state from dispute where id = :id", id=int(number)) == "open"


@pytest.mark.long
def test_wrong_gold_is_derived_anew(settings: Settings, own: str, tamper: Tamper, tmp_path: Path) -> None:
    whole = ("--with-gold", "--include-hidden")
    right = {one["id"]: one for one in lines(export(settings, own, tmp_path / "right", *whole))}
    question = give_another_answer(settings, tamper, own, "Find_Nearest_POI")
    answer_all(settings, f"{own}@1", "always B", "direct", "B")
    answer_all(settings, f"{own}@1", "oracle", "oracle", None)
    assert trigpoint(settings, "verify", own).status == 1
    done = decide(settings, open_dispute(settings, own, question), "correct")
    assert (done.status, done.json["outcome"]) == (0, "corrected"), done.err
    assert "oracle) is not: its solver reads gold" in done.err
    after = lines(export(settings, f"{own}@2", tmp_path / "after", *whole))
    assert {one["id"]: one for one in after} == right
    assert trigpoint(settings, "verify", f"{own}@2").status == 0
    again = trigpoint(settings, "reproduce", f"{own}@2", "--json")
    assert (again.status, again.json["identical"]) == (0, True), again.err
    shown = json.loads(board(settings, f"{own}@2"))
    (row,) = shown["rows"]
    said = query(settings, "select question_id, answer from prediction where run_id = :run", run=row["run"])
    told = lines(export(settings, f"{own}@2", tmp_path / "told", "--with-gold"))
    public = {one["id"] for one in told if "gold" in one}
    gold = {name: "ABCDE"[one["gold"]["index"]] for name, one in right.items()}
    correct = Counter(one.question_id in public for one in said if gold[one.question_id] == one.answer)
    hidden = len(right) - len(public)
    assert shown["hidden"] == hidden > 0
    assert row["states"]["correct"] == correct[True] + in_steps(correct[False], hidden)


def _import_without(settings: Settings, keys: list[str], day: int, folder: Path) -> None:
    """The town's map of a later day, without these nodes."""
    timestamp = f"2024-05-{day:02}T00:00:00Z"
    edited = Editing(make_town_of_neighbours().xml().replace(TIMESTAMP, timestamp), timestamp)
    gone = {key.removeprefix("n") for key in keys}
    edited.root[:] = [one for one in edited.root if one.tag != "node" or one.get("id") not in gone]
    import_map(settings, edited.write(folder / f"{day}.osm"), "town")


@pytest.mark.long
def test_what_was_refreshed_is_put_right_and_made_again(
    database: Settings, tamper: Tamper, tmp_path: Path
) -> None:
    """Replacements and carried questions are voided and corrected between refreshes: each version is made again."""
    _import_without(database, [], 1, tmp_path)
    assert generate(database, *MADE).status == 0
    asked = query(
        database,
        "select proof.parameters ->> 'poi' as poi from question join proof on question.id = question_id"
        " and question.version_id = proof.version_id where template = 'Retrieve_Coordinates' order by position",
    )
    gone = [row.poi for row in asked]
    _import_without(database, gone[:1], 2, tmp_path)
    versions = iter(range(2, 9))

    def made_again(done: Done) -> None:
        assert done.status == 0, done.err
        again = trigpoint(database, "reproduce", "toy", "--json")
        assert (again.status, again.json["differing"], again.json["version"]) == (0, [], next(versions)), (
            again.err
        )

    def void(question: str) -> None:
        made_again(decide(database, open_dispute(database, "toy", question), "void"))

    made_again(trigpoint(database, "refresh", "toy", "--snapshot", "town"))
    fate = "select min(to_question_id) from lineage where outcome = :fate"
    void(scalar(database, fate, fate="replaced"))
    void(scalar(database, f"{fate} and origin = 'refresh'", fate="kept"))
    question = give_another_answer(database, tamper, "toy", "Find_Nearest_POI")
    made_again(decide(database, open_dispute(database, "toy", question), "correct"))
    _import_without(database, gone, 3, tmp_path)
    made_again(trigpoint(database, "refresh", "toy", "--snapshot", "town"))
    proved = trigpoint(database, "verify", "toy", "--json")
    assert (proved.status, proved.json["failures"]) == (0, []), proved.err


@pytest.mark.long
def test_a_later_template_corrects_what_an_earlier_one_made(
    settings: Settings, own: str, tamper: Tamper
) -> None:
    """Only one question has the later form: both are proved, and no revision makes both."""
    template = "Retrieve_Coordinates"
    question = give_another_answer(settings, tamper, own, template)
    of_own = "(select max(dataset_version.id) from dataset_version join dataset on dataset.id = dataset_id where name = %(own)s)"
    binds = {"q": question, "own": own, "path": ["templates", template, "body_hash"]}
    tamper(
        settings,
        f"update question set template_version = 1 where id = %(q)s and version_id = {of_own}",
        binds,
    )
    earlier = "recipe = jsonb_set(recipe, %(path)s, '\"earlier\"')"
    tamper(settings, f"update dataset_version set {earlier} where id = {of_own}", binds)
    done = decide(settings, open_dispute(settings, own, question), "correct")
    assert done.status == 0, done.err
    assert trigpoint(settings, "verify", own).status == 0
    again = trigpoint(settings, "reproduce", own)
    assert (again.status, "cannot be made again by any one revision" in again.err) == (1, True), again.err


# --- of questions that a test makes: nothing proves them, so they can be voided only --------------------------


def test_the_last_question_is_not_voided(database: Settings) -> None:
    version = make_version(database, options_dataset(1))
    done = decide(database, open_dispute(database, "toy", version.questions[0]), "void")
    assert (done.status, "an empty version is none" in done.err) == (1, True)
    assert scalar(database, "select count(*) from dataset_version") == 1


def test_questions_that_are_asked_alike_and_samples(database: Settings) -> None:
    """The answer to the first of two equal questions stands for both; it still does when the first is voided."""
    first = option_question(0)
    twin = QuestionSpec(**{**vars(first), "parameters": {"poi": "n9999"}})
    version = make_version(database, [first, twin, option_question(1, key=1), option_question(2, key=2)])
    a, b, c, d = version.questions
    short = MadeVersion(version.id, version.dataset, version.number, version.map, [a, c, d])
    runs = [
        make_run(database, short, ["A", "B", "D"], "whole"),
        make_run(database, short, ["B", "B", "C"], "part"),
    ]
    for run in runs:
        score(database, run)
    query(
        database,
        "update run set sample = :sample where id = :run returning id",
        sample=sorted([a, c]),
        run=runs[1],
    )
    query(
        database,
        "delete from prediction where run_id = :run and question_id = :d returning id",
        run=runs[1],
        d=d,
    )
    done = decide(database, open_dispute(database, "toy", a), "void")
    assert done.status == 0, done.err
    rows = {row["name"]: row for row in json.loads(board(database, "toy@2"))["rows"]}
    assert (rows["whole"]["states"]["correct"], rows["whole"]["n"], rows["whole"]["rank"]) == (2, 3, 1)
    assert (rows["part"]["sample"], rows["part"]["n"], rows["part"]["states"]["correct"]) == (2, 2, 1)
    found = query(database, "select sample from run where id = :run", run=rows["part"]["run"])
    assert found[0].sample == sorted([b, c])


def test_a_run_that_lacks_answers_is_left_behind(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run = make_run(database, version, ["A", "B", "C"], "gappy")
    done = decide(database, open_dispute(database, "toy", version.questions[0]), "void")
    assert [(one["run"], one["carried"]) for one in done.json["runs"]] == [(run, None)]
    assert json.loads(board(database, "toy@2"))["rows"] == []


def test_killed_in_between_nothing_has_happened(database: Settings) -> None:
    version = make_version(database, options_dataset(8))
    score(database, make_run(database, version, ["A"] * 8))
    number = open_dispute(database, "toy", version.questions[3])
    before = counts(database)
    with connect(database, Role.OWNER) as holding:
        holding.execute(text("lock table trigpoint.board_aggregate in share mode"))
        command = [TRIGPOINT, "dispute", "decide", number, "--verdict", "void", "--text", "x"]
        process = subprocess.Popen(command, env=environment(database), start_new_session=True)
        waits = "select count(*) from pg_locks where not granted and relation = 'trigpoint.board_aggregate'::regclass"
        wait_until(lambda: holding.execute(text(waits)).scalar_one(), "the erratum to come to its board")
        process.send_signal(signal.SIGKILL)
        process.wait()
        holding.rollback()
    wait_until(
        lambda: (
            not scalar(
                database,
                "select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle'"
                " and pid <> pg_backend_pid() and backend_type = 'client backend'",
            )
        ),
        "its connection to end",
    )
    assert counts(database) == before
    assert scalar(database, "select state from dispute") == "open"
    assert decide(database, number, "void").json["erratum"] == "toy@2"


def test_a_submission_goes_from_both_boards(database: Settings, tmp_path: Path) -> None:
    version = make_version(database, options_dataset(8))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(json.dumps({"id": name, "answer": "A"}) for name in version.questions))
    for name in ("mine", "other"):
        assert trigpoint(database, "submit", "toy@1", str(answers), "--name", name).status == 0
    assert decide(database, open_dispute(database, "toy@1", version.questions[0]), "void").status == 0
    assert len(json.loads(board(database, "toy@2"))["rows"]) == 2
    assert trigpoint(database, "submission", "withdraw", "1").status == 0
    assert trigpoint(database, "submission", "delete", "2").status == 0
    assert [json.loads(board(database, name))["rows"] for name in ("toy@1", "toy@2")] == [[], []]
    assert scalar(database, "select count(*) from run where carried_from is not null") == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--reason", "no", "--text", "x"), "--reason"),
        (("--reason", "other", "--text", " "), "must say something"),
        (("--reason", "other", "--text", "a\x1b[31mb"), "control signs"),
        (("--reason", "other", "--text", "x" * 2001), "--text"),
        (("--reason", "other", "--text", "x", "--proposed", "y" * 501), "--proposed"),
    ],
    ids=["reason", "blank", "control", "long", "proposed"],
)
def test_words_that_are_refused(settings: Settings, arguments: tuple[str, ...], word: str) -> None:
    done = trigpoint(settings, "dispute", "open", "toy", "x", *arguments)
    assert (done.status, word in done.err) == (2, True), done.err
