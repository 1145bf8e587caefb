"""The pages of runs, maps, submissions and disputes: REST's numbers, reasons of errors, no contact, hostile names."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import ANY

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.dashboard import reading
from app.db.engine import connect
from app.published.read_as import say_read
from tests.app.dashboard.test_pages import Cells, as_value
from tests.support.command_line import trigpoint
from tests.support.factories import FAILED, FAILURE, MISSING, MadeVersion, make_map, make_run
from tests.support.inspected_dataset import make_inspected
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

CONTACT = "private-contact@example.org"
NASTY = "org/mod<b>el</b>/\u202egnp.exe 🧭 " + "n" * 150


class Made(NamedTuple):
    settings: Settings
    version: MadeVersion
    client: httpx.Client
    reader: str
    failed: int
    running: int

    def page(self, path: str) -> Cells:
        found = Cells(self.client.get(path).raise_for_status().text)
        assert not found._stack
        return found

    def rest(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.reader}"}
        return self.client.get(f"/v1{path}", headers=headers).raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    settings = make_database()
    version = make_inspected(settings)
    failed = make_run(settings, version, [FAILED] * 3, NASTY, status="incomplete")
    running = make_run(settings, version, ["A", MISSING, MISSING], "under way", status="running")
    answers = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    _write_answers(answers, version)
    done = trigpoint(settings, "submit", "shown", str(answers), "--name", "their-model", "--json")
    assert done.status == 0, done.err
    said = ("--reason", "ambiguous", "--text", "SECRET_WORDS of a dispute")
    done = trigpoint(settings, "dispute", "open", "shown", version.questions[0], *said)
    assert done.status == 0, done.err
    reader = make_key(settings, "reader")
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, version, client, reader, failed, running)


def _write_answers(file: Path, version: MadeVersion) -> None:
    lines = [{"card": {"contact": CONTACT}}] + [{"id": one, "answer": "B"} for one in version.questions]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def cell_of(page: Cells, name: str) -> tuple[str, str]:
    return next(value for (_, cell), value in page.cells.items() if cell == name)


@pytest.mark.parametrize("which", ["failed", "running"])
def test_a_run_is_what_rest_says(made: Made, which: str) -> None:
    run = getattr(made, which)
    page, rest = made.page(f"/runs/{run}"), made.rest(f"/runs/{run}")
    progress = rest["progress"]
    expected = {
        name: progress[name] for name in ("done", "errors", "waiting", "in_flight", "retrying", "tokens")
    }
    expected |= {name: rest["states"][name] for name in ("answered", "no_answer")}
    expected |= {"total": rest["total"], "requests": rest["endpoint_requests"], "cost": progress["cost"]}
    assert {name: cell_of(page, name)[1] for name in expected} == {
        name: as_value(value) for name, value in expected.items()
    }
    assert cell_of(page, "status")[0] == rest["status"]


def test_a_run_that_lives_keeps_its_page_up_to_date(made: Made) -> None:
    living = made.client.get(f"/runs/{made.running}").text
    assert '<script src="/static/live.js" defer></script>' in living
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in living
    ended = made.client.get(f"/runs/{made.failed}").text
    assert "live.js" not in ended
    assert "http-equiv" not in ended
    assert made.client.get("/static/live.js").status_code == 200


def test_a_run_with_only_errors_says_why(made: Made) -> None:
    page = made.client.get(f"/runs/{made.failed}").text
    assert '<td class="said" dir="auto">the endpoint cannot be reached</td>' in page
    assert "answers, 3 of them errors." in re.sub(r"</?(span|data)[^>]*>", "", page)
    assert "1 more error is not listed: errors on hidden questions" in page
    (one,) = made.rest(f"/runs/{made.failed}/calls")["errors"]
    assert one["answers"] == 2, "the third is on a hidden question"
    assert one["reason"] == FAILURE.replace("gpu-7.lab.example:8000", "(address)"), (
        "a key's holder reads more"
    )


def run_of(made: Made, label: str) -> int:
    runs: list[dict[str, Any]] = made.rest("/runs")["runs"]
    return next(int(one["run"]) for one in runs if one["label"] == label)


def test_a_run_shows_how_it_stands_on_its_board(made: Made) -> None:
    run = run_of(made, "oracle")
    (row,) = [one for one in made.client.get("/v1/leaderboards/shown").json()["rows"] if one["run"] == run]
    page = made.page(f"/runs/{run}")
    assert cell_of(page, "rank") == ("not ranked" if row["rank"] is None else str(row["rank"]), ANY)
    text_of_page = made.client.get(f"/runs/{run}").text
    assert f'<data value="{row["score"]}">' in text_of_page.partition('id="standing"')[2]
    assert '<a href="/leaderboards/shown%401">its board</a>' in text_of_page
    assert 'id="standing"' not in made.client.get(f"/runs/{made.running}").text, "it has no score"


def test_answers_of_a_run_are_those_of_rest(made: Made) -> None:
    run = run_of(made, "their-model")
    told = made.rest(f"/runs/{run}/answers")["answers"]
    page = made.client.get(f"/runs/{run}").text
    assert re.findall(r'data-question="(\w+)"', page) == [one["question"] for one in told]
    assert made.version.questions[1] not in page, "a hidden question"
    read = [say_read(one["read"], one["options"], one["rotation"]) for one in told]
    assert [unescape(one) for one in re.findall(r'data-label="Read as">([^<]+)<', page)] == read
    assert all(str(one).startswith("B: ") for one in read), "in words, not as JSON"
    assert "<script>alert" not in page


@pytest.mark.parametrize("outcome", ["correct", "wrong", "no_answer", "error"])
def test_answers_are_filtered_by_outcome(made: Made, outcome: str) -> None:
    for label in ("their-model", "oracle"):
        run = run_of(made, label)
        told = made.rest(f"/runs/{run}/answers")["answers"]
        wanted = [one["question"] for one in told if outcome in (one["outcome"], one["state"])]
        page = made.client.get(f"/runs/{run}", params={"outcome": outcome}).raise_for_status().text
        assert re.findall(r'data-question="(\w+)"', page) == wanted
        assert ("No answer matches the filter" in page) == (not wanted)


def test_answers_go_on_on_the_next_page(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(made, "their-model")
    whole = re.findall(r'data-question="(\w+)"', made.client.get(f"/runs/{run}").text)
    monkeypatch.setattr("app.dashboard.runs.ANSWERS", 1)
    first = made.client.get(f"/runs/{run}").text
    (further,) = re.findall(r'rel="next" href="([^"#]+)#answers"', first)
    second = made.client.get(unescape(further)).raise_for_status().text
    found = [re.findall(r'data-question="(\w+)"', one) for one in (first, second)]
    assert found == [whole[:1], whole[1:]]


def test_answers_to_hidden_questions_are_not_missed(made: Made) -> None:
    run = next(one["run"] for one in made.rest("/runs")["runs"] if one["label"] == "oracle")
    page = made.client.get(f"/runs/{run}").raise_for_status().text
    assert "This leaves out 1 answer to a hidden question" in page


def test_names_of_models_are_words(made: Made) -> None:
    for path in ("/runs", f"/runs/{made.failed}", "/leaderboards/shown", "/leaderboards/shown/templates"):
        page = made.client.get(path).raise_for_status().text
        assert "mod<b>el" not in page
        assert "\u202e" not in page, "nothing turns the text about"
        assert "&lt;b&gt;el" in page.replace("\u200b", "")


def test_runs_are_listed_and_filtered(made: Made) -> None:
    assert made.page("/runs").order == [str(one["run"]) for one in made.rest("/runs")["runs"]]
    assert len(made.page("/runs").order) == 7
    assert made.page("/runs?status=running").order == [str(made.running)]
    assert "No run matches" in made.client.get("/runs?status=paused").text
    assert made.client.get("/runs?dataset=nope").status_code == 404
    assert made.client.get("/runs?status=odd").status_code == 422
    assert made.client.get("/runs/999999").status_code == 404
    assert made.client.get("/runs/x").headers["content-type"].startswith("text/html")


def test_submissions_without_contact(made: Made) -> None:
    with connect(made.settings, Role.MAINTAINER) as connection:
        assert connection.execute(text("select contact from submission")).scalar_one() == CONTACT
    page = made.client.get("/submissions").text
    assert CONTACT not in page
    assert "their-model" in page.replace("\u200b", "")
    cells = made.page("/submissions").cells
    assert [value for (_, cell), value in cells.items() if cell == "answers"] == [("3", "3")]


def test_a_run_that_a_newer_one_replaced_on_the_board_shows_its_score(made: Made) -> None:
    older, newer = (make_run(made.settings, made.version, answers, "twice") for answers in ("AAA", "BBB"))
    for run in (older, newer):
        score(made.settings, run)
    page = text_of(made.client.get(f"/runs/{older}").text)
    assert "Its board shows a newer run of this name instead." in page
    assert "Its board shows" not in text_of(made.client.get(f"/runs/{newer}").text)
    shown = trigpoint(made.settings, "run", "show", str(older)).out
    (percent,) = re.findall(r"Score ([0-9.]+) %, 95 % interval", page)
    assert f"{percent} %, 95 % interval" in shown


def text_of(page: str) -> str:
    """What a page says, without its marks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_what_was_withdrawn_is_named_no_more(made: Made) -> None:
    """Last of the submissions' tests: it ends the one that there is."""
    (one,) = trigpoint(made.settings, "submission", "list", "--json").json["submissions"]
    run = one["run"]
    assert "their-model" in made.client.get(f"/runs/{run}").text.replace("\u200b", "")
    assert trigpoint(made.settings, "submission", "withdraw", str(one["submission"])).status == 0
    for path in (
        "/submissions",
        "/runs",
        f"/runs/{run}",
        f"/datasets/shown/questions/{made.version.questions[0]}",
    ):
        page = made.client.get(path).raise_for_status().text
        assert "their-model" not in page.replace("\u200b", ""), path
    assert ">withdrawn<" in made.client.get("/submissions").text
    assert 'id="standing"' not in made.client.get(f"/runs/{one['run']}").text


def test_disputes_without_their_words(made: Made) -> None:
    page = made.client.get("/disputes").text
    assert "ambiguous" in page
    assert ">open<" in page
    assert f"/questions/{made.version.questions[0]}" in page
    assert "SECRET_WORDS" not in page


def test_maps_with_their_rejects(made: Made) -> None:
    schema = made.version.map.schema
    with connect(made.settings, Role.OWNER) as owner:
        owner.execute(
            text(
                f"create table {schema}.reject as select 'w' as osm_type, 5 as osm_id, 'w5' as osm_key,"
                " 'park' as layer, '<i>Park' as name, 'line_not_area' as reason, 'the way is not closed' as detail,"
                " st_setsrid(st_makepoint(9.5, 47.1), 4326) as place"
            )
        )
        owner.commit()
    reference = "village@2026-01-02T03:04:05Z"
    rest = made.client.get(f"/v1/snapshots/{reference}/rejects").raise_for_status().json()
    page = made.page(f"/snapshots/{reference}")
    for one in rest["counts"]:
        assert page.cells[f"reject {one['layer']} {one['reason']}", "objects"][1] == str(one["objects"])
    shown = made.client.get(f"/snapshots/{reference}").text
    assert "&lt;i&gt;Park" in shown
    assert shown.count('<path class="reject"') == 2, "on the map, and in its legend"
    assert (
        f'href="/snapshots/{reference.replace("@", "%40").replace(":", "%3A")}"'
        in made.client.get("/snapshots").text
    )
    assert made.client.get("/snapshots/nope").status_code == 404


def test_a_name_alone_is_its_newest_map(make_database: Callable[[], Settings]) -> None:
    """By the map's date, not by the order of imports; and the same over REST."""
    settings = make_database()
    made = [make_map(settings) for _ in range(3)]
    dates = ["2024-05-06T07:08:09Z", "2025-05-06T07:08:09Z", None]
    with connect(settings, Role.OWNER) as owner:
        for one, date in zip(made, dates, strict=True):
            owner.execute(
                text("update trigpoint.snapshot set data_timestamp = :date where id = :id"),
                {"date": date, "id": one.id},
            )
        owner.commit()
    with serving(settings) as address, patient_client(address) as client:
        newest = client.get("/snapshots/village")
        assert newest.status_code == 200
        assert newest.text == client.get("/snapshots/village@2025-05-06T07:08:09Z").text
        assert "A newer map of this name is published" not in newest.text
        told = client.get("/v1/snapshots/village/rejects").raise_for_status().json()
        assert told["snapshot"]["snapshot"] == "village@2025-05-06T07:08:09Z"
        assert client.get("/snapshots/village@undated").status_code == 200
        for unknown in ("villag", "village@", "village@2025"):
            assert client.get(f"/snapshots/{unknown}").status_code == 404, unknown


def test_a_slow_database_is_said(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PATIENCE_MS", 300)
    with connect(made.settings, Role.OWNER) as owner:
        owner.execute(text("lock table trigpoint.question in access exclusive mode"))
        for path in ("/datasets/shown", f"/datasets/shown/questions/{made.version.questions[0]}"):
            answer = made.client.get(path)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert answer.headers["content-type"].startswith("text/html")
            assert "The database does not answer at the moment" in answer.text
        owner.rollback()
    assert made.client.get("/datasets/shown").status_code == 200
