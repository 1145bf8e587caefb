"""Written questions as a data set: published by a worker, run, verified, exported, and brought to a newer map."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.errors import Conflict
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.storing import newest_of
from tests.support.command_line import trigpoint
from tests.support.routers import own_routers
from tests.support.service import serving
from tests.support.tool_maps import import_open_and_closed, switch
from tests.support.town import TIMESTAMP, Imported, import_map
from tests.support.workbench import QUESTION, Person, cell, do_jobs

NAME = "by_hand"
LATER = TIMESTAMP.replace(TIMESTAMP[:4], str(int(TIMESTAMP[:4]) + 1))


class Bench(NamedTuple):
    """A workbench with three questions: one agreed upon, one without an answer likewise, one that waits."""

    map: Imported
    address: str
    ada: Person
    ben: Person
    drafts: list[str]

    @property
    def settings(self) -> Settings:
        return self.map.settings

    def publish(self, person: Person) -> httpx.Response:
        """Press the button, and let a worker do the job."""
        asked = person.post(f"/datasets/{NAME}/publish")
        do_jobs(self.settings)
        return asked


@pytest.fixture(scope="module")
def bench(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        map_ = import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))
        with serving(settings) as address:
            ada, ben = Person(settings, address), Person(settings, address)
            cafe = map_.key("Café Élan")
            unanswerable = {"draft_question": "which has five stars?", "draft_key": "none"}
            drafts = [
                ada.write(NAME, "tools", cafe),
                ada.write(NAME, "tools", cafe, **unanswerable),
                ada.write(NAME, "tools", cafe, draft_question="and the farthest?"),
            ]
            ben.answer(drafts[0], "1")
            ben.answer(drafts[1], "none")
            made = Bench(map_, address, ada, ben, drafts)
            assert made.publish(ada).status_code == 303
            yield made


def ask(bench: Bench, statement: str, **binds: Any) -> list[Any]:
    with connect(bench.settings, Role.MAINTAINER) as connection:
        return list(connection.execute(text(statement), binds).all())


def test_what_is_agreed_upon_is_published(bench: Bench) -> None:
    page = bench.ada.client.get("/workbench").text
    assert cell(page, "job") == "done"
    assert f"/leaderboards/{NAME}%401" in page
    rows = ask(
        bench,
        "select template, options, kind, value from question join gold on question_id = id order by position",
    )
    options = ["Linde", "Krone", "Sonne", "This question cannot be answered"]
    assert [tuple(row) for row in rows] == [
        ("written_nearby", options, "value", {"index": 1}),
        ("written_unanswerable", options, "unanswerable", {"index": 3}),
    ]
    kinds = ask(
        bench, "select kind, parameters -> 'calls' -> 0 ->> 'tool', parameters ->> 'confirmed' from proof"
    )
    assert {tuple(row) for row in kinds} == {("evidence", "nearby", "two people agree")}


def test_the_same_again_is_refused(bench: Bench) -> None:
    assert bench.publish(bench.ada).status_code == 303
    page = bench.ada.client.get("/workbench").text
    assert cell(page, "job") == "failed"
    assert f"{NAME}@1 has these very questions already." in page


def test_nothing_that_waits_is_published(bench: Bench) -> None:
    cafe = bench.map.key("Café Élan")
    bench.ada.write("waiting_alone", "tools", cafe)
    refused = bench.ada.post("/datasets/waiting_alone/publish")
    assert refused.status_code == 404
    assert "No question of waiting_alone is agreed upon" in refused.text


def test_runs_are_ranked_on_a_board_that_says_who_wrote_it(bench: Bench) -> None:
    done = trigpoint(bench.settings, "evaluate", NAME, "--solver", "oracle", "--json")
    assert done.status == 0, done.err
    board = httpx.get(f"{bench.address}/leaderboards/{NAME}", timeout=60).text
    assert cell(board, "written") == "written by hand"
    terminal = trigpoint(bench.settings, "leaderboard", NAME).out
    assert "People wrote these questions by hand" in " ".join(terminal.split())
    rest = httpx.get(f"{bench.address}/v1/leaderboards/{NAME}", timeout=60).json()
    assert rest["written_by_hand"] is True
    assert (rest["rows"][0]["solver"], rest["rows"][0]["score"]) == ("oracle", 1.0)
    assert (
        cell(httpx.get(f"{bench.address}/datasets/{NAME}", timeout=60).text, "written") == "written by hand"
    )
    ((question,),) = ask(bench, "select id from question where position = 0")
    shown = httpx.get(f"{bench.address}/datasets/{NAME}@1/questions/{question}", timeout=60).text
    assert "Written by hand: nothing computes this answer." in shown
    assert "1. Krone, 100 m" in shown


def test_verify_makes_the_calls_again(bench: Bench) -> None:
    done = trigpoint(bench.settings, "verify", f"{NAME}@1")
    assert done.status == 0
    assert "evidence     2 agree, 0 differ" in done.out
    assert "written by hand" in " ".join(done.out.split())
    assert "Proved." not in done.out


def test_an_export_is_read_as_the_published_set_is(bench: Bench, tmp_path: Path) -> None:
    answer = bench.ada.client.get(f"/workbench/datasets/{NAME}@1/export")
    first, second = answer.json()
    assert first["question"] == QUESTION["draft_question"]
    assert first["answer"] == {"options": ["Linde", "Krone", "Sonne"], "correct": 1}
    assert (first["classification"], second["classification"]) == ("nearby", None)
    assert second["answer"]["correct"] == -1
    assert "OpenStreetMap contributors" in first["attribution"]
    file = tmp_path / "export.json"
    file.write_bytes(answer.content)
    loaded = trigpoint(bench.settings, "load", "mapeval-textual", str(file), "--out", "again", "--json")
    assert (loaded.status, loaded.json["questions"], loaded.json["listed"]) == (0, 2, [])


@pytest.mark.parametrize("command", [("reproduce",), ("export", "--to")])
def test_what_works_by_templates_refuses_it(bench: Bench, tmp_path: Path, command: tuple[str, ...]) -> None:
    more = [*command[1:], str(tmp_path / "out")] if len(command) > 1 else []
    done = trigpoint(bench.settings, command[0], f"{NAME}@1", *more)
    assert done.status != 0
    assert "were written by hand" in " ".join(done.err.split())


def test_a_generated_data_set_does_not_take_its_name(bench: Bench) -> None:
    with connect(bench.settings, Role.WORKER) as connection, pytest.raises(Conflict, match="written by hand"):
        newest_of(connection, NAME, "mapeval")


def test_a_newer_map_flags_what_it_changes(bench: Bench, tmp_path: Path) -> None:
    """The last test of this file: it changes the map."""
    newer = bench.map.file.read_text().replace(TIMESTAMP, LATER).replace('v="Linde"', 'v="Alte Linde"')
    file = tmp_path / "tools.osm"
    file.write_text(newer)
    (tmp_path / "tools.poly").write_bytes(bench.map.file.with_suffix(".poly").read_bytes())
    steady = bench.ada.begin(NAME, "tools")
    bench.ada.pin(steady, "place_details", place=bench.map.key("Krone"))
    bench.ada.press(
        steady, "hand in", **QUESTION | {"draft_class": "poi", "draft_question": "What serves pizza?"}
    )
    bench.ben.answer(steady, "1")
    bench.publish(bench.ada)
    import_map(bench.settings, file, "tools")
    switch(bench.settings, "tools", True)

    dry = trigpoint(bench.settings, "refresh", NAME, "--snapshot", "tools", "--dry-run", "--json").json
    assert (dry["to"], len(dry["flagged"])) == (None, 3)
    assert ask(bench, "select count(*) from draft where state = 'flagged'")[0][0] == 0
    done = trigpoint(bench.settings, "refresh", NAME, "--snapshot", "tools", "--json").json
    assert (done["from"], done["to"], done["kept"]) == (f"{NAME}@2", f"{NAME}@3", 1)
    assert set(done["flagged"]) == set(bench.drafts)
    texts = ask(
        bench,
        "select prompt -> 1 ->> 'text' from question join dataset_version v on v.id = version_id where number = 3 and recipe ? 'written'",
    )
    assert [row[0] for row in texts] == ["What serves pizza?"]
    ends = ask(bench, "select outcome, count(*) from lineage group by outcome order by outcome")
    assert dict(map(tuple, ends)) == {"added": 1, "kept": 3, "retired": 2}
    page = bench.ada.client.get("/workbench").text
    assert "gives other results for 3 questions" in cell(page, "flagged")
    draft = bench.drafts[0]
    assert "2. Alte Linde, 250 m" in cell(bench.ada.page(draft), "newer")
    assert bench.publish(bench.ada).status_code == 303
    assert bench.ada.press(draft, "hand in", **QUESTION).status_code == 409
    assert bench.ada.press(draft, "take newer").status_code == 303
    assert bench.ada.press(draft, "hand in", **QUESTION | {"draft_option_0": "Alte Linde"}).status_code == 303
    bench.ben.answer(draft, "1")
    bench.publish(bench.ada)
    assert trigpoint(bench.settings, "verify", f"{NAME}@4").status == 0
    assert trigpoint(bench.settings, "verify", f"{NAME}@1").status == 0
