"""The workbench: a draft is searched for, pinned, typed, handed in, answered blind and decided; nothing is lost."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.routers import own_routers
from tests.support.service import serving
from tests.support.tool_maps import import_open_and_closed
from tests.support.town import Imported
from tests.support.workbench import QUESTION, Person, cell

TABLES = ("draft", "draft_evidence", "draft_answer", "audit")


@pytest.fixture(scope="module")
def map_(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        yield import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))


@pytest.fixture(scope="module")
def address(map_: Imported) -> Iterator[str]:
    with serving(map_.settings) as address:
        yield address


@pytest.fixture(scope="module")
def ada(map_: Imported, address: str) -> Person:
    return Person(map_.settings, address)


@pytest.fixture(scope="module")
def ben(map_: Imported, address: str) -> Person:
    return Person(map_.settings, address)


@pytest.fixture(scope="module")
def eve(map_: Imported, address: str) -> Person:
    return Person(map_.settings, address)


@pytest.fixture(scope="module")
def cafe(map_: Imported) -> str:
    return map_.key("Café Élan")


def stored(settings: Settings, table: str) -> list[dict[str, Any]]:
    with connect(settings, Role.MAINTAINER) as connection:
        rows = connection.execute(text(f"select * from {table} order by id"))
        return [dict(row) for row in rows.mappings()]


def everything(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    return {table: stored(settings, table) for table in TABLES}


def test_a_search_shows_a_list_a_map_and_what_would_be_pinned(ada: Person, cafe: str) -> None:
    draft = ada.begin("searching", "tools")
    sent = ada.press(draft, "search", tool="nearby", where=cafe, type="restaurant", limit="2")
    assert sent.status_code == 303
    page = ada.client.get(sent.headers["location"]).text
    assert re.findall(r'<li data-place="[^"]+"><bdi>([^<]+)</bdi>', page)[-2:] == ["Krone", "Linde"]
    assert "data-answer=" in page
    assert cell(page, "printed").splitlines() == [
        "Nearby places of the type 'restaurant' around Café Élan, the nearest first:",
        "1. Krone, 100 m (50.0009, 10.0000)",
        "2. Linde, 250 m (50.0000, 10.0035)",
    ]


def test_a_place_of_a_result_is_used_for_the_next_search(ada: Person, cafe: str) -> None:
    draft = ada.begin("searching", "tools")
    details = ada.press(draft, f"use:place_details place {cafe}", tool="place_search", query="Café")
    assert "call=1" in details.headers["location"]
    page = ada.client.get(details.headers["location"]).text
    assert "Information of Café Élan:" in page
    start = ada.press(draft, f"use:directions origin {cafe}", tool="place_search", query="Café")
    found = ada.press(draft, "tool:place_search", tool="directions", origin=cafe)
    assert cafe in start.headers["location"]
    assert f"kept_origin={cafe}" in found.headers["location"]
    end = ada.press(draft, "use:directions destination n1", tool="place_search", kept_origin=cafe)
    assert {f"origin={cafe}", "destination=n1"} <= set(re.split("[?&]", end.headers["location"]))


@pytest.mark.parametrize(
    ("tool", "arguments", "printed"),
    [
        ("place_search", {"query": "Krone"}, "Krone"),
        ("nearby", {"where": "50.0,10.0", "type": "restaurant"}, "Krone"),
        ("travel_time", {"origin": "{cafe}", "destination": "{krone}", "mode": "foot"}, "Travel Time from"),
        ("travel_time", {"origin": "50.0,10.0", "destination": "{krone}", "mode": "foot"}, "Krone"),
        ("directions", {"origin": "{cafe}", "destination": "{krone}", "mode": "foot"}, "There is 1 route"),
        ("directions", {"origin": "50.0,10.0", "destination": "{krone}", "mode": "foot"}, "Krone"),
        ("distance", {"origin": "{cafe}", "destination": "50.001,10.0"}, "Café Élan"),
    ],
)
def test_every_tool_prints_what_would_be_pinned(
    map_: Imported, ada: Person, cafe: str, tool: str, arguments: dict[str, str], printed: str
) -> None:
    draft = ada.begin("printing", "tools")
    filled = {name: value.format(cafe=cafe, krone=map_.key("Krone")) for name, value in arguments.items()}
    sent = ada.press(draft, "search", tool=tool, **filled)
    page = ada.client.get(sent.headers["location"])
    assert page.status_code == 200, page.text
    assert printed in cell(page.text, "printed")
    assert "None" not in cell(page.text, "printed")


def test_a_pin_keeps_its_call(map_: Imported, ada: Person, cafe: str) -> None:
    draft = ada.begin("pinning", "tools")
    ada.pin(draft, "place_details", place=cafe, draft_question="When does it open?")
    (pin,) = [one for one in stored(map_.settings, "draft_evidence") if one["draft_id"] == draft]
    assert (pin["tool"], pin["arguments"], pin["lines"][0]) == (
        "place_details",
        {"place": cafe},
        "Information of Café Élan:",
    )
    assert len(pin["result_hash"]) == 32
    page = ada.page(draft)
    assert "Information of Café Élan:" in page
    assert "When does it open?" in page
    again = ada.press(draft, "pin", tool="place_details", place=cafe)
    assert (again.status_code, cell(again.text, "error")) == (409, "This result is in the context already.")
    ada.press(draft, f"unpin:{pin['id']}")
    assert "Information of" not in ada.page(draft)
    assert any(one["removed_at"] for one in stored(map_.settings, "draft_evidence") if one["id"] == pin["id"])


def test_what_a_tool_cannot_answer_is_said_and_what_was_typed_is_kept(ada: Person) -> None:
    draft = ada.begin("pinning", "tools")
    page = ada.press(draft, "pin", tool="place_details", place="n999999", draft_question="Is it open?")
    assert page.status_code == 422
    assert "n999999" in cell(page.text, "error")
    assert "Is it open?" in ada.page(draft)


def test_a_draft_needs_an_open_map_and_a_name(ada: Person) -> None:
    for fields, said in (
        ({"snapshot": "closed"}, "Tools are closed on closed@"),
        ({"snapshot": "nowhere"}, "There is no published map"),
        ({"dataset": "a b"}, "a data set's name has at most 60 characters"),
        ({"benchmark": "gsqa"}, "are not written by hand"),
    ):
        sent = {"dataset": "new", "benchmark": "mapeval", "snapshot": "tools", **fields}
        page = ada.post("/drafts", **sent)
        assert page.status_code == 409
        assert said in cell(page.text, "error")


def test_two_tabs_overwrite_nothing_silently(ada: Person) -> None:
    draft = ada.begin("tabs", "tools")
    seen = ada.revision(draft)
    first = ada.post(f"/drafts/{draft}", do="save", draft_revision=seen, draft_question="From the first tab?")
    second = ada.post(f"/drafts/{draft}", do="save", draft_revision=seen, draft_question="From the second?")
    assert (first.status_code, second.status_code) == (303, 409)
    assert "was changed since this page was loaded" in cell(second.text, "error")
    assert "From the second?" in second.text
    assert "From the first tab?" in ada.page(draft)


def test_a_script_saves_between(map_: Imported, ada: Person) -> None:
    draft = ada.begin("tabs", "tools")
    seen = ada.revision(draft)
    saved = ada.post(f"/drafts/{draft}", do="autosave", draft_revision=seen, draft_question="Half a qu")
    assert saved.json() == {"revision": int(seen) + 1}
    noted = len(stored(map_.settings, "audit"))
    same = ada.post(
        f"/drafts/{draft}", do="autosave", draft_revision=int(seen) + 1, draft_question="Half a qu"
    )
    assert same.json() == {"revision": int(seen) + 1}
    assert len(stored(map_.settings, "audit")) == noted
    stale = ada.post(f"/drafts/{draft}", do="autosave", draft_revision=seen, draft_question="Another")
    assert (stale.status_code, list(stale.json())) == (409, ["fault"])


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("draft_question", "a\u202eb", "holds a sign that is not seen"),
        ("draft_question", "a\x00b", "holds a sign that is not seen"),
        ("draft_option_3", "x\u200by", "holds a sign that is not seen"),
        ("draft_question", "w" * 2001, "has 2,001 characters"),
        ("draft_option_0", "w" * 201, "has 201 characters"),
        ("draft_class", "other", "from their lists"),
        ("draft_dimension", "'; drop table draft; --", "from their lists"),
    ],
)
def test_what_hides_or_is_too_long_is_refused(
    map_: Imported, ada: Person, field: str, typed: str, said: str
) -> None:
    draft = ada.begin("hostile", "tools")
    before = everything(map_.settings)
    page = ada.press(draft, "save", **{**QUESTION, field: typed})
    assert page.status_code == 422
    assert said in cell(page.text, "error")
    assert "\u202e" not in page.text
    assert everything(map_.settings) == before


def test_html_is_text(ada: Person, ben: Person, cafe: str) -> None:
    planted = "<script>alert(1)</script><b>x</b>"
    draft = ada.write("hostile", "tools", cafe, draft_question=planted, draft_option_0='"><img src=x>')
    for page in (ada.page(draft), ben.page(draft), ben.client.get("/workbench").text):
        assert "<script>alert" not in page
        assert "<img" not in page.replace('<img src="/static/mark.svg"', "")
    assert unescape(planted) in unescape(ben.page(draft))


def test_a_question_is_handed_in_whole(ada: Person, cafe: str) -> None:
    draft = ada.begin("handing", "tools")
    page = ada.press(draft, "hand in", draft_question="", draft_option_0="Krone", draft_option_1="krone")
    said = cell(page.text, "error")
    for missing in ("Write the question.", "Two options are alike.", "Say which option", "Pin a result"):
        assert missing in said
    assert cell(ada.page(draft), "state") == "writing"


def test_an_empty_option_moves_the_key(map_: Imported, ada: Person) -> None:
    draft = ada.begin("handing", "tools")
    options = {"draft_option_0": "", "draft_option_1": "Krone", "draft_option_4": "Linde"}
    ada.press(draft, "save", draft_question="Which?", **options, draft_key="4")
    (row,) = [one for one in stored(map_.settings, "draft") if one["id"] == draft]
    assert (row["options"], row["key"]) == (["Krone", "Linde"], 1)


def test_a_second_person_answers_without_the_key(ada: Person, ben: Person, cafe: str) -> None:
    draft = ada.write("agreed", "tools", cafe)
    page = ben.page(draft)
    assert "✓ answer" not in page
    assert " checked" not in page
    assert "Krone, 100 m" in page
    assert ben.answer(draft, "1").status_code == 303
    assert cell(ben.page(draft), "state") == "agreed"
    assert "✓ answer" in ben.page(draft)


def test_the_author_does_not_answer_and_others_do_not_write(
    map_: Imported, ada: Person, ben: Person, cafe: str
) -> None:
    draft = ada.write("agreed", "tools", cafe)
    before = everything(map_.settings)
    assert ada.answer(draft, "1").status_code == 403
    assert ben.press(draft, "save", **QUESTION).status_code == 403
    assert ben.press(draft, "take back").status_code == 403
    assert ben.answer(draft, "7").status_code == 400
    assert ben.answer(draft, "").status_code == 400
    assert everything(map_.settings) == before


def test_nobody_sees_what_others_are_writing(ada: Person, ben: Person) -> None:
    draft = ada.begin("secret", "tools")
    ada.press(draft, "save", draft_question="What nobody is to see?")
    assert "What nobody is to see?" not in ben.client.get(f"/workbench/drafts/{draft}").text
    assert "What nobody is to see?" not in ben.client.get("/workbench").text


def test_where_two_differ_a_third_decides(ada: Person, ben: Person, eve: Person, cafe: str) -> None:
    draft = ada.write("disputed", "tools", cafe)
    ben.answer(draft, "none", note="It is closed.")
    assert cell(ada.page(draft), "state") == "disputed"
    assert "It is closed." in ada.page(draft)
    seen = eve.revision(draft)
    for person in (ada, ben):
        refused = person.post(f"/drafts/{draft}/decide", draft_revision=seen, draft_key="1")
        assert refused.status_code == 403
    assert eve.answer(draft, "1", "decide").status_code == 303
    assert cell(ada.page(draft), "state") == "agreed"
    other = ada.write("disputed", "tools", cafe)
    ben.answer(other, "0")
    eve.answer(other, "drop", "decide")
    assert cell(ada.page(other), "state") == "dropped"
    page = ada.client.get("/workbench").text
    assert "agree on 0.0 % of 2 questions" in page


def test_a_question_that_is_taken_back_waits_for_an_answer_again(ada: Person, ben: Person, cafe: str) -> None:
    draft = ada.write("back", "tools", cafe)
    ben.answer(draft, "1")
    ada.press(draft, "take back")
    assert cell(ada.page(draft), "state") == "writing"
    ada.press(draft, "hand in", **QUESTION | {"draft_question": "Another one?"})
    assert cell(ada.page(draft), "state") == "waiting"


@pytest.mark.parametrize(
    "path", ["/drafts", "/drafts/{draft}", "/drafts/{draft}/answer", "/drafts/{draft}/decide"]
)
def test_no_form_of_another_session_changes_anything(
    map_: Imported, ada: Person, ben: Person, cafe: str, path: str
) -> None:
    draft = ada.write("forged", "tools", cafe)
    before = everything(map_.settings)
    sent = {
        "do": "take back",
        "draft_revision": "5",
        "draft_key": "1",
        "dataset": "forged",
        "snapshot": "tools",
    }
    for token in ("", "0" * 64, ben.token):
        forged = ada.client.post(f"/workbench{path.format(draft=draft)}", data={**sent, "form_token": token})
        assert forged.status_code == 403, (path, token)
    assert everything(map_.settings) == before


def test_each_write_is_on_the_record(map_: Imported, ada: Person, ben: Person, cafe: str) -> None:
    before = len(stored(map_.settings, "audit"))
    draft = ada.write("recorded", "tools", cafe)
    ben.answer(draft, "1")
    lines = stored(map_.settings, "audit")[before:]
    actions = ["draft.begin", "draft.pin", "draft.save", "draft.hand_in", "draft.answer"]
    assert [line["action"] for line in lines] == actions
    assert {line["subject"] for line in lines} == {draft}
    assert all(line["request_id"] and line["key_id"] for line in lines)
