"""`trigpoint generate --variant` and `--five-options`, from the command to the proof and the card."""

import json
from collections import Counter
from pathlib import Path

import pytest

from app.core.settings import Settings
from tests.support.command_line import export, generate, lines, trigpoint
from tests.support.town import benchmarks, import_map, make_town

OPTIONS = ("--bank", "20", "--per-template", "10")
CHOICE = {name for name, one in benchmarks()["urban_knowledge"].templates.items() if one.header.has_variants}


@pytest.fixture
def town(database: Settings, tmp_path: Path) -> Settings:
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    return database


@pytest.mark.long
def test_variants_from_command_to_proof(town: Settings, tmp_path: Path) -> None:
    found = {}
    for name, more in (("hard", ()), ("published", ("--variant", "published"))):
        done = generate(town, "urban_knowledge", "town", name, *OPTIONS, *more)
        assert done.status == 0, done.err
        assert (done.json["variant"], done.json["five_options"]) == (name, False)
        files = export(town, name, tmp_path / name)
        found[name] = lines(files)
        assert json.loads(files["dataset.json"])["recipe"]["variant"] == name
        shown = {one["template"]: one.get("variant") for one in found[name]}
        assert shown == {template: name if template in CHOICE else None for template in shown}
        assert all(len(one["options"]) == 4 for one in found[name])
        verified = trigpoint(town, "verify", name, "--json")
        assert (verified.status, verified.json["failures"]) == (0, [])
        assert verified.json["distractors"]["checked"] == 3 * len(found[name])
        assert trigpoint(town, "reproduce", name).status == 0
        board = trigpoint(town, "leaderboard", name)
        assert f"Wrong options: {name}, made " in " ".join(board.out.split())
    same = generate(town, "urban_knowledge", "town", "hard", *OPTIONS, "--variant", "hard")
    assert same.json["version"] == 1, "the default asked for is the default"
    ids = {
        name: {one["id"] for one in questions if one["template"] in CHOICE}
        for name, questions in found.items()
    }
    assert not ids["hard"] & ids["published"]


@pytest.mark.long
def test_five_options_from_command_to_proof(town: Settings, tmp_path: Path) -> None:
    done = generate(town, "urban_knowledge", "town", "five", *OPTIONS, "--five-options")
    assert done.status == 0, done.err
    assert done.json["five_options"] is True
    questions = lines(export(town, "five", tmp_path / "five"))
    for name, report in done.json["templates"].items():
        counted = Counter(str(len(one["options"])) for one in questions if one["template"] == name)
        assert report["options"] == counted, "whoever asked for five is told how many questions have four"
    assert {len(one["options"]) for one in questions} == {4, 5}
    verified = trigpoint(town, "verify", "five", "--json")
    assert (verified.status, verified.json["failures"]) == (0, [])
    assert trigpoint(town, "reproduce", "five").status == 0
    assert (
        "options"
        not in generate(town, "urban_knowledge", "town", "four", *OPTIONS).json["templates"]["Landuse_AOI"]
    )


def test_what_there_is_not(town: Settings) -> None:
    for benchmark, option, message in (
        ("gsqa", ("--variant", "hard"), "gsqa has no such variant; its templates have no variants"),
        ("urban_knowledge", ("--variant", "soft"), "no such variant; there are hard, published"),
        ("gsqa", ("--five-options",), "no question of gsqa has options"),
    ):
        done = generate(town, benchmark, "town", "wrong", *option)
        assert done.status == 2, option
        assert message in " ".join(done.err.split())


def test_a_benchmark_without_variants_says_nothing_of_them(town: Settings, tmp_path: Path) -> None:
    """Its recipe is what it was before there were any."""
    done = generate(town, "gsqa", "town", "plain", *OPTIONS)
    assert done.status == 0, done.err
    assert done.json["variant"] is None
    files = export(town, "plain", tmp_path / "plain")
    recipe = json.loads(files["dataset.json"])["recipe"]
    assert not {"variant", "five_options"} & recipe.keys()
    assert all("variant" not in one for one in lines(files))
