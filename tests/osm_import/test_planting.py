"""Places planted into extracts: where they stand, what stays as it was, and what is refused."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import osmium
import pytest
from osmium.osm.types import Node
from pyproj import Geod

from app.core.errors import BadExtract, Conflict, TrigpointError, UsageError
from app.core.planted import is_planted
from osm_import.planting import APART_M, ASIDE_M, GEOD, plant, read_corners
from tests.conftest import SHARED

EXTRACT = SHARED / "extracts" / "liechtenstein-2022-07-24.osm.pbf"
STREET = "w1 v1 Thighway=residential,name=Main%20%Street Nn11,n19,n91"


def _lines(path: Path) -> list[str]:
    """The extract's objects as OPL, without who edited them."""
    file = osmium.io.File(str(path.with_suffix(".opl")), "opl,add_metadata=version+timestamp")
    with osmium.SimpleWriter(file, overwrite=True) as writer:
        osmium.apply(osmium.io.Reader(str(path)), writer)
    return path.with_suffix(".opl").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Liechtenstein with 150 charging stations."""
    target = tmp_path_factory.mktemp("planted") / "liechtenstein.osm.pbf"
    done = plant(EXTRACT, target, "charging_station", 150, 1)
    assert done.as_json() == {
        "path": str(target), "class": "charging_station", "places": 150, "points": 165, "seed": 1
    }  # fmt: skip
    return target


def _places(path: Path) -> dict[int, tuple[str, float, float]]:
    return {
        one.id: (one.tags["name"], one.lon, one.lat)
        for one in osmium.FileProcessor(str(path))
        if isinstance(one, Node) and is_planted("n", one.id)
    }


def test_places_stand_apart_and_beside_streets(planted: Path) -> None:
    by_name: dict[str, list[tuple[float, float]]] = {}
    for _, (name, *at) in sorted(_places(planted).items()):  # a second point has the greater id
        by_name.setdefault(name, []).append((at[0], at[1]))
    assert len(by_name) == 150
    assert sorted(len(points) for points in by_name.values()) == [1] * 135 + [2] * 15
    twins = [GEOD.inv(*points[0], *points[1])[2] for points in by_name.values() if len(points) == 2]
    assert all(25 < metres < 35 for metres in twins)
    corners = [corner.at for corner in read_corners(EXTRACT)]
    firsts = [points[0] for points in by_name.values()]
    assert all(_nearest(at, corners) < ASIDE_M + 0.1 for at in firsts)
    apart = min(Geod(ellps="WGS84").inv(*one, *other)[2] for one, other in combinations(firsts, 2))
    assert apart > APART_M - 2 * ASIDE_M - 0.1


def _nearest(at: tuple[float, float], corners: list[tuple[float, float]]) -> float:
    close = [other for other in corners if abs(other[0] - at[0]) < 0.002 and abs(other[1] - at[1]) < 0.002]
    return float(min(GEOD.inv(*at, *other)[2] for other in close))


def test_nothing_else_changes(planted: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.osm.pbf"
    copy.write_bytes(EXTRACT.read_bytes())
    before, after = _lines(copy), _lines(planted)
    added = set(after) - set(before)
    assert [line for line in after if line not in added] == before
    assert len(added) == 165
    assert all("synthetic=yes" in line and "amenity=charging_station" in line for line in added)


@pytest.mark.long
def test_the_seed_decides(planted: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.osm.pbf", tmp_path / "other.osm.pbf"
    plant(EXTRACT, again, "charging_station", 150, 1)
    plant(EXTRACT, other, "charging_station", 20, 2)
    assert _places(again) == _places(planted)
    assert not set(_places(other)) & set(list(_places(planted))[:20])


def test_an_outline_goes_with_the_map(write_map: Callable[..., Path], tmp_path: Path) -> None:
    source = write_map(STREET)
    (tmp_path / "toy.poly").write_text("toy\n1\n   9 47\n   10 47\n   10 48\nEND\nEND\n")
    plant(source, tmp_path / "sown.osm.pbf", "fuel", 2, 1)
    assert (tmp_path / "sown.poly").read_text() == (tmp_path / "toy.poly").read_text()
    assert sorted(name for name, *_ in _places(tmp_path / "sown.osm.pbf").values()) == [
        "Fuel Station 1 (synthetic)", "Fuel Station 2 (synthetic)"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("klass", "number", "out", "error", "words"),
    [
        ("castle", 1, "new.osm.pbf", UsageError, "cannot be planted. Choose one of charging_station, fuel"),
        ("fuel", 0, "new.osm.pbf", UsageError, "ask for one or more"),
        ("fuel", 1, "new.osm", UsageError, "does not end in .osm.pbf"),
        ("fuel", 1, "toy.osm.pbf", Conflict, "exists. Remove it, or choose another --out."),
        ("fuel", 4, "new.osm.pbf", BadExtract, "has room for 3 places that are 300 m apart"),
    ],
)
def test_refusals(
    write_map: Callable[..., Path],
    tmp_path: Path,
    klass: str,
    number: int,
    out: str,
    error: type[TrigpointError],
    words: str,
) -> None:
    source = write_map(STREET)
    with pytest.raises(error, match=words):
        plant(source, tmp_path / out, klass, number, 1)
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_a_planted_map_is_not_planted_again(write_map: Callable[..., Path], tmp_path: Path) -> None:
    first = tmp_path / "first.osm.pbf"
    plant(write_map(STREET), first, "fuel", 1, 1)
    with pytest.raises(Conflict, match="holds planted places already"):
        plant(first, tmp_path / "second.osm.pbf", "atm", 1, 1)


def test_a_damaged_extract_leaves_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.osm.pbf"
    broken.write_bytes(EXTRACT.read_bytes()[:200_000])
    with pytest.raises(BadExtract, match="cut off"):
        plant(broken, tmp_path / "new.osm.pbf", "fuel", 1, 1)
    assert [path.name for path in tmp_path.iterdir()] == [broken.name]
