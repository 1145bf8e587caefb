"""What a card says over REST: the same numbers as boards and commands, and the same page as the command writes."""

import json

import httpx
import pytest

from app.core.clock import SystemClock
from app.core.settings import Role
from app.db.engine import connect
from app.predictions.runs import EndpointRow
from app.report_cards.rendering import render_card
from app.report_cards.showing import show_card
from app.report_cards.stored import begin_card, note_run, read_card
from app.report_cards.suites import Suite, find_suite
from app.report_cards.words import GAPS
from tests.app.report_cards.asked_otherwise import ENTRY, SUITE, Otherwise, make_otherwise
from tests.app.report_cards.conftest import Made
from tests.support.command_line import trigpoint
from tests.support.planted_secrets import make_key
from tests.support.service import serving


@pytest.fixture(scope="module")
def otherwise(made: Made) -> Otherwise:
    return make_otherwise(made.settings)


def begin(made: Made, suite: Suite, endpoint: int, runs: dict[str, int]) -> int:
    """A stored card of this endpoint with these runs, by the keys of its suite."""
    row = EndpointRow(endpoint, f"endpoint {endpoint}", "http://127.0.0.1:9/v1", "m", None)
    with connect(made.settings, Role.WORKER) as connection:
        card = begin_card(connection, suite, row, None, "village@undated", SystemClock().now())
        for key, run in runs.items():
            note_run(connection, card, key, run)
    return card


def test_a_card_says_over_rest_what_boards_and_its_page_say(made: Made) -> None:
    settings = made.settings
    suite = find_suite("geo-lite")
    key = next(one.name for one in suite.entries if one.benchmark == "gsqa")
    card, empty = begin(made, suite, 1, {key: made.runs["directions"]}), begin(made, suite, 2, {})
    headers = {"Authorization": f"Bearer {make_key(settings, 'maintainer')}"}
    with serving(settings) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        answer = client.get(f"/v1/report-cards/{card}/card")
        (row,) = client.get(f"/v1/leaderboards/{made.directions.reference}").json()["rows"]
        page = client.get(f"/v1/report-cards/{card}/page")
        assert client.get(f"/v1/report-cards/{empty}/card").status_code == 409
        held = {"If-None-Match": answer.headers["ETag"]}
        assert client.get(f"/v1/report-cards/{card}/card", headers=held).status_code == 304
        assert client.get(f"/v1/report-cards/{card}/page", headers={"Authorization": ""}).status_code == 401
    told = answer.json()
    assert [told["overall"][name] for name in ("n", "score", "low", "high", "states")] == [
        row[name] for name in ("n", "score", "low", "high", "states")
    ]
    with connect(settings, Role.WORKER) as connection:
        stored = read_card(connection, card)
    with connect(settings, Role.API) as connection:
        content = show_card(connection, stored)
    assert answer.text == content.as_json()
    assert page.text == render_card(content)
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert told["left_out"][0].endswith("its run is not started yet")
    assert (told["forms"], told["fresh"], told["canaries"]) == ([], [], [])
    assert "Not measured: this suite asks no fresh twins" in page.text


def test_forms_twins_canaries_and_dials_are_those_of_rest_and_commands(
    made: Made, otherwise: Otherwise
) -> None:
    settings, runs = made.settings, otherwise.runs
    card = begin(made, SUITE, 3, runs)
    usual, order, units, fresh = (str(runs[ENTRY + form]) for form in ("", ":order", ":units", ":fresh"))
    dials = f"/v1/leaderboards/{otherwise.usual.reference}/dials"
    headers = {"Authorization": f"Bearer {make_key(settings, 'maintainer')}"}
    with serving(settings) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        told = client.get(f"/v1/report-cards/{card}/card").json()
        robustness = client.get("/v1/robustness", params={"runs": f"{usual},{order},{units}"}).json()
        gap = client.get("/v1/contamination", params={"run": usual, "fresh_run": fresh}).json()
        canaries = [client.get(f"/v1/runs/{run}/canaries").json()["canaries"] for run in runs.values()]
        by_letters = client.get(f"{dials}/letters").json()
        assert client.get(f"{dials}/distance").status_code == 404
        assert client.get(f"{dials}/colour").status_code == 422
        page = client.get(f"/v1/report-cards/{card}/page").text
    assert told["overall"]["n"] == 18, "what was asked otherwise does not count"

    assert told["references"] == [], "nor do others' answers to fresh ones"

    by_form = {one["form"]: one for one in told["forms"]}
    assert list(by_form) == ["order", "units"]
    for number, form in enumerate(by_form):
        (part,) = by_form[form]["datasets"]
        assert part["compared"] == robustness["forms"][number]
        whole = by_form[form]["difference"]
        for name, same in (
            ("n", "n"),
            ("score", "mine"),
            ("base_score", "theirs"),
            ("difference", "difference"),
        ):
            assert part["compared"][name] == pytest.approx(whole[same])
    assert by_form["order"]["datasets"][0]["order"] == robustness["orders"][0]
    assert [(by_form[form]["difference"]["n"], by_form[form]["became_wrong"]) for form in by_form] == [
        (18, 18),
        (12, 4),
    ]
    assert by_form["order"]["difference"]["answer"] == "the usual form is better"
    command = trigpoint(settings, "robustness", usual, order, units, "--json")
    assert command.json == robustness

    (seen,) = told["fresh"]
    assert seen["gap"] == gap == trigpoint(settings, "contamination", usual, fresh, "--json").json
    assert (gap["n"], gap["gap"]) == (18, 0.5)
    assert told["canaries"] == [one for of_run in canaries for one in of_run]
    assert [(one["run"], one["canary"]) for one in told["canaries"]] == [(int(fresh), otherwise.canary)]

    (dial,) = [one["dial"] for one in told["dials"] if one["dial"]["dial"] == "letters"]
    of_run = [one for one in by_letters["runs"] if one["run"] == int(usual)]
    assert dial == by_letters | {"runs": of_run}

    for form in by_form:
        assert f'data-form="{form}"' in page
    assert GAPS[gap["shown"]] in page
    assert f"have the canary of <bdi>{otherwise.usual.reference}</bdi>" in page
    for point in dial["runs"][0]["points"]:
        assert f'<data value="{json.dumps(point["score"])}">' in page
