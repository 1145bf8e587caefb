"""Cities by name: the file of them, and what `--cities` imports and cuts, from a Geofabrik-like server on the loopback."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.clock import ManualClock
from app.core.errors import (
    BadExtract,
    EndpointUnavailable,
    NotFound,
    SettingsError,
    TrigpointError,
    UsageError,
)
from app.core.settings import Settings
from osm_import.cities import City, choose_cities, prepare_cities, read_cities, region_name
from osm_import.cutting import cut_snapshot
from osm_import.extracts import check_name
from osm_import.importing import import_extract
from osm_import.keeping import drop_snapshot
from osm_import.progress import Silent
from tests.osm_import.test_cutting import BOX, TOY
from tests.support.command_line import trigpoint
from tests.support.http_server import Answer, Request, serving_http

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PAPER = {"berlin", "dubai", "london", "new_delhi", "new_york", "paris", "rome", "san_francisco", "tokyo"}


# --- the file -----------------------------------------------------------------------------------------------------


def test_the_nine_cities_of_the_paper() -> None:
    cities = read_cities(Settings.model_fields["cities_file"].default)
    assert set(cities) == PAPER
    assert all(city.boundary for city in cities.values())
    assert len({city.boundary for city in cities.values()}) == len(PAPER)
    for key, city in cities.items():
        check_name(key)
        check_name(region_name(city.region))
        assert city.name.lower().replace(" ", "_") == key


CITY = '[berlin]\nname = "Berlin"\ncountry = "Germany"\nregion = "berlin"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[berlin", "cannot be read"),
        ("[berlin]\n", r"berlin\.name: Field required"),
        (CITY + 'boundary = "62422"\n', r"berlin\.boundary: String should match"),
        (CITY + 'boundary = "r62422x"\n', r"berlin\.boundary: String should match"),
        (CITY + "population = 3\n", r"berlin\.population: Extra inputs"),
        (CITY.replace("[berlin]", "[Berlin]"), r"\[Berlin\]: a city's key has lower-case letters"),
        (CITY.replace("[berlin]", "[all]"), r"\[all\]: a city's key .* is not all"),
        ("berlin = 3\n", "berlin: Input should be"),
    ],
)
def test_a_file_with_a_fault(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "cities.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=words):
        read_cities(file)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"The file of cities .*nowhere\.toml cannot be read"):
        read_cities(tmp_path / "nowhere.toml")


def test_choosing() -> None:
    cities = {
        key: City(name=key, country="Land", region="land", boundary=boundary)
        for key, boundary in (("dorf", "r2"), ("district", "r4"))
    }
    assert list(choose_cities(cities, "district, dorf")) == ["district", "dorf"]
    assert list(choose_cities(cities, "all")) == ["dorf", "district"]
    with pytest.raises(
        NotFound, match=r"'atlantis' is not a city that is known here\. There are: district, dorf\."
    ):
        choose_cities(cities, "dorf,atlantis")
    with pytest.raises(NotFound, match="'' is not a city"):
        choose_cities(cities, "dorf,")
    with pytest.raises(UsageError, match="dorf is named twice"):
        choose_cities(cities, "dorf,dorf")


# --- what is imported and cut -------------------------------------------------------------------------------------


@dataclass
class Mirror:
    """Maps by region, and how often each path was asked for."""

    url: str = ""
    maps: dict[str, bytes] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    def answer(self, request: Request) -> Answer:
        """The index, a map, or its checksum; 404 for the rest."""
        self.asked[request.path] += 1
        if request.path == "/index-v1-nogeom.json":
            features = [
                {
                    "properties": {
                        "id": region.rsplit("/", 1)[-1],
                        "urls": {"pbf": f"https://download.geofabrik.de/{region}-latest.osm.pbf"},
                    }
                }
                for region in self.maps
            ]
            return Answer(200, {}, json.dumps({"features": features}).encode())
        region, _, ending = request.path.strip("/").partition("-latest.osm.pbf")
        body = self.maps.get(region)
        if body is None or ending not in ("", ".md5"):
            return Answer(404, {}, b"")
        if ending:
            body = hashlib.md5(body, usedforsecurity=False).hexdigest().encode() + b"  map"
        return Answer(200, {}, body)

    @property
    def downloads(self) -> dict[str, int]:
        """How often each map was fetched."""
        return {path: count for path, count in self.asked.items() if path.endswith(".pbf")}


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    state = Mirror()
    with serving_http(state.answer) as url:
        state.url = url
        yield state


@pytest.fixture
def settings(database: Settings, mirror: Mirror, tmp_path: Path, write_map: Callable[..., Path]) -> Settings:
    """A database without maps, a server that has `europe/toy/land`, and a file of cities of it."""
    mirror.maps["europe/toy/land"] = write_map(*TOY, name="toy.osm.pbf", box=BOX).read_bytes()
    file = tmp_path / "cities.toml"
    tables = [("dorf", "r2"), ("district", "r4"), ("lost", "r99"), ("whole", None)]
    file.write_text(
        "".join(
            f'[{key}]\nname = "{key.title()}"\ncountry = "Land"\nregion = "europe/toy/land"\n'
            + (f'boundary = "{boundary}"\n' if boundary else "")
            for key, boundary in tables
        )
    )
    changes = {"local_dir": tmp_path / "local", "geofabrik_url": mirror.url, "cities_file": file}
    return database.model_copy(update=changes)


@pytest.fixture
def prepare(settings: Settings) -> Callable[..., list[str]]:
    """A function that prepares cities and gives their maps."""

    def run(text: str) -> list[str]:
        chosen = choose_cities(read_cities(settings.cities_file), text)
        return prepare_cities(settings, chosen, ManualClock(NOW), Silent(), print)

    return run


@pytest.fixture
def states(superuser_of: Callable[[Settings], str], database: Settings) -> Callable[[], list[Any]]:
    def ask() -> list[Any]:
        with psycopg.connect(superuser_of(database)) as connection:
            return connection.execute(
                "select name, boundary, state from trigpoint.snapshot order by id"
            ).fetchall()

    return ask


LAND = ("geofabrik_land", None, "published")
DORF = ("dorf", "r2", "published")
DISTRICT = ("district", "r4", "published")
DAY = "@2024-05-06T07:08:09Z"
PBF = "/europe/toy/land-latest.osm.pbf"


def test_two_cities_of_one_region_download_it_once(
    prepare: Callable[..., list[str]], mirror: Mirror, states: Callable[[], list[Any]]
) -> None:
    assert prepare("district,dorf") == ["district" + DAY, "dorf" + DAY]
    assert mirror.downloads == {PBF: 1}
    assert states() == [LAND, DISTRICT, DORF]


def test_what_is_there_is_asked_of_nobody(
    prepare: Callable[..., list[str]], mirror: Mirror, states: Callable[[], list[Any]]
) -> None:
    prepare("dorf")
    mirror.asked.clear()
    assert prepare("dorf") == ["dorf" + DAY]
    assert prepare("district,dorf") == ["district" + DAY, "dorf" + DAY]
    assert mirror.asked == {}, "the map of the region is here"
    assert states() == [LAND, DORF, DISTRICT]


def test_any_map_that_holds_the_city_will_do(
    settings: Settings,
    prepare: Callable[..., list[str]],
    mirror: Mirror,
    write_map: Callable[..., Path],
    states: Callable[[], list[Any]],
) -> None:
    """The newest of them; one that has the city in part or not at all is passed over."""
    for name, day, lines in (
        ("old", 6, TOY),
        ("own", 7, TOY),
        ("cut_off", 8, [line.replace("w910@outer", "w777@outer") for line in TOY]),
    ):
        file = write_map(*lines, name=f"{name}.osm.pbf", box=BOX, timestamp=f"2024-05-{day:02}T07:08:09Z")
        import_extract(settings, str(file), name, ManualClock(NOW), Silent())
    assert prepare("dorf") == ["dorf@2024-05-07T07:08:09Z"]
    assert mirror.asked == {}
    assert DORF in states()


def test_a_city_that_was_cut_by_hand_is_found_by_its_boundary(
    settings: Settings, prepare: Callable[..., list[str]]
) -> None:
    prepare("district")
    cut_snapshot(settings, "geofabrik_land", "r2", "my_dorf", ManualClock(NOW), Silent())
    assert prepare("dorf") == ["my_dorf" + DAY]


def test_a_taken_name(
    settings: Settings,
    prepare: Callable[..., list[str]],
    write_map: Callable[..., Path],
    states: Callable[[], list[Any]],
) -> None:
    """Somebody imported an extract called dorf, which is no cut."""
    file = write_map(*TOY, name="dorf.osm.pbf", box=BOX)
    import_extract(settings, str(file), None, ManualClock(NOW), Silent())
    assert prepare("dorf") == ["dorf_city" + DAY]
    assert states() == [("dorf", None, "published"), ("dorf_city", "r2", "published")]


def test_a_city_that_is_a_whole_extract(
    prepare: Callable[..., list[str]], mirror: Mirror, states: Callable[[], list[Any]]
) -> None:
    assert prepare("whole") == prepare("whole") == ["whole" + DAY]
    assert mirror.downloads == {PBF: 1}
    assert states() == [("whole", None, "published")]


def test_a_dropped_city_is_cut_again(
    settings: Settings, prepare: Callable[..., list[str]], mirror: Mirror, states: Callable[[], list[Any]]
) -> None:
    prepare("dorf")
    drop_snapshot(settings, "dorf")
    assert prepare("dorf") == ["dorf" + DAY]
    assert mirror.downloads == {PBF: 1}
    assert [state for _, _, state in states()] == ["published", "dropped", "published"]


def test_a_fault_leaves_what_was_prepared_before(
    prepare: Callable[..., list[str]], mirror: Mirror, states: Callable[[], list[Any]]
) -> None:
    with pytest.raises(NotFound, match="holds no r99: it holds areas with boundary=administrative"):
        prepare("dorf,lost")
    assert states() == [LAND, DORF]
    assert prepare("dorf") == ["dorf" + DAY]


@pytest.mark.parametrize(
    ("body", "error"), [(None, NotFound), (b"<!DOCTYPE html><html>busy</html>", BadExtract)]
)
def test_a_server_without_the_map(
    prepare: Callable[..., list[str]],
    mirror: Mirror,
    states: Callable[[], list[Any]],
    body: bytes | None,
    error: type[TrigpointError],
) -> None:
    mirror.maps.clear()
    if body is not None:
        mirror.maps["europe/toy/land"] = body
    with pytest.raises(error):
        prepare("dorf")
    assert states() == []


def test_no_server(settings: Settings, states: Callable[[], list[Any]]) -> None:
    nowhere = settings.model_copy(update={"geofabrik_url": "http://127.0.0.1:9"})
    chosen = choose_cities(read_cities(settings.cities_file), "dorf")
    with pytest.raises(EndpointUnavailable):
        prepare_cities(nowhere, chosen, ManualClock(NOW), Silent(), print)
    assert states() == []


# --- the option ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--cities", "dorf,atlantis"),
            "'atlantis' is not a city that is known here. There are: district, dorf, lost",
        ),
        (("--cities", "dorf", "--seed", "one"), "--seed 'one': a seed is a whole number"),
        ((), "No map is named. Say --snapshot NAME, or --cities such as berlin,paris."),
    ],
)
def test_a_request_that_cannot_be_understood_changes_nothing(
    settings: Settings,
    mirror: Mirror,
    states: Callable[[], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.setenv("TRIGPOINT_CITIES_FILE", str(settings.cities_file))
    monkeypatch.setenv("TRIGPOINT_GEOFABRIK_URL", mirror.url)
    done = trigpoint(settings, "generate", "urban_knowledge", "--out", "toy", *options)
    assert (done.status, words in done.err) == (2, True), done.err
    assert mirror.asked == {}
    assert states() == []
