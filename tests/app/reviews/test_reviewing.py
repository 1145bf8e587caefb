"""The commands on a real database: a sample out, marks in, what the card says; hidden gold and versions as they were."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.formatting import review as review_words
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.reviews.agreement import agree
from app.reviews.bounds import Bound, Stratum, stratified_upper
from tests.support.command_line import Done, export, trigpoint
from tests.support.service import serving
from tests.support.town import benchmarks, import_map, make_town

TEMPLATES = ("Retrieve_Coordinates", "Find_Nearest_POI", "Find_Cover_AOI", "Compare_Area_Size")


@pytest.fixture(scope="module")
def toy(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The toy town with data sets of four templates' options, two fifths of them hidden; only read."""
    settings = make_database()
    import_map(settings, make_town().write(tmp_path_factory.mktemp("reviews") / "town.osm"), "town")
    whole = benchmarks()["urban_knowledge"]
    some = replace(whole, templates={name: whole.templates[name] for name in TEMPLATES})
    with connect(settings, Role.WORKER) as connection:
        recipe = Recipe(
            some, find_snapshots(connection, ["town"]), 0, 4, 4, 0.4, secret_draws=True, secret="a secret"
        )
        generated = generate(connection, recipe, lambda *progress: None)
        for name in ("looked_at", "marked", "refused", "shared"):
            store(connection, name, 1, generated, SystemClock())
        connection.commit()
    return settings


def sample(settings: Settings, dataset: str, path: Path, size: int, *more: str) -> str:
    done = trigpoint(
        settings, "review", "sample", dataset, "--size", str(size), "--to", str(path), "--json", *more
    )
    assert done.status == 0, done.err
    return path.read_text()


def rows_of(sheet: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet, newline="")))


def load(settings: Settings, dataset: str, path: Path, reviewer: str) -> Done:
    return trigpoint(settings, "review", "load", dataset, str(path), "--reviewer", reviewer, "--json")


def write_marks(path: Path, rows: list[dict[str, str]], marks: dict[str, str], **notes: str) -> Path:
    first = rows[0]
    entries = [{"id": id, "mark": mark, "note": notes.get(id, "")} for id, mark in marks.items()]
    whole = {"dataset": first["dataset"], "seed": int(first["seed"]), "size": int(first["size"])}
    path.write_text(json.dumps({**whole, "marks": entries}))
    return path


def show(settings: Settings, dataset: str) -> dict[str, Any]:
    done = trigpoint(settings, "review", "show", dataset, "--json")
    assert done.status == 0, done.err
    found: dict[str, Any] = done.json
    return found


def gold_of(settings: Settings, dataset: str) -> dict[str, tuple[str, dict[str, Any]]]:
    with connect(settings, Role.MAINTAINER) as connection:
        rows = connection.execute(
            text(
                "select question.id, split, value from question join gold on gold.version_id = question.version_id"
                " and question_id = id join dataset_version v on v.id = question.version_id join dataset on"
                " dataset.id = dataset_id where dataset.name = :name"
            ),
            {"name": dataset},
        )
        return {row.id: (row.split, row.value) for row in rows}


def bound_of(settings: Settings, dataset: str, rows: list[dict[str, str]], faulty: set[str]) -> Bound:
    """What the card must say, from the sheet and the sizes of the templates."""
    with connect(settings, Role.MAINTAINER) as connection:
        sizes = connection.execute(
            text(
                "select template, count(*) as questions from question join dataset_version v on v.id = version_id"
                " join dataset on dataset.id = dataset_id where dataset.name = :name group by template"
            ),
            {"name": dataset},
        ).all()
    strata = []
    for size in sizes:
        drawn = [row["id"] for row in rows if row["template"] == size.template]
        strata.append(Stratum(size.questions, len(drawn), len(faulty & set(drawn))))
    return stratified_upper(strata)


def test_a_sheet_holds_what_a_reviewer_needs(toy: Settings, tmp_path: Path) -> None:
    rows = rows_of(sample(toy, "looked_at", tmp_path / "a.csv", 8, "--seed", "5"))
    assert len(rows) == 8
    assert {row["dataset"] for row in rows} == {"looked_at@1"}
    assert {sum(row["template"] == other["template"] for row in rows) for other in rows} == {2}
    assert all(row["text"] and row["options"].startswith("A. ") for row in rows)
    assert all(row["gold"] == row["mark"] == row["note"] == "" for row in rows)
    again = sample(toy, "looked_at@1", tmp_path / "b.csv", 8, "--seed", "5")
    assert rows_of(again) == rows
    assert rows_of(sample(toy, "looked_at", tmp_path / "c.csv", 8, "--seed", "6")) != rows


def test_gold_is_shown_as_an_export_shows_it(toy: Settings, tmp_path: Path) -> None:
    gold = gold_of(toy, "looked_at")
    size = len(gold)
    assert {split for split, _ in gold.values()} == {"public", "hidden"}
    public = rows_of(sample(toy, "looked_at", tmp_path / "a.csv", size, "--with-gold"))
    assert {row["id"]: bool(row["gold"]) for row in public} == {
        id: split == "public" for id, (split, _) in gold.items()
    }
    whole = rows_of(sample(toy, "looked_at", tmp_path / "b.csv", size, "--with-gold", "--include-hidden"))
    assert {row["id"]: json.loads(row["gold"]) for row in whole} == {
        id: value for id, (_, value) in gold.items()
    }
    done = trigpoint(
        toy,
        "review",
        "sample",
        "looked_at",
        "--size",
        "8",
        "--to",
        str(tmp_path / "c.csv"),
        "--include-hidden",
    )
    assert (done.status, (tmp_path / "c.csv").exists()) == (2, False)
    assert "--include-hidden is only for use with --with-gold" in done.err


def test_the_page_is_whole_and_asks_nobody(toy: Settings, tmp_path: Path) -> None:
    rows = rows_of(sample(toy, "looked_at", tmp_path / "a.csv", 8))
    page = sample(toy, "looked_at", tmp_path / "a.html", 8)
    assert re.findall(r'<fieldset data-id="(\w+)"', page) == [row["id"] for row in rows]
    assert all(
        html.escape(row["text"], quote=False) in html.unescape(page) or row["text"] in html.unescape(page)
        for row in rows
    )
    assert page.count('type="radio"') == 3 * len(rows)
    assert not re.search(r"""<link|<img|\ssrc=|\shref=|https?://|@import|url\(""", page)
    assert "<pre" not in page, "no gold unless it is asked for"
    assert "Content-Security-Policy" in page


@pytest.mark.parametrize(
    ("name", "size", "fault"),
    [
        ("a.pdf", "8", "must end in .html"),
        ("deep/a.csv", "8", "cannot be written"),
        ("a.csv", "3", "--size 3: choose from 4"),
        ("a.csv", "1000", "--size 1000: choose from 4"),
        ("there.csv", "8", "is there already and may hold marks"),
    ],
)
def test_samples_that_cannot_be_written(
    toy: Settings, tmp_path: Path, name: str, size: str, fault: str
) -> None:
    (tmp_path / "there.csv").write_text("marks")
    done = trigpoint(toy, "review", "sample", "looked_at", "--size", size, "--to", str(tmp_path / name))
    assert done.status == 2
    assert fault in " ".join(done.err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]
    assert (tmp_path / "there.csv").read_text() == "marks"


def test_two_reviewers_from_sheet_to_card(toy: Settings, tmp_path: Path) -> None:
    before = export(toy, "marked", tmp_path / "before", "--with-gold", "--include-hidden")
    rows = rows_of(sample(toy, "marked", tmp_path / "a.csv", 8))
    ids = [row["id"] for row in rows]
    assert show(toy, "marked")["review"] is None

    said = dict.fromkeys(ids, "natural") | {ids[0]: "wrong", ids[1]: "ambiguous"}
    first = write_marks(tmp_path / "first.json", rows, said, **{ids[0]: "The museum is <b>closed</b>."})
    assert load(toy, "marked", first, "Ada").json | {"file": ""} == {
        "dataset": "marked", "version": 1, "reviewer": "Ada", "file": "", "added": 8, "changed": 0, "unchanged": 0,
    }  # fmt: skip
    for row, mark in zip(rows, ["natural", "ambiguous", "ambiguous", *["natural"] * 5], strict=True):
        row["mark"] = mark
    with (tmp_path / "second.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert load(toy, "marked", tmp_path / "second.csv", "Ben").json["added"] == 8

    found = show(toy, "marked")
    review = found["review"]
    pairs = {("wrong", "natural"): 1, ("ambiguous", "ambiguous"): 1, ("natural", "ambiguous"): 1}
    expected = agree({**pairs, ("natural", "natural"): 5})
    assert review["agreement"] == [
        {"first": 1, "second": 2, "questions": 8, "agreement": expected.share, "kappa": expected.kappa}
    ]
    assert (review["sampled"], review["marked"]) == (8, 8)
    assert review["questions"] == len(gold_of(toy, "marked"))
    wrong = bound_of(toy, "marked", rows, {ids[0]})
    assert review["wrong"] == {"found": 1, "estimate": wrong.estimate, "upper": wrong.upper}
    assert review["effective_sample"] == wrong.effective <= 8
    assert review["ambiguous_or_wrong"]["found"] == 3
    assert review["ambiguous_or_wrong"]["upper"] == bound_of(toy, "marked", rows, set(ids[:3])).upper
    assert [one["question"] for one in found["marks"] if one["mark"] == "wrong"] == [ids[0]]
    assert "Cohen" in review["kappa_source"]

    # Again: nothing; then a changed mind, the earlier mark kept.
    assert load(toy, "marked", first, " Ada ").json["unchanged"] == 8
    changed = write_marks(tmp_path / "changed.json", rows, {ids[0]: "natural"})
    done = load(toy, "marked", changed, "Ada").json
    assert (done["added"], done["changed"], done["unchanged"]) == (0, 1, 0)
    assert show(toy, "marked")["review"]["wrong"]["found"] == 0
    with connect(toy, Role.MAINTAINER) as connection:
        history = text(
            "select mark from review_mark where question_id = :id and reviewer = 'Ada' order by id"
        )
        assert list(connection.execute(history, {"id": ids[0]}).scalars()) == ["wrong", "natural"]
    assert export(toy, "marked", tmp_path / "after", "--with-gold", "--include-hidden") == before
    assert trigpoint(toy, "verify", "marked", "--json").status == 0


def test_what_nobody_marked_counts_as_faulty(toy: Settings, tmp_path: Path) -> None:
    rows = rows_of(sample(toy, "shared", tmp_path / "a.csv", 8))
    some = write_marks(tmp_path / "some.json", rows, {row["id"]: "natural" for row in rows[:5]})
    assert load(toy, "shared", some, "Ada").status == 0
    review = show(toy, "shared")["review"]
    assert (review["sampled"], review["marked"], review["agreement"]) == (8, 5, [])
    unmarked = {row["id"] for row in rows[5:]}
    upper = bound_of(toy, "shared", rows, unmarked).upper
    assert review["wrong"] == {"found": 0, "estimate": 0.0, "upper": upper}


def test_the_card_is_on_page_rest_and_terminal(toy: Settings, tmp_path: Path) -> None:
    rows = rows_of(sample(toy, "shared", tmp_path / "a.csv", 8))
    note = write_marks(tmp_path / "b.json", rows, {rows[0]["id"]: "wrong"}, **{rows[0]["id"]: "secret note"})
    assert load(toy, "shared", note, "Benedikta").status == 0
    with connect(toy, Role.API) as connection:
        board = read_board(connection, "shared")
    assert board.review is not None
    assert board.review.model_dump(mode="json") == show(toy, "shared")["review"]
    printed = trigpoint(toy, "leaderboard", "shared").out
    with serving(toy) as address:
        import httpx

        page = html.unescape(httpx.get(f"{address}/leaderboards/shared").raise_for_status().text)
        rest = httpx.get(f"{address}/v1/leaderboards/shared").raise_for_status().text
    assert json.loads(rest)["review"] == board.review.model_dump(mode="json")
    for sentence in review_words(board):
        assert sentence in page
        assert sentence in printed
    for public in (page, rest, printed):
        assert "Benedikta" not in public
        assert "secret note" not in public


def test_files_that_are_refused_change_nothing(toy: Settings, tmp_path: Path) -> None:
    rows = rows_of(sample(toy, "refused", tmp_path / "a.csv", 8, "--seed", "1"))
    good = {row["id"]: "natural" for row in rows}
    other = next(id for id in gold_of(toy, "refused") if id not in good)
    faulty = {
        "id 'nowhere' is not in the sample": write_marks(
            tmp_path / "1.json", rows, {**good, "nowhere": "wrong"}
        ),
        f"mark 9: id '{other}' is not in": write_marks(tmp_path / "2.json", rows, {**good, other: "wrong"}),
        "dataset is 'marked@1', not 'refused@1'": write_marks(
            tmp_path / "3.json", [{**rows[0], "dataset": "marked@1"}], good
        ),
        "--size 3: choose from": write_marks(tmp_path / "4.json", [{**rows[0], "size": "3"}], good),
    }
    for fault, path in faulty.items():
        done = load(toy, "refused", path, "Ada")
        assert done.status == 2, fault
        assert fault in " ".join(done.err.split())
    for name in ("", " ", "x" * 81, "a\tb"):
        done = load(toy, "refused", write_marks(tmp_path / "5.json", rows, good), name)
        assert (done.status, "--reviewer" in done.err) == (2, True)
    assert show(toy, "refused") == {"dataset": "refused", "version": 1, "review": None, "marks": []}
    assert load(toy, "refused", write_marks(tmp_path / "5.json", rows, good), "Ada").status == 0
    seeds = write_marks(tmp_path / "6.json", [{**rows[0], "seed": "2"}], good)
    for done in (
        load(toy, "refused", seeds, "Ben"),
        trigpoint(
            toy, "review", "sample", "refused", "--size", "9", "--seed", "1", "--to", str(tmp_path / "z.csv")
        ),
    ):
        assert done.status == 1
        assert "is being reviewed on the sample of --size 8 --seed 1" in " ".join(done.err.split())


@pytest.mark.parametrize("role", [Role.MAINTAINER, Role.WORKER, Role.API, Role.DASHBOARD, Role.READER])
@pytest.mark.parametrize(
    "statement", ["update trigpoint.review_mark set mark = 'natural'", "delete from trigpoint.review_mark"]
)
def test_nobody_changes_a_mark(toy: Settings, role: Role, statement: str) -> None:
    with connect(toy, role) as connection:
        connection.execute(text("set session characteristics as transaction read write"))
        connection.commit()
        with pytest.raises(DBAPIError) as caught:
            connection.execute(text(statement))
    assert isinstance(caught.value.orig, psycopg.errors.InsufficientPrivilege)


@pytest.mark.parametrize("view", ["review_template", "review_reviewer", "review_pair"])
def test_public_roles_read_aggregates(toy: Settings, view: str) -> None:
    for role in (Role.API, Role.DASHBOARD):
        with connect(toy, role) as connection:
            columns = connection.execute(text(f"select * from trigpoint.{view}")).keys()
            assert not {"reviewer", "note", "question_id"} & set(columns)
        with connect(toy, role) as connection, pytest.raises(DBAPIError):
            connection.execute(text("select * from trigpoint.review_current"))
