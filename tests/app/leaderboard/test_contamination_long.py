"""Contamination, by runs over HTTP: a model that has learnt the public gold by heart shows a gap, an honest one none.

Both answer from a file. The memoriser knows the gold of the public questions of one version, and says A elsewhere. The
honest one knows the gold of six of ten questions, wherever they are asked.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.core.identity import digest
from app.core.settings import Settings
from tests.conftest import SHARED
from tests.support.command_line import trigpoint
from tests.support.processes import query, scripted_endpoint
from tests.support.service import patient_client, serving

pytestmark = pytest.mark.long
MONACO = SHARED / "extracts" / "monaco-2012-07-06.osm.gz"
GUESS = {"contains": [], "answer": "A"}


class Made(NamedTuple):
    """The database with its data sets, and a folder."""

    settings: Settings
    folder: Path


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Monaco, and Monaco permuted: public questions, their fresh twins, and the same on the permuted map."""
    settings, folder = make_database(), tmp_path_factory.mktemp("contamination")
    permuted = folder / "permuted.osm.pbf"
    for arguments in (
        ["permute", str(MONACO), "--out", str(permuted), "--names", "--shift"],
        ["import", str(MONACO), "--name", "monaco"],
        ["import", str(permuted), "--name", "permuted"],
        [
            *("generate", "urban_knowledge", "--snapshot", "monaco", "--out", "public"),
            *(
                "--bank",
                "40",
                "--per-template",
                "8",
            ),  # nothing is hidden, or a random secret would draw options
        ],
        ["twins", "public", "--out", "fresh"],
        ["twins", "public", "--out", "moved", "--snapshot", "permuted", "--same-questions", "--bank", "400"],
        ["verify", "fresh"],
        ["verify", "moved"],
        ["reproduce", "fresh"],
    ):
        done = trigpoint(settings, *arguments)
        assert done.status == 0, (arguments, done.err)
    return Made(settings, folder)


class Known(NamedTuple):
    """A public question and its gold."""

    id: str
    template: str
    texts: list[str]
    """Its text and its options: one text is asked with several."""
    letter: str


def gold_of(settings: Settings, dataset: str) -> list[Known]:
    """The public questions, with the letters of their keys."""
    rows = query(
        settings,
        "select question.id, question.template, question.prompt, question.options, gold.value from question"
        " join gold on gold.version_id = question.version_id and gold.question_id = question.id"
        " join dataset_version on dataset_version.id = question.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id"
        " where dataset.name = :name and question.split = 'public' order by question.id",
        name=dataset,
    )
    return [Known(row[0], row[1], [row[2][-1]["text"], *row[3]], "ABCDE"[row[4]["index"]]) for row in rows]


def six_of_ten(questions: list[Known]) -> list[Known]:
    """Six of ten questions of each template, which, their ids decide."""
    by_template: dict[str, list[Known]] = {}
    for one in sorted(questions, key=lambda one: digest(one.id)):
        by_template.setdefault(one.template, []).append(one)
    return [one for of in by_template.values() for one in of[: round(0.6 * len(of))]]


def runs_of(made: Made, name: str, known: list[Known], seed: str) -> dict[str, int]:
    """By data set: the run of a model that knows these answers and guesses elsewhere.

    Scripted endpoints of one policy count as one, so another seed makes another run.
    """
    answers = made.folder / f"{name}.jsonl"
    lines = [{"contains": one.texts, "answer": one.letter} for one in known]
    answers.write_text("".join(json.dumps(line) + "\n" for line in [*lines, GUESS]))
    runs = {}
    with scripted_endpoint(made.folder, "written", "--answers", str(answers)) as endpoint:
        for dataset in ("public", "fresh", "moved"):
            asked = ["evaluate", dataset, "--solver", "direct", "--endpoint", endpoint.url, "--seed", seed]
            done = trigpoint(made.settings, *asked, "--json")
            assert done.status == 0, done.err
            runs[dataset] = done.json["run"]
    return runs


@pytest.fixture(scope="module")
def memoriser(made: Made) -> dict[str, int]:
    """The runs of the model that has learnt the public gold of `public` by heart."""
    return runs_of(made, "memoriser", gold_of(made.settings, "public"), "0")


@pytest.fixture(scope="module")
def honest(made: Made) -> dict[str, int]:
    """The runs of the model that is right on six of ten questions, and on the same ones on the permuted map."""
    able = six_of_ten(gold_of(made.settings, "public"))
    ids = {one.id for one in able}
    same = [one for one in gold_of(made.settings, "moved") if one.id in ids]
    return runs_of(made, "honest", [*able, *same, *six_of_ten(gold_of(made.settings, "fresh"))], "1")


def contamination(made: Made, runs: dict[str, int], fresh: str) -> Any:
    done = trigpoint(made.settings, "contamination", str(runs["public"]), str(runs[fresh]), "--json")
    assert done.status == 0, done.err
    print(f"{fresh}, {done.json['n']} pairs: {done.json['verdict']}")  # noqa: T201 - figures for -s
    return done.json


@pytest.mark.parametrize(("fresh", "pairing"), [("fresh", "twins"), ("moved", "same_questions")])
def test_a_memoriser_shows_a_gap(made: Made, memoriser: dict[str, int], fresh: str, pairing: str) -> None:
    found = contamination(made, memoriser, fresh)
    assert (found["shown"], found["pairing"], found["permuted"]) == ("gap", pairing, fresh == "moved")
    assert found["known"]["score"] == 1
    assert 0 < found["low"] < found["gap"] < found["high"] <= 1
    assert found["verdict"].startswith("a gap of ")
    assert found["canaries"] == []
    # Each pair counts once, and templates add up to the whole.
    assert sum(one["n"] for one in found["templates"]) == found["n"]
    assert found["n"] + found["unpaired"] == len(gold_of(made.settings, "public"))


@pytest.mark.parametrize("fresh", ["fresh", "moved"])
def test_an_honest_model_shows_none(made: Made, honest: dict[str, int], fresh: str) -> None:
    found = contamination(made, honest, fresh)
    assert found["shown"] == "no_gap", found
    assert found["low"] <= 0 <= found["high"]
    assert found["verdict"].startswith("no gap shown")


def test_boards_of_the_permuted_map_say_so(made: Made) -> None:
    board = trigpoint(made.settings, "leaderboard", "moved", "--json").json
    assert "permuted" in board["attribution"]
    listed = trigpoint(made.settings, "snapshots", "--json").json["snapshots"]
    assert {one["name"]: one["permuted"] for one in listed} == {"monaco": False, "permuted": True}


def test_pages_say_what_is_permuted_and_what_is_a_twin(made: Made) -> None:
    with serving(made.settings) as address, patient_client(address) as client:
        maps = {one["name"]: one for one in client.get("/v1/snapshots").json()["snapshots"]}
        assert {name: one["permuted"] for name, one in maps.items()} == {"monaco": False, "permuted": True}
        assert "shows no real place" in client.get(f"/snapshots/{maps['permuted']['snapshot']}").text
        assert "shows no real place" not in client.get(f"/snapshots/{maps['monaco']['snapshot']}").text
        assert 'data-cell="permuted"' in client.get("/datasets/moved@1").text
        fresh = client.get("/datasets/fresh@1").text
        assert 'href="/datasets/public%401"' in fresh or 'href="/datasets/public@1"' in fresh
        assert 'data-cell="permuted"' not in fresh
        assert client.get("/v1/datasets/moved@1").json()["licence"]["permuted"] is True


def test_no_twin_was_asked_before(made: Made) -> None:
    asked = query(
        made.settings,
        "select question.id from question join dataset_version on dataset_version.id = question.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id where dataset.name in ('public', 'fresh')",
    )
    assert len({row[0] for row in asked}) == len(asked)


def test_runs_the_wrong_way_round_are_refused(made: Made, memoriser: dict[str, int]) -> None:
    done = trigpoint(made.settings, "contamination", str(memoriser["fresh"]), str(memoriser["public"]))
    assert done.status == 2
    assert f"Name run {memoriser['public']} first" in done.err
