"""Exported tasks: the folder's scorers stand alone, and both harnesses give each answer the value that we give it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
import yaml

from app.core.errors import UsageError
from app.core.settings import Settings
from app.exports.exported import Export
from app.exports.formats import FORMATS
from app.exports.tasks.folder import task_name
from app.exports.tasks.judging import is_scored, judge, read_questions
from app.exports.writing import write_files
from app.scores.withholding import LEAST_HIDDEN, shown_values
from tests.app.exports.conftest import DATASETS, PUBLIC
from tests.support.harnesses import (
    HARNESSES,
    LOGS,
    answers_to,
    by_inspect,
    by_lm_eval,
    ours,
    submitted,
    with_worker,
    written,
)
from tests.support.processes import scripted_endpoint

Read = Callable[..., Export]
JUDGE = """
import json, sys
from pathlib import Path
folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
(package,) = (one.name for one in folder.glob("trigpoint_scoring_v*"))
judging = __import__(f"{package}.exports.tasks.judging", fromlist=["judge"])
questions = judging.read_questions(folder)
print(json.dumps([judging.judge(answer, one) for answer, one in zip(json.loads(sys.argv[2]), questions)]))
"""


@pytest.mark.parametrize("form", HARNESSES)
@pytest.mark.parametrize("name", DATASETS)
def test_the_folder_s_scorers_stand_alone(read: Read, tmp_path: Path, name: str, form: str) -> None:
    exported = read(name, True, True)
    files = FORMATS[form](exported)
    write_files(files, tmp_path)
    assert not any(re.search(rb"^(from|import) app\b", content, re.MULTILINE) for content in files.values())
    said = answers_to(list(exported.questions))
    command = [sys.executable, "-c", JUDGE, str(tmp_path), json.dumps(said)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = [judge(answer, one) for answer, one in zip(said, read_questions(tmp_path), strict=True)]
    assert json.loads(done.stdout) == expected
    assert 0 < sum(expected) < len(expected)


def test_only_scorers_that_are_needed_go_with_it(read: Read) -> None:
    files = FORMATS["lm-eval"](read("choices", with_gold=True))
    scorers = {Path(file).stem for file in files if "/scorers/" in file} - {"__init__"}
    assert scorers == {"option"}
    assert not any(b"pyproj" in content for file, content in files.items() if file.endswith(".py"))


def test_without_gold_there_is_no_task(read: Read) -> None:
    all_hidden = read("choices", with_gold=True)
    all_hidden = replace(all_hidden, questions=all_hidden.splits()["hidden"])
    for form in HARNESSES:
        with pytest.raises(UsageError, match="Add --with-gold"):
            FORMATS[form](read("choices"))
        with pytest.raises(UsageError, match="Add --include-hidden"):
            FORMATS[form](all_hidden)


@pytest.mark.parametrize("form", HARNESSES)
@pytest.mark.parametrize("name", DATASETS)
def test_hidden_questions_are_asked_and_not_scored(read: Read, tmp_path: Path, name: str, form: str) -> None:
    exported, everything = read(name, with_gold=True), read(name, True, True)
    splits = exported.splits()
    files, with_all = FORMATS[form](exported), FORMATS[form](everything)
    assert not any("hidden.jsonl" in file or b"hidden.jsonl" in with_all[file] for file in with_all)
    rows = {
        split: [json.loads(row) for row in files[file].decode().splitlines()]
        for split, file in (("public", "questions.jsonl"), ("hidden", "hidden.jsonl"))
    }
    for split, of_split in rows.items():
        assert [row["id"] for row in of_split] == [one.id for one in splits[split]]
        assert all(row["canary"] == exported.version.canary for row in of_split)
    by_id = {row["id"]: row for row in map(json.loads, with_all["questions.jsonl"].decode().splitlines())}
    assert rows["public"] == [by_id[row["id"]] for row in rows["public"]]
    assert rows["hidden"] == [by_id[row["id"]] | {"gold": None, "target": ""} for row in rows["hidden"]]
    write_files(files, tmp_path)
    read_back = read_questions(tmp_path, "hidden.jsonl")
    assert [is_scored(one) for one in read_back] == [True] * len(splits["public"]) + [False] * len(
        splits["hidden"]
    )
    assert f"all {len(exported.questions)} questions" in files["README.md"].decode()


def test_the_harness_s_own_file_tells_licence_and_canary(read: Read) -> None:
    exported = read("choices", with_gold=True)
    files = FORMATS["lm-eval"](exported)
    text = files[f"{task_name(exported.version)}.yaml"].decode().replace("!function ", "")
    metadata = yaml.safe_load(text)["metadata"]
    assert (metadata["canary"], metadata["licence"]) == (exported.version.canary, "ODbL-1.0")
    for form in HARNESSES:
        assert exported.version.canary in FORMATS[form](exported)["task.py"].decode()


@pytest.fixture(scope="module")
def served(datasets: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The data sets, with a worker."""
    with with_worker(datasets, tmp_path_factory.mktemp("served")) as settings:
        yield settings


def hidden_of(exported: Export) -> list[bool]:
    """Whether each question is hidden."""
    found = [one.split == "hidden" for one in exported.questions]
    assert sum(found) == 0 or sum(found) >= LEAST_HIDDEN, "fewer would count on no board"
    return found


@pytest.mark.long
@pytest.mark.usefixtures("peers")
@pytest.mark.parametrize("name", [*DATASETS, PUBLIC])
def test_harnesses_score_as_we_do_and_their_logs_are_submissions(
    served: Settings, read: Read, tmp_path: Path, name: str
) -> None:
    """Question by question, and in the mean; where questions are hidden, boards tell their sum in steps only."""
    exported = read(name, True, True)
    with scripted_endpoint(tmp_path, *written(exported, tmp_path)) as endpoint:
        mean, values = ours(served, name, endpoint.url)
        assert len(values) == len(exported.questions)
        assert 0.2 < mean < 0.9
        exact = fmean(values.values())
        told = shown_values([values[one.id] for one in exported.questions], hidden_of(exported))
        assert mean == pytest.approx(fmean(told), abs=1e-9)
        assert name != PUBLIC or mean == pytest.approx(exact, abs=1e-9)
        for form, run in (("lm-eval", by_lm_eval), ("inspect", by_inspect)):
            folder = tmp_path / form
            write_files(FORMATS[form](exported), folder)
            got, by_question = run(folder, task_name(exported.version), endpoint.url)
            assert by_question == pytest.approx(values, abs=1e-9), form
            assert got == pytest.approx(exact, abs=1e-9), form
            (log,) = (folder / "logs").glob(LOGS[form])
            again, as_submitted = submitted(served, name, form, log)
            assert as_submitted == pytest.approx(values, abs=1e-9), form
            assert again == pytest.approx(mean, abs=1e-9), form


@pytest.mark.long
@pytest.mark.usefixtures("peers")
@pytest.mark.parametrize("name", DATASETS)
def test_a_log_holds_answers_to_hidden_questions_whose_gold_is_kept_in(
    served: Settings, read: Read, tmp_path: Path, name: str
) -> None:
    """The harness scores the public questions; its log, submitted, is scored on all of them."""
    exported, everything = read(name, with_gold=True), read(name, True, True)
    with scripted_endpoint(tmp_path, *written(everything, tmp_path)) as endpoint:
        mean, values = ours(served, name, endpoint.url)
        public = {one.id: values[one.id] for one in exported.splits()["public"]}
        for form, run in (("lm-eval", by_lm_eval), ("inspect", by_inspect)):
            folder = tmp_path / form
            write_files(FORMATS[form](exported), folder)
            got, by_question = run(folder, task_name(exported.version), endpoint.url)
            assert by_question == pytest.approx(public, abs=1e-9), form
            assert got == pytest.approx(fmean(public.values()), abs=1e-9), form
            (log,) = (folder / "logs").glob(LOGS[form])
            again, as_submitted = submitted(served, name, form, log)
            assert as_submitted == pytest.approx(values, abs=1e-9), form
            assert again == pytest.approx(mean, abs=1e-9), form
