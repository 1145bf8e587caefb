"""MapEval's files as data sets: pictures are assets, options may be answered by numbers, 0 says that there is none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint
from tests.support.published_mapeval import picture, visual, write_textual, write_visual


def rows(settings: Settings, statement: str) -> list[Any]:
    with connect(settings, Role.WORKER) as connection:
        return list(connection.execute(text(statement)))


@pytest.fixture(scope="module")
def loaded(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = make_database()
    folder = tmp_path_factory.mktemp("release")
    done = trigpoint(settings, "load", "mapeval-textual", str(write_textual(folder)), "--json")
    assert done.status == 0, done.err
    assert (done.json["dataset"], done.json["questions"]) == ("mapeval_textual", 5)
    assert [line.rpartition(": ")[2] for line in done.json["listed"]] == [
        "2 empty options are left out",
        "several options are 'Via B'; all of them are kept",
        "its key is one of them; each is accepted",
    ]
    return settings


ANSWERS = {
    "direction of New Bridge": ('{"option_no": 1, "explanation": "it lies {north}"}', 1.0, 0.0),
    "direction of Old Mill": ('{"option_no": 2}', 1.0, 1.0),
    "open on Sunday": ("B", 1.0, 0.0),
    "fastest": ("^^3^^", 1.0, 1.0),
    "rain": ('{"option_no": 0}', 1.0, 1.0),
}
"""By a part of the question: a reply, and its value by our rules and by the authors'."""


def test_replies_are_scored_by_both_rules(loaded: Settings, tmp_path: Path) -> None:
    asked = rows(loaded, "select id, prompt -> -1 ->> 'text' as text from question order by position")
    replies = {row.id: next(one for part, one in ANSWERS.items() if part in row.text) for row in asked}
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"id": id_, "answer": one[0]}) for id_, one in replies.items()))
    done = trigpoint(loaded, "submit", "mapeval_textual", str(path), "--name", "a model")
    assert done.status == 0, done.err
    statement = """
    select prediction.question_id as id, score.profile, score.value
    from score inner join prediction on score.prediction_id = prediction.id
    """
    found = {(row.id, row.profile): row.value for row in rows(loaded, statement)}
    assert found == {
        (id_, profile): value
        for id_, (_, ours, theirs) in replies.items()
        for profile, value in (("trigpoint", ours), ("published", theirs))
    }
    boards = rows(loaded, "select profile, n from board_aggregate where scope = 'all' order by profile")
    assert boards == [("published", 5), ("trigpoint", 5)]


def test_pictures_are_stored_once_and_shown_to_nobody_yet(database: Settings, tmp_path: Path) -> None:
    path, root = write_visual(tmp_path, [visual(), visual(answer="1")])
    command = ("load", "mapeval-visual", str(path), "--out", "maps", "--pictures", str(root), "--json")
    done = trigpoint(database, *command)
    assert done.status == 0, done.err
    assert (done.json["questions"], done.json["pictures"]) == (2, 1)
    ((sha256, licence),) = rows(database, "select sha256, licence from asset")
    assert "licence not stated" in licence
    shown = f"select trigpoint.is_shown_asset('{sha256}')"
    assert rows(database, shown) == [(False,)]
    assert trigpoint(database, *command).json["new"] is False
    assert trigpoint(database, "imported", "open", "maps", "--licence", "CC-BY-4.0").status == 0
    assert rows(database, shown) == [(True,)]


def test_a_hostile_picture_stores_nothing(database: Settings, tmp_path: Path) -> None:
    pictures = {"VData/ID_1.PNG": picture()[:-30]}
    path, root = write_visual(tmp_path, [visual(), visual("../ID_1.PNG")], pictures)
    done = trigpoint(database, "load", "mapeval-visual", str(path), "--pictures", str(root))
    assert done.status == 2
    assert "VData/ID_1.PNG: it is cut off or broken" in done.err
    assert "'../ID_1.PNG' does not stay in the folder" in done.err
    assert rows(database, "select (select count(*) from dataset) + (select count(*) from asset)") == [(0,)]


def test_pictures_of_a_format_without_any_are_refused(database: Settings, tmp_path: Path) -> None:
    path = write_textual(tmp_path)
    done = trigpoint(database, "load", "mapeval-textual", str(path), "--pictures", str(tmp_path))
    assert (done.status, "leave --pictures out" in done.err) == (2, True)
