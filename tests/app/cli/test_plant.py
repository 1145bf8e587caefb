"""`trigpoint plant`, and the label that goes with what is made of a planted map: snapshot, data set, board, pages."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from app.core.settings import Settings
from tests.conftest import SHARED
from tests.support.command_line import trigpoint
from tests.support.service import patient_client, serving

MONACO = SHARED / "extracts" / "monaco-2012-07-06.osm.gz"
LABEL = "© OpenStreetMap contributors, but for synthetic places that were added to the map (5 pharmacy)"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Monaco with five invented pharmacies, and a few questions of it."""
    settings, target = make_database(), tmp_path_factory.mktemp("planted") / "monaco.osm.pbf"
    for arguments in (
        ["plant", str(MONACO), "--out", str(target), "--class", "pharmacy", "--number", "5"],
        ["import", str(target), "--name", "monaco"],
        ["generate", "gsqa", "--snapshot", "monaco", "--bank", "2", "--per-template", "1", "--out", "few"],
    ):
        done = trigpoint(settings, *arguments)
        assert done.status == 0, done.err
    return settings


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    """A reader of the service on that database."""
    with serving(settings) as address, patient_client(address) as client:
        yield client


def test_the_snapshot_says_what_was_planted(settings: Settings, client: httpx.Client) -> None:
    (listed,) = json.loads(trigpoint(settings, "snapshots", "--json").out)["snapshots"]
    assert listed["planted"] == {"pharmacy": 5}
    (served,) = client.get("/v1/snapshots").json()["snapshots"]
    assert served["planted"] == {"pharmacy": 5}
    shown = client.get(f"/snapshots/{served['snapshot']}").text
    assert 'class="tag">synthetic</span>' in shown
    assert "5 pharmacy" in shown


def test_data_set_and_export_say_so(settings: Settings, client: httpx.Client, tmp_path: Path) -> None:
    card = client.get("/v1/datasets/few@1").json()
    assert card["licence"]["attribution"] == LABEL
    assert card["licence"]["synthetic"] == {"pharmacy": 5}
    assert card["attribution"] == f"{LABEL}, ODbL 1.0"
    assert "5 pharmacy" in client.get("/datasets/few@1").text
    done = trigpoint(settings, "export", "few", "--format", "parquet", "--to", str(tmp_path / "few"))
    assert done.status == 0, done.err
    assert LABEL in (tmp_path / "few" / "README.md").read_text(encoding="utf-8")


def test_boards_say_so(settings: Settings, client: httpx.Client) -> None:
    done = trigpoint(settings, "leaderboard", "few", "--json")
    assert json.loads(done.out)["attribution"].startswith(LABEL)
    for address in ("/v1/leaderboards/few/history", "/v1/benchmarks/gsqa/leaderboard"):
        assert client.get(address).json()["attribution"].startswith(LABEL), address


def test_questions_and_their_boards_say_so(settings: Settings, client: httpx.Client) -> None:
    one = client.get("/v1/questions?dataset=few").json()["questions"][0]["id"]
    assert client.get(f"/v1/datasets/few@1/questions/{one}").json()["attribution"] == f"{LABEL}, ODbL 1.0"
    for page in (
        f"/datasets/few@1/questions/{one}",
        "/datasets/few@1/questions",
        "/leaderboards/few@1/templates",
    ):
        assert LABEL in client.get(page).text, page


def test_a_refusal_is_one_sentence(settings: Settings, tmp_path: Path) -> None:
    done = trigpoint(
        settings, "plant", str(MONACO), "--out", str(tmp_path / "x.osm.pbf"), "--class", "castle"
    )
    assert (done.status, done.out) == (2, "")
    assert "'castle' cannot be planted" in done.err
    assert "Traceback" not in done.err
