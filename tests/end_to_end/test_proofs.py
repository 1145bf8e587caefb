"""generate, verify, reproduce and export through the command line, on the toy town and on real maps."""

import json
import re
import subprocess
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions import queries_versions
from app.questions.secrets import find_secret, keep_secret
from tests.support.command_line import TRIGPOINT, environment, export, generate, lines, proved, trigpoint
from tests.support.town import Imported, Map, benchmarks, import_map, make_town, template_of

GSQA = list(benchmarks()["gsqa"].templates)
KNOWLEDGE = ["Retrieve_Coordinates", "Find_Nearest_POI", "Find_Cover_AOI", "Compare_Area_Size"]
SAID = defaultdict(
    tuple,
    azimuth=("degrees",),
    distance=("metres",),
    length=("metres",),
    area=("square metres",),
)
"""What a text must say of the answer that it wants, in both registers."""
CONTACT = re.compile(r"(?<!mobile )phone|contact|email|fax|\S@\S", re.IGNORECASE)
"""Ways to reach somebody; a shop for mobile phones and a house called `@ Metallitalo` are none."""
NONE = {"Compare_Type_Diversity", "Find_Cover_AOI_All"}
"""Liechtenstein's six areas with five places and a name of their own hold 3, 3, 5, 5, 5 and 11 kinds: no four differ.
Fewer than four areas of such a name are the smallest around three places."""
FEW = {"Find_Cover_AOI": 7}
"""Nine other questions on Liechtenstein are refused: the right area shares a word with the text, and too few others do."""


@pytest.fixture(scope="module")
def town_database(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Imported:
    """The town in a database that these tests write data sets to; `toy` and `know` are made."""
    settings = make_database()
    toy = make_town()
    file = toy.write(tmp_path_factory.mktemp("proofs") / "town.osm")
    import_map(settings, file, "town")
    for benchmark, name in (("gsqa", "toy"), ("urban_knowledge", "know")):
        done = generate(
            settings, benchmark, "town", name, "--per-template", "8", "--bank", "20", "--hidden", "0.4"
        )
        assert done.status == 0, done.err
    return Imported(settings, "town", file, toy)


@pytest.fixture(scope="module")
def scratch(make_database: Callable[[], Settings], town_database: Imported) -> Imported:
    """A second database, for what is tampered with, raced for, or made again."""
    settings = make_database()
    other = Map(timestamp="2020-01-01T00:00:00Z")
    other.node((10.0, 50.0), tourism="museum", name="Elsewhere")
    file = other.write(town_database.file.parent / "other.osm")
    import_map(settings, file, "other")
    import_map(settings, town_database.file, "town")
    return Imported(settings, "town", town_database.file, town_database.map)


def count_versions(settings: Settings, superuser_of: Callable[[Settings], str]) -> tuple[int, ...]:
    with psycopg.connect(superuser_of(settings)) as connection:
        counts = [
            connection.execute(f"select count(*) from trigpoint.{table}").fetchone()
            for table in ("dataset", "dataset_version", "question", "gold", "proof")
        ]
    return tuple(count[0] for count in counts if count)


def take_secret(here: Settings, there: Settings, benchmark: str, name: str) -> None:
    """The other database knows the data set's name and its secret, and no version of it."""
    now = SystemClock().now()
    with connect(here, Role.WORKER) as connection:
        secret = find_secret(connection, name)
    assert secret is not None
    with connect(there, Role.WORKER) as connection:
        connection.exec_driver_sql(
            queries_versions.INSERT_DATASET, {"name": name, "benchmark": benchmark, "now": now}
        )
        keep_secret(connection, name, secret, now)
        connection.commit()


# --- generate ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", [["T5", "T17", "T24", "T27"], pytest.param(GSQA, marks=pytest.mark.long)], ids=["some", "all"]
)
def test_generate_says_what_became_of_every_tuple(
    town_database: Imported, monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    whole = benchmarks()["gsqa"]
    fewer = replace(whole, templates={name: whole.templates[name] for name in asked})
    monkeypatch.setattr("app.operations.recipe.find_benchmark", lambda name: fewer)
    options = ("--per-template", "3", "--bank", "100000", "--seed", "4")
    done = generate(town_database.settings, "gsqa", "town", f"said{len(asked)}", *options)
    result = done.json
    assert (done.status, result["dataset"], result["version"], result["seed"]) == (
        0,
        f"said{len(asked)}",
        1,
        4,
    )
    assert result["snapshots"] == ["town@2024-05-06T07:08:09Z"]
    assert list(result["templates"]) == sorted(asked)
    for report in result["templates"].values():
        assert report["accepted"] + sum(report["refused"].values()) == report["capacity"]
        assert report["selected"] == min(3, report["accepted"])
    assert "published" in done.err
    begun = [line.split(" on ")[0] for line in done.err.splitlines() if line.endswith(" …")]
    assert sorted(begun) == sorted(asked), "without a terminal a line tells where it is"


def test_the_same_again_says_that_nothing_differs(
    town_database: Imported, superuser_of: Callable[[Settings], str]
) -> None:
    settings = town_database.settings
    before = count_versions(settings, superuser_of)
    again = generate(
        settings, "gsqa", "town", "toy", "--per-template", "8", "--bank", "20", "--hidden", "0.4"
    )
    assert (again.status, again.json["version"]) == (0, 1)
    assert "nothing differs" in again.err
    assert count_versions(settings, superuser_of) == before


@pytest.mark.long
def test_another_seed_makes_the_next_version(town_database: Imported, tmp_path: Path) -> None:
    settings = town_database.settings
    first = generate(settings, "gsqa", "town", "seeds", "--per-template", "5")
    second = generate(settings, "gsqa", "town", "seeds", "--per-template", "5", "--seed", "1")
    assert [first.json["version"], second.json["version"]] == [1, 2]
    one, two = (export(settings, f"seeds@{number}", tmp_path / str(number)) for number in (1, 2))
    assert one["questions.jsonl"] != two["questions.jsonl"]
    assert {line["id"] for line in lines(one)} != {line["id"] for line in lines(two)}
    assert export(settings, "seeds", tmp_path / "newest")["questions.jsonl"] == two["questions.jsonl"]


@pytest.mark.long
def test_two_at_once_make_one_version(scratch: Imported) -> None:
    """The second waits for the first, and finds what it made; nobody's work is lost or doubled."""
    settings = scratch.settings
    command = [
        TRIGPOINT,
        "generate",
        "urban_knowledge",
        "--snapshot",
        "town",
        "--out",
        "race",
        "--per-template",
        "3",
        "--bank",
        "5",
        "--json",
    ]
    done: list[subprocess.CompletedProcess[str]] = []

    def run() -> None:
        done.append(
            subprocess.run(
                command, env=environment(settings), capture_output=True, text=True, timeout=60, check=False
            )
        )

    both = [threading.Thread(target=run) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert [json.loads(one.stdout)["version"] for one in done] == [1, 1]
    assert sorted("nothing differs" in one.stderr for one in done) == [False, True]


def test_an_interrupted_generate_leaves_nothing(
    town_database: Imported, superuser_of: Callable[[Settings], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = town_database.settings
    before = count_versions(settings, superuser_of)

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    # Stopped after the version's row and its questions are written, before they are published.
    monkeypatch.setattr("app.questions.storing.canary", interrupt)
    done = generate(settings, "gsqa", "town", "stopped", "--per-template", "2", "--bank", "2")
    assert (done.status, done.out) == (130, "")
    assert count_versions(settings, superuser_of) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["generate", "atlantis", "--snapshot", "town", "--out", "x"],
            "no benchmark 'atlantis'; there are: evgeoqa, gsqa, ",
        ),
        (
            ["generate", "gsqa", "--snapshot", "atlantis", "--out", "x"],
            "no published snapshot 'atlantis'. There are: town@2024",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town@2001-01-01T00:00:00Z", "--out", "x"],
            "no published snapshot",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town'; drop table x; --", "--out", "x"],
            "no published snapshot",
        ),
        (["generate", "gsqa", "--snapshot", "town", "--snapshot", "town", "--out", "x"], "named twice"),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--seed", "blue"],
            "a seed is a whole number",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--seed", "-1"],
            "a seed is a whole number",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--seed", "1.5"],
            "a seed is a whole number",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--seed", str(2**63)],
            "a seed is a whole number",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--hidden", "1.5"],
            "less than or equal to 1",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--hidden", "nan"],
            "less than or equal to 1",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "x", "--bank", "0"],
            "greater than or equal to 1",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", "a@b"],
            "a data set's name has at most 60 characters",
        ),
        (
            ["generate", "gsqa", "--snapshot", "town", "--out", ""],
            "a data set's name has at most 60 characters",
        ),
        (["generate", "gsqa", "--snapshot", "town", "--out", "know"], "is a data set of urban_knowledge"),
        (["generate", "gsqa", "--snapshot", "town"], "--out"),
        (["verify", "atlantis"], "no published data set 'atlantis'. There are: know@1"),
        (["verify", "toy@2001"], "no published data set 'toy@2001'"),
        (["verify", "toy@first"], "after the @ stands a version number"),
        (["reproduce", "atlantis"], "no published data set"),
        (["export", "atlantis", "--to", "/nowhere"], "no published data set"),
        (["export", "toy", "--to", "/nowhere", "--format", "xml"], "there are jsonl, parquet"),
        (["export", "toy", "--to", "/nowhere", "--format", "inspect"], "Add --with-gold"),
        (["export", "toy", "--to", "/nowhere", "--include-hidden"], "is only for use with --with-gold"),
        (["export", "toy", "--to", "/proc/nowhere"], "cannot be written to"),
    ],
)
@pytest.mark.long
def test_bad_input_is_one_clear_sentence(
    town_database: Imported, superuser_of: Callable[[Settings], str], arguments: list[str], sentence: str
) -> None:
    before = count_versions(town_database.settings, superuser_of)
    done = trigpoint(town_database.settings, *arguments)
    assert done.status != 0
    assert done.out == ""
    assert sentence in " ".join(done.err.replace("│", " ").split())
    assert "Traceback" not in done.err
    assert count_versions(town_database.settings, superuser_of) == before
    assert not Path("/nowhere").exists()


def test_the_installed_command_ends_with_the_same_status(town_database: Imported) -> None:
    done = subprocess.run(
        [TRIGPOINT, "verify", "atlantis"],
        env=environment(town_database.settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("trigpoint: There is no published data set")
    assert done.stdout == ""


def test_no_question_at_all_publishes_nothing(
    scratch: Imported, tmp_path: Path, superuser_of: Callable[[Settings], str]
) -> None:
    """A map without outline."""
    settings = scratch.settings
    before = count_versions(settings, superuser_of)
    bare = Map(box=None)
    bare.node((10.0, 50.0), tourism="museum", name="Museum")
    bare.eat((10.0, 50.0), 0, 100, "Inn")
    import_map(settings, bare.write(tmp_path / "bare.osm"), "bare")
    done = generate(settings, "gsqa", "bare", "none")
    assert done.status == 1
    assert "no_outline" in done.err
    assert count_versions(settings, superuser_of) == before
    # Coordinates can be asked for without an outline; as published, without other places.
    done = generate(settings, "urban_knowledge", "bare", "some", "--variant", "published")
    assert done.json["templates"]["Find_Nearest_POI"]["refused"] == {"no_outline": 2}
    assert done.json["templates"]["Retrieve_Coordinates"]["accepted"] == 2
    assert trigpoint(settings, "verify", "some").status == 0


# --- verify -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dataset", ["toy", "know@1"])
def test_verify_says_what_it_proved(town_database: Imported, dataset: str) -> None:
    done = trigpoint(town_database.settings, "verify", dataset, "--json")
    result = done.json
    assert done.status == 0
    assert result["questions"] > 20
    assert result["stored_sql"] == result["second_path"] == {"agree": result["questions"], "differ": 0}
    assert result["distractors"] == {
        "checked": 3 * result["questions"] if dataset == "know@1" else 0,
        "not_wrong": 0,
    }
    assert result["failures"] == []


def test_verify_names_question_and_path(scratch: Imported, superuser_of: Callable[[Settings], str]) -> None:
    settings = scratch.settings
    generate(settings, "gsqa", "town", "tampered", "--per-template", "2", "--bank", "2")
    with psycopg.connect(superuser_of(settings)) as connection:
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="never changes"):
            connection.execute("update trigpoint.gold set value = '{}'")
        connection.rollback()
        connection.execute("set session_replication_role = replica")
        row = connection.execute(
            "update trigpoint.gold set value = jsonb_set(value, '{count}', '77')"
            " where ctid = (select min(ctid) from trigpoint.gold where value ? 'count' and not value ? 'text')"
            " returning question_id, (select template from trigpoint.question where question.id = question_id limit 1)"
        ).fetchone()
        assert row
    done = trigpoint(settings, "verify", "tampered", "--json")
    assert done.status == 1
    assert {(one["id"], one["template"]) for one in done.json["failures"]} == {tuple(row)}
    assert {one["path"] for one in done.json["failures"]} == {"stored_sql", "second_path", "identity"}
    assert all({"expected", "got"} < set(one) for one in done.json["failures"])
    spoken = trigpoint(settings, "verify", "tampered")
    assert spoken.status == 1
    assert f"question {row[0]} ({row[1]}) fails by stored_sql" in spoken.out
    assert "NOT proved" in spoken.out


# --- reproduce and export ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dataset", ["toy", "know"])
@pytest.mark.long
def test_reproduce_gives_identical_bytes(town_database: Imported, dataset: str) -> None:
    done = trigpoint(town_database.settings, "reproduce", dataset, "--json")
    assert (done.status, done.json["identical"], done.json["differing"]) == (0, True, [])
    assert done.json["bytes"] > 10_000


@pytest.mark.long
def test_reproduce_tells_a_difference(scratch: Imported, superuser_of: Callable[[Settings], str]) -> None:
    settings = scratch.settings
    generate(settings, "gsqa", "town", "differs", "--per-template", "2", "--bank", "2")
    with psycopg.connect(superuser_of(settings)) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "update trigpoint.gold set value = jsonb_set(value, '{count}', '77') where value ? 'count'"
        )
    done = trigpoint(settings, "reproduce", "differs", "--json")
    assert (done.status, done.json["differing"]) == (1, ["questions.jsonl"])


@pytest.mark.long
def test_a_second_database_gives_identical_bytes(
    scratch: Imported, town_database: Imported, tmp_path: Path
) -> None:
    """Other ids of snapshots and templates, other times; the same files."""
    settings = scratch.settings
    options = ["--per-template", "8", "--bank", "20", "--hidden", "0.4"]
    for benchmark, name in (("urban_knowledge", "know"), ("gsqa", "toy")):
        take_secret(town_database.settings, settings, benchmark, name)
        assert generate(settings, benchmark, "town", name, *options).status == 0
        gold = ("--with-gold", "--include-hidden")
        here = export(settings, name, tmp_path / "here" / name, *gold)
        there = export(town_database.settings, f"{name}@1", tmp_path / "there" / name, *gold)
        assert here == there
        assert trigpoint(settings, "reproduce", name).status == 0


@pytest.mark.long
def test_reproduce_finds_the_file_among_maps_of_one_time(scratch: Imported, tmp_path: Path) -> None:
    settings = scratch.settings
    options = ("--per-template", "2", "--bank", "4")
    import_map(settings, scratch.file, "twice")
    generate(settings, "gsqa", "twice", "older", *options)
    wider = make_town()
    wider.node((10.3, 49.9), tourism="museum", name="Museum New")
    import_map(settings, wider.write(tmp_path / "wider.osm"), "twice")  # same name, same time, another file
    assert trigpoint(settings, "reproduce", "older").status == 0
    assert trigpoint(settings, "verify", "older").status == 0
    assert generate(settings, "gsqa", "twice", "older", *options).json["version"] == 2


def test_export_keeps_hidden_gold_in(town_database: Imported, tmp_path: Path) -> None:
    settings = town_database.settings
    plain = lines(export(settings, "toy", tmp_path / "plain"))
    public = lines(export(settings, "toy", tmp_path / "public", "--with-gold"))
    everything = lines(export(settings, "toy", tmp_path / "all", "--with-gold", "--include-hidden"))
    splits = Counter(line["split"] for line in plain)
    assert splits["hidden"] >= 3
    assert splits["public"] >= 3
    assert all("gold" not in line for line in plain)
    assert all(("gold" in line) == (line["split"] == "public") for line in public)
    assert all("gold" in line for line in everything)
    fields = {
        "id",
        "prompt_hash",
        "template",
        "template_version",
        "snapshots",
        "text",
        "options",
        "answer_type",
        "split",
        "register",
    }
    assert all(set(line) == fields for line in plain)
    assert [line["id"] for line in plain] == [line["id"] for line in everything]
    for line in plain:
        assert line["snapshots"] == [
            {"snapshot": "town@2024-05-06T07:08:09Z", "checksum": plain[0]["snapshots"][0]["checksum"]}
        ]
        assert len(line["snapshots"][0]["checksum"]) == 64
    revisions = json.dumps(everything)
    assert "revision" not in revisions


@pytest.mark.parametrize(("hidden", "expected"), [("0", {"public"}), ("1", {"hidden"})])
def test_hidden_at_its_ends(town_database: Imported, tmp_path: Path, hidden: str, expected: set[str]) -> None:
    settings = town_database.settings
    name = f"ends{hidden}"
    generate(
        settings, "urban_knowledge", "town", name, "--per-template", "3", "--bank", "3", "--hidden", hidden
    )
    assert {line["split"] for line in lines(export(settings, name, tmp_path))} == expected


def test_the_split_of_a_question_does_not_depend_on_the_others(
    town_database: Imported, tmp_path: Path
) -> None:
    settings = town_database.settings
    generate(settings, "gsqa", "town", "small", "--per-template", "2", "--bank", "20", "--hidden", "0.4")
    small = {line["id"]: line["split"] for line in lines(export(settings, "small", tmp_path / "small"))}
    large = {line["id"]: line["split"] for line in lines(export(settings, "toy@1", tmp_path / "large"))}
    assert small.items() <= large.items()


def test_files_carry_licence_attribution_and_canary(town_database: Imported, tmp_path: Path) -> None:
    files = export(town_database.settings, "toy", tmp_path)
    assert sorted(files) == ["LICENSE", "dataset.json", "questions.jsonl"]
    card = json.loads(files["dataset.json"])
    licence = files["LICENSE"].decode()
    assert "© OpenStreetMap contributors" in licence
    assert "Open Database License (ODbL) 1.0" in licence
    assert "town@2024-05-06T07:08:09Z" in licence
    assert "© OpenStreetMap contributors" in card["attribution"]
    assert "ODbL" in card["attribution"]
    assert UUID(card["canary"]).version == 5
    assert (card["name"], card["version"], card["questions"]) == ("toy", 1, len(lines(files)))
    assert card["recipe"]["hidden"] == 0.4
    again = export(town_database.settings, "toy@1", tmp_path / "again")
    assert again == files


def test_each_version_has_a_canary_of_its_own(town_database: Imported, tmp_path: Path) -> None:
    cards = [
        json.loads(export(town_database.settings, name, tmp_path / name)["dataset.json"])
        for name in ("toy", "know")
    ]
    assert len({card["canary"] for card in cards}) == 2


# --- texts ------------------------------------------------------------------------------------------------


def check_texts(questions: list[dict[str, Any]]) -> None:
    assert {one["register"] for one in questions} == {"precise", "everyday"}
    for one in questions:
        text = one["text"]
        assert not CONTACT.search(text), text
        assert text == text.strip()
        assert text[-1] in ".?"
        assert " a a" not in text
        assert " a eating" not in text
        assert " an restaurant" not in text
        if one["answer_type"] == "option":
            assert len(set(one["options"])) == 4
        for word in SAID[one["answer_type"]]:
            assert word in text, text
        if one["answer_type"] == "azimuth":
            assert "north" in text or "compass bearing" in text, text
        if one["register"] == "precise":
            check_definitions(one)


def check_definitions(precise: dict[str, Any]) -> None:
    text, parameters = precise["text"], template_of(precise["template"]).header.parameters
    assert "OpenStreetMap" in text
    if "anchor" in parameters or precise["template"] == "Find_Nearest_POI":
        assert "straight" in text or "crow flies" in text or "circle" in text, text
    if precise["answer_type"] == "azimuth":
        assert "true north" in text, text
    if "semantics" in parameters:
        assert "only the part inside" in text, text


def test_texts_say_what_is_measured(town_database: Imported, tmp_path: Path) -> None:
    for name in ("toy", "know"):
        questions = lines(export(town_database.settings, name, tmp_path / name))
        check_texts(questions)
        assert not any("  " in one["text"] for one in questions)


# --- real maps --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_helsinki(helsinki: Imported, tmp_path: Path) -> None:
    reports, total = proved(helsinki, bank=60, per_template=20)
    for name in ("T1", "T5", "T9", "T22", *KNOWLEDGE, *NONE):
        assert reports[name]["selected"] > 0, (name, reports[name])
    for name in ("T24", "T27"):
        assert reports[name]["accepted"] == 0
        assert reports[name]["refused"] == {"no_region": reports[name]["capacity"]}
    assert total == sum(report["selected"] for report in reports.values())
    for benchmark in ("gsqa", "urban_knowledge"):
        check_texts(lines(export(helsinki.settings, f"real_{benchmark}", tmp_path / benchmark)))


@pytest.mark.long
def test_liechtenstein(liechtenstein: Imported, tmp_path: Path) -> None:
    reports, total = proved(liechtenstein, bank=60, per_template=50)
    assert total >= 300
    assert sorted(reports) == sorted([*GSQA, *benchmarks()["urban_knowledge"].templates])
    made = {name: report["selected"] for name, report in reports.items()}
    assert {name: number for name, number in made.items() if number < 9} == dict.fromkeys(NONE, 0) | FEW
    assert set(reports["Compare_Type_Diversity"]["refused"]) == {"other_form", "margin"}
    for benchmark in ("gsqa", "urban_knowledge"):
        check_texts(lines(export(liechtenstein.settings, f"real_{benchmark}", tmp_path / benchmark)))
