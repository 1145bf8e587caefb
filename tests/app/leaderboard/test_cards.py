"""What boards tell of answers that were sent in: the card, while it stands; never whose it is or how to reach them."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from app.access.keys import Wanted, create_key
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.keeping import Kept
from app.leaderboard.models import Board
from app.scores.submitted import score_submissions
from tests.support.command_line import trigpoint
from tests.support.factories import MadeVersion, make_run, make_version, options_dataset
from tests.support.planted_secrets import PLANTED
from tests.support.scored_runs import score
from tests.support.service import serving

TOLD = {
    "model": "gazetteer-<b>27b</b>",
    "revision": "005ad34",
    "training_cutoff": "2024-08",
    "tools": ["place search", "route planner"],
    "retrieval_sources": ["GeoNames"],
}
NEVER = {"contact": f"{PLANTED}@example.org", "prompt_hash": f"{PLANTED}_hash"}


class Made(NamedTuple):
    settings: Settings
    version: MadeVersion
    client: httpx.Client
    key: str

    def rows(self, dataset: str = "toy") -> dict[str, Any]:
        board = self.client.get(f"/v1/leaderboards/{dataset}").raise_for_status().json()
        return {row["name"]: row for row in board["rows"]}


def change(settings: Settings, statement: str, **binds: Any) -> None:
    """As only who owns the database can."""
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text(statement), binds)
        connection.commit()


def submit(made: Made, name: str, card: dict[str, Any]) -> str:
    """The address of a submission over REST, scored."""
    lines = [
        {"card": {"name": name, **card}},
        *({"id": one, "answer": "B"} for one in made.version.questions),
    ]
    body = "\n".join(map(json.dumps, lines)).encode()
    headers = {"Authorization": f"Bearer {made.key}"}
    done = made.client.post(
        "/v1/datasets/toy@1/submissions", content=body, headers=headers
    ).raise_for_status()
    with connect(made.settings, Role.WORKER) as connection:
        score_submissions(connection, SystemClock(), "test")
    return done.headers["location"]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """One submission with all that a card may hold, one by whoever keeps the service, one run that was asked here."""
    settings = make_database().model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})
    version = make_version(settings, options_dataset(8))
    with connect(settings, Role.MAINTAINER) as connection:
        wanted = Wanted(f"{PLANTED} person", "submitter", 1_000_000)
        key, _ = create_key(connection, wanted, SystemClock().now())
        connection.commit()
    score(settings, make_run(settings, version, ["A"] * 8, "asked here"))
    ours = tmp_path_factory.mktemp("answers") / "ours.jsonl"
    ours.write_text("\n".join(json.dumps({"id": one, "answer": "C"}) for one in version.questions))
    options = ("--name", "ours", "--model", "plain", "--run-by-us")
    assert trigpoint(settings, "submit", "toy", str(ours), *options).status == 0
    with serving(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        found = Made(settings, version, client, key)
        submit(found, "theirs", TOLD | NEVER)
        yield found


def test_a_row_tells_what_its_sender_told(made: Made) -> None:
    rows = made.rows()
    assert rows["asked here"]["card"] is None
    assert rows["theirs"]["card"] == {"self_reported": True, **TOLD}
    nothing = dict.fromkeys(("revision", "training_cutoff")) | {"tools": [], "retrieval_sources": []}
    assert rows["ours"]["card"] == {"self_reported": False, "model": "plain", **nothing}
    page = made.client.get("/leaderboards/toy").text
    for name, mark in (("theirs", "self-reported"), ("ours", "run by us")):
        run = rows[name]["run"]
        assert re.search(rf'href="#card-{run}"[^>]*>{mark}</a>', page)
        assert f'<tr id="card-{run}"' in page
    for words in (
        "gazetteer-&lt;b&gt;27b&lt;/b&gt;",
        "005ad34",
        "2024-08",
        "place search, route planner",
        "GeoNames",
    ):
        assert f"<bdi>{words}</bdi>" in page
    assert f'id="card-{rows["asked here"]["run"]}"' not in page


def test_the_terminal_marks_who_asked(made: Made) -> None:
    told = trigpoint(made.settings, "leaderboard", "toy", COLUMNS="140").out
    lines = {
        name: next(line for line in told.splitlines() if name in line) for name in ("theirs", "ours", "asked")
    }
    assert "theirs (self-reported)" in lines["theirs"]
    assert "ours (run by us)" in lines["ours"]
    assert "(" not in lines["asked"]
    assert "Self-reported: these answers were computed elsewhere" in told


def test_whose_it_is_and_how_to_reach_them_is_told_nowhere(made: Made) -> None:
    """Not even where a stored card held more than it may."""
    change(
        made.settings,
        "update trigpoint.submission set card = card || cast(:more as jsonb) where label = 'theirs'",
        more=json.dumps({"contact": NEVER["contact"], "key": f"{PLANTED}_key"}),
    )
    run = made.rows()["theirs"]["run"]
    paths = ["/v1/leaderboards/toy", "/v1/leaderboards/toy?by=dimension", "/v1/leaderboards/toy/history"]
    paths += ["/v1/benchmarks/urban_knowledge/leaderboard", "/v1/datasets/toy/comparisons"]
    paths += ["/leaderboards/toy", "/leaderboards/toy/templates", "/leaderboards/toy/compare"]
    paths += ["/runs", f"/runs/{run}"]
    told = {path: made.client.get(path).raise_for_status().text for path in paths}
    options = ("--cost", "--history", "--benchmark", "--by-template")
    for form in ((), ("--json",)):
        told[f"terminal {form}"] = trigpoint(made.settings, "leaderboard", "toy", *options, *form).out
    prefix = made.key.split("_")[1]
    for where, words in told.items():
        assert "theirs" in words.replace("\u200b", ""), where
        assert PLANTED not in words, where
        assert prefix not in words, where


def board(settings: Settings, kept: Kept) -> Board:
    with connect(settings, Role.API) as connection:
        return read_board(connection, "toy@1", kept=kept)


def test_a_kept_board_shows_the_card_as_it_is(made: Made) -> None:
    """Changed, the board is made anew; withdrawn and deleted, the card is nowhere, on later versions neither."""
    kept = Kept()
    address = submit(made, "leaving", {"model": "leaving-model"})
    first = board(made.settings, kept)
    assert board(made.settings, kept) is first
    change(
        made.settings,
        "update trigpoint.submission set card = card || '{\"model\": \"other-model\"}' where label = 'leaving'",
    )
    (row,) = (row for row in board(made.settings, kept).rows if row.name == "leaving")
    assert row.card is not None
    assert row.card.model == "other-model"
    later = make_version(made.settings, options_dataset(4), number=2, made_map=made.version.map)
    carried = make_run(made.settings, later, ["B"] * 4, "leaving", "submitted")
    change(
        made.settings, "update trigpoint.run set carried_from = :run where id = :id", run=row.run, id=carried
    )
    score(made.settings, carried)
    assert made.rows("toy@2")["leaving"]["card"]["model"] == "other-model"
    headers = {"Authorization": f"Bearer {made.key}"}
    for method, path in (("POST", f"{address}/withdraw"), ("DELETE", address)):
        made.client.request(method, path, headers=headers).raise_for_status()
        assert all(one.name != "leaving" for one in board(made.settings, kept).rows)
        for dataset in ("toy@1", "toy@2"):
            assert "leaving" not in made.rows(dataset)
            assert "other-model" not in made.client.get(f"/leaderboards/{dataset}").text
