"""Addresses placed by a Nominatim server over real HTTP on the loopback: once, politely, kept for good."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from app.core.clock import ManualClock
from app.core.errors import EndpointRefused, EndpointUnavailable, Held, SettingsError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.geocoding import Geocoded, address_key, geocode, kept_places
from app.map_tools.nominatim import LONGEST_ADDRESS, NominatimClient, is_public, nominatim_base
from tests.app.map_tools.nominatim_server import Nominatim, result, serving_nominatim
from tests.support.http_server import Answer

NOW = datetime(2026, 1, 2, tzinfo=UTC)
RING, LANE = (9.5123456789012345, 47.1), (-0.25, -33.0)


@pytest.fixture
def nominatim() -> Iterator[Nominatim]:
    with serving_nominatim() as server:
        server.places = {"Ring 5, Toyville": RING, "Lane 1": LANE}
        yield server


@pytest.fixture
def settings(database: Settings) -> Settings:
    return database.model_copy(update={"contact": "tests@example.org"})


def place(settings: Settings, nominatim: Nominatim, *addresses: str) -> Geocoded:
    with connect(settings, Role.WORKER) as connection:
        client = NominatimClient(settings, nominatim.url)
        return geocode(connection, client, ManualClock(NOW), addresses, lambda done, total: None)


def kept(settings: Settings, nominatim: Nominatim, *addresses: str) -> dict[str, tuple[float, float] | None]:
    with connect(settings, Role.WORKER) as connection:
        return kept_places(connection, nominatim.url, addresses)


def test_each_address_is_asked_for_once_and_kept(settings: Settings, nominatim: Nominatim) -> None:
    asked = ("Ring 5,  Toyville\n", "Ring 5, Toyville", "Nowhere 7", "…")
    assert place(settings, nominatim, *asked) == Geocoded(addresses=2, cached=0, asked=2, requests=2)
    assert nominatim.addresses == ["Ring 5, Toyville", "Nowhere 7"]
    assert all("tests@example.org" in request.agent for request in nominatim.asked)
    assert {request.path for request in nominatim.asked} == {"/search"}
    nominatim.places = {}
    again = place(settings, nominatim, *asked, "Lane 1")
    assert (again.cached, again.asked) == (2, 1), "what was not found is not asked for again either"
    assert kept(settings, nominatim, "Ring 5, Toyville", "Nowhere 7", "Other") == {
        "Ring 5, Toyville": RING,
        "Nowhere 7": None,
    }


def test_what_was_kept_says_when_and_where(settings: Settings, nominatim: Nominatim) -> None:
    place(settings, nominatim, "Ring 5, Toyville")
    with connect(settings, Role.WORKER) as connection:
        (row,) = connection.execute(text("select * from geocoded_address")).mappings()
    assert (row["retrieved_at"], row["source_url"]) == (NOW, nominatim.url)
    assert row["request_url"] == f"{nominatim.url}/search"
    assert row["result"]["osm_id"] == 42
    assert row["licence"] == "ODbL-1.0"


def test_what_broke_off_goes_on_with_the_rest(settings: Settings, nominatim: Nominatim) -> None:
    nominatim.script = [Answer(200, {}, b"[]"), Answer(500, {}, b"")]
    with pytest.raises(EndpointRefused, match="HTTP 500"):
        place(settings, nominatim, "One 1", "Ring 5, Toyville")
    done = place(settings, nominatim, "One 1", "Ring 5, Toyville")
    assert (done.cached, done.asked) == (1, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"error": "odd"}',
        b"[1]",
        b"[{}]",
        b"[null]",
        json.dumps([result(0, 0) | {"lon": "NaN"}]).encode(),
        json.dumps([result(0, 0) | {"lat": "90.5"}]).encode(),
        json.dumps([result(0, 0) | {"lat": [1]}]).encode(),
        b'[{"lon": "1e999", "lat": "1"}]',
        b'[{"lon": 1' + b"0" * 400 + b', "lat": "1"}]',
    ],
    ids=range(10),
)
def test_odd_answers_are_no_places(settings: Settings, nominatim: Nominatim, body: bytes) -> None:
    nominatim.script = [Answer(200, {}, body)]
    with pytest.raises(EndpointRefused, match="answers"):
        place(settings, nominatim, "Ring 5, Toyville")
    assert kept(settings, nominatim, "Ring 5, Toyville") == {}


def test_a_server_that_is_away_is_no_answer(settings: Settings) -> None:
    client = NominatimClient(settings, "http://127.0.0.1:1")
    with pytest.raises(EndpointUnavailable, match="cannot be reached"):
        client.place("Ring 5")


def test_one_process_at_a_time_asks(settings: Settings, nominatim: Nominatim) -> None:
    with connect(settings, Role.WORKER) as other:
        lock = "select pg_advisory_lock(hashtextextended('trigpoint geocoder ' || :url, 0))"
        other.execute(text(lock), {"url": nominatim.url})
        with pytest.raises(Held, match="Another process"):
            place(settings, nominatim, "Lane 1")
    assert place(settings, nominatim, "Lane 1").asked == 1


@pytest.mark.parametrize(
    ("address", "key"),
    [
        (" Ring\t5,\u00a0Toyville ", "Ring 5, Toyville"),
        ("a\u0000b\u202ec", "a b c"),
        ("--- ?!", ""),
        ("", ""),
        ("x" * 9000, "x" * LONGEST_ADDRESS),
        ("東京", "東京"),
    ],
    ids=["blanks", "controls", "no words", "empty", "long", "other letters"],
)
def test_an_address_as_it_is_asked_for(address: str, key: str) -> None:
    assert address_key(address) == key


@pytest.mark.parametrize(
    ("base", "public"),
    [
        ("https://nominatim.openstreetmap.org", True),
        ("https://Nominatim.OpenStreetMap.org:443/x", True),
        ("http://127.0.0.1:8080", False),
        ("https://openstreetmap.org.example.com", False),
        ("https://notopenstreetmap.org", False),
    ],
)
def test_the_public_server_is_asked_once_a_second(settings: Settings, base: str, public: bool) -> None:
    assert is_public(base) is public


def test_who_is_asked_and_who_asks_must_be_known(settings: Settings) -> None:
    assert nominatim_base(settings, " http://n.example/search/ ") == "http://n.example"
    with pytest.raises(SettingsError, match="TRIGPOINT_NOMINATIM_URL"):
        nominatim_base(settings, "nominatim")
    named = settings.model_copy(update={"nominatim_url": "http://n.example/"})
    assert nominatim_base(named, "nominatim") == "http://n.example"
    for odd in ("file:///etc/passwd", "gazeteer"):
        with pytest.raises(SettingsError, match="TRIGPOINT_NOMINATIM_URL"):
            NominatimClient(settings, odd)
    with pytest.raises(SettingsError, match="TRIGPOINT_CONTACT"):
        NominatimClient(settings.model_copy(update={"contact": None}), "http://n.example")
