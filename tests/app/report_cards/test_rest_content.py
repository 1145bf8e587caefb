"""What a card says over REST: the same numbers as boards, and the same page as the command writes."""

import httpx

from app.core.clock import SystemClock
from app.core.settings import Role
from app.db.engine import connect
from app.report_cards.rendering import render_card
from app.report_cards.showing import show_card
from app.report_cards.stored import begin_card, note_run, read_card
from app.report_cards.suites import find_suite
from tests.app.report_cards.conftest import Made
from tests.support.planted_secrets import make_key
from tests.support.service import serving


def test_a_card_says_over_rest_what_boards_and_its_page_say(made: Made) -> None:
    settings = made.settings
    with connect(settings, Role.WORKER) as connection:
        suite, now = find_suite("geo-lite"), SystemClock().now()
        card, empty = (
            begin_card(connection, suite, name, None, "village@undated", now) for name in ("one", "two")
        )
        key = next(one.name for one in suite.entries if one.benchmark == "gsqa")
        note_run(connection, card, key, made.runs["directions"])
        stored = read_card(connection, card)
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
    with connect(settings, Role.API) as connection:
        content = show_card(connection, stored)
    assert answer.text == content.as_json()
    assert page.text == render_card(content)
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert told["left_out"][0].endswith("its run is not started yet")
