"""`trigpoint permute`: names exchanged within classes and the same way everywhere, and a move that changes no distance."""

from pathlib import Path
from typing import Any

import osmium
import pytest
from osmium.osm.types import Node, Relation, Way
from pyproj import Geod

from app.core.errors import BadExtract, Conflict, UsageError
from app.core.permuted import FIRST_VERSION
from osm_import.permuting import permute

TOWN = """\
n1 v3 x9.5 y47.1 Tplace=village,name=Oberdorf,name:fr=Haut,wikidata=Q1
n2 v1 x9.6 y47.2 Tplace=village,name=Unterdorf,population=10
n3 v1 x9.51 y47.11 Tamenity=bar,name=Anker,brand=Anker%20%AG,website=anker.example
n4 v1 x9.52 y47.12 Tamenity=bar,name=Bären,name:fr=Ours
n5 v1 x9.53 y47.13 Tamenity=bar,name=Anker
n6 v1 x9.54 y47.14 Tamenity=bank,name=Kasse,addr:street=Hauptweg,addr:city=Oberdorf,addr:housenumber=7
n7 v1 x9.55 y47.15 Tamenity=school,name=Schulhaus
n8 v1 x9.56 y47.16 Taddr:street=Nebenweg,addr:city=Unterdorf,addr:housenumber=9
n9 v1 x9.57 y47.17
w1 v1 Thighway=residential,name=Hauptweg,destination=Unterdorf Nn1,n9
w2 v1 Thighway=residential,name=Nebenweg Nn2,n9
w3 v1 Thighway=track,name=Hauptweg Nn3,n9
r1 v2 Tboundary=administrative,admin_level=8,name=Oberdorf,type=boundary Mw1@outer
r2 v2 Tboundary=administrative,admin_level=8,name=Unterdorf,type=boundary Mw2@outer
"""


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "town.osm.opl"
    path.write_text(TOWN.replace("%20%", "_"), encoding="utf-8")
    (tmp_path / "town.osm.opl.poly").write_text("town\n1\n  9.4 47.0\n  9.7 47.0\n  9.7 47.3\nEND\nEND\n")
    return path


def read(path: Path) -> dict[str, Any]:
    """By key: the tags, the version, and of nodes the place."""
    return {
        f"{one.type_str()}{one.id}": (
            dict(one.tags),
            one.version,
            (one.location.x, one.location.y) if isinstance(one, Node) else None,
        )
        for one in osmium.FileProcessor(str(path))
        if isinstance(one, Node | Way | Relation)
    }


def test_names_are_exchanged_within_their_class(town: Path, tmp_path: Path) -> None:
    done = permute(town, tmp_path / "new.osm.pbf", 1, names=True, shift=False)
    found = {key: tags for key, (tags, _, _) in read(done.path).items()}
    # Two names of bars change places, everywhere and with all that goes with them.
    assert found["n3"] == found["n5"] == {"amenity": "bar", "name": "Bären", "name:fr": "Ours"}
    assert found["n4"] == {"amenity": "bar", "name": "Anker", "brand": "Anker_AG"}
    # A bank and a school are the only ones of their class: they change with each other.
    assert (found["n6"]["name"], found["n7"]["name"]) == ("Schulhaus", "Kasse")
    # A street and its houses, a place, its area and the addresses in it stay together.
    assert found["w1"] == {"highway": "residential", "name": "Nebenweg"}
    assert found["w3"]["name"] == found["n6"]["addr:street"] == "Nebenweg"
    assert found["w2"]["name"] == found["n8"]["addr:street"] == "Hauptweg"
    # That a village is known, by having a Wikidata item, can still be seen; the item is none that exists.
    assert int(found["n1"].pop("wikidata")[1:]) >= 9 * 10**15
    assert found["n1"] == {"place": "village", "name": "Unterdorf"}
    assert found["r1"]["name"] == found["n6"]["addr:city"] == "Unterdorf"
    assert found["n2"] == {"place": "village", "name": "Oberdorf", "name:fr": "Haut", "population": "10"} or (
        found["n2"]["name"] == found["r2"]["name"] == "Oberdorf"
    )
    assert found["n6"]["addr:housenumber"] == "7"
    assert done.names == (8, 0)
    assert done.degrees == 0


TELLING = """\
n1 v1 x9.5 y47.1 Tplace=village,name=Oberdorf,name:fr=Haut,population=10,openGeoDB:sort_name=OBERDORF,bfs:GEMNAME=Oberdorf,ISO3166-2=LI-09
n2 v1 x9.6 y47.2 Tplace=hamlet,name=Wald
n3 v1 x9.6 y47.2 Tplace=village,name=Unterdorf
n4 v1 x9.51 y47.11 Thighway=bus_stop,name=Post,uic_name=Oberdorf%20%Post,uic_ref=85,natural=Wald,operator=Bus%20%Oberdorf,ref=7
n5 v1 x9.52 y47.12 Thighway=bus_stop,name=Kirche,phone=+423%20%1,email=a@b.example,alt_name_1=Dom,level=0
n6 v1 x9.53 y47.13 Taddr:street=Gasse,addr:city=Oberdorf,addr:postcode=9490,addr:housename=Haus%20%Oberdorf,addr:housenumber=2
n7 v1 x9.54 y47.14 Taddr:city=Weiler,addr:postcode=9491,operator=Amt%20%OBERDORF
w1 v1 Thighway=residential,name=Gasse,name:fr=Ruelle,postal_code=9490 Nn1,n2
w2 v1 Thighway=residential,name=Weg,surface=asphalt,piste:name=Abfahrt Nn1,n3
r1 v1 Ttype=route,route=bus,from=Oberdorf,to=Post,via=Wald,network=Bus%20%Oberdorf,ref=11 Mw1@
"""


def test_no_tag_tells_where_a_place_really_is(tmp_path: Path) -> None:
    source = tmp_path / "telling.osm.opl"
    source.write_text(TELLING, encoding="utf-8")
    done = permute(source, tmp_path / "new.osm.pbf", 1, names=True, shift=False)
    found = {key: tags for key, (tags, _, _) in read(done.path).items()}
    # Names of stops in registers, ends of routes, operators of a town, telephone numbers: none is left.
    assert found["n4"] == {"highway": "bus_stop", "name": "Kirche", "natural": "Wald", "ref": "7"}
    assert found["n5"] == {"highway": "bus_stop", "name": "Post", "operator": "Bus Oberdorf", "level": "0"}
    assert found["r1"] == {"type": "route", "route": "bus", "ref": "11"}
    assert found["w2"] == {
        "highway": "residential",
        "name": "Gasse",
        "name:fr": "Ruelle",
        "surface": "asphalt",
    }
    # Towns change places, also the only hamlet and what addresses alone name; so do postcodes.
    towns = {key: found[key]["name"] for key in ("n1", "n2", "n3")}
    assert sorted([*towns.values(), found["n7"]["addr:city"]]) == ["Oberdorf", "Unterdorf", "Wald", "Weiler"]
    assert all(towns[key] != name for key, name in (("n1", "Oberdorf"), ("n2", "Wald"), ("n3", "Unterdorf")))
    assert found["n1"].keys() <= {"place", "name", "name:fr", "population", "ISO3166-2"}
    assert found["n1"]["ISO3166-2"] == "LI"
    assert found["n6"] == {
        "addr:street": "Weg",
        "addr:city": towns["n1"],
        "addr:postcode": "9491",
        "addr:housenumber": "2",
    }
    assert found["n7"].keys() == {"addr:city", "addr:postcode"}
    assert found["w1"] == {"highway": "residential", "name": "Weg", "postal_code": "9491"}


def test_a_move_keeps_every_distance(town: Path, tmp_path: Path) -> None:
    done = permute(town, tmp_path / "new.osm.pbf", 1, names=False, shift=True)
    before, after = read(town), read(done.path)
    moved = {after[key][2][0] - before[key][2][0] for key in before if before[key][2]}
    assert moved == {round(done.degrees * 10_000_000)}
    assert 20 <= abs(done.degrees) <= 340
    assert {key: tags for key, (tags, _, _) in after.items()} == {
        key: tags for key, (tags, _, _) in before.items()
    }
    geod = Geod(ellps="WGS84")

    def metres(of: dict[str, Any], one: str, other: str) -> float:
        (x, y), (u, v) = of[one][2], of[other][2]
        return float(geod.inv(x / 1e7, y / 1e7, u / 1e7, v / 1e7)[2])

    assert metres(after, "n1", "n2") == pytest.approx(metres(before, "n1", "n2"), abs=1e-6)
    first = (tmp_path / "new.poly").read_text().splitlines()[2].split()
    assert float(first[0]) == pytest.approx(9.4 + done.degrees)


def test_objects_are_marked_and_seeds_decide(town: Path, tmp_path: Path) -> None:
    once = permute(town, tmp_path / "a.osm.pbf", 3, names=True, shift=True)
    again = permute(town, tmp_path / "b.osm.pbf", 3, names=True, shift=True)
    other = permute(town, tmp_path / "c.osm.pbf", 4, names=True, shift=True)
    assert read(once.path) == read(again.path)
    assert once.degrees == again.degrees != other.degrees
    assert {version for _, version, _ in read(once.path).values()} == {
        FIRST_VERSION + 1,
        FIRST_VERSION + 2,
        FIRST_VERSION + 3,
    }


def test_what_cannot_be_done_is_refused(town: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.osm.pbf"
    with pytest.raises(UsageError, match="Nothing is to change"):
        permute(town, target, 1, names=False, shift=False)
    with pytest.raises(UsageError, match="does not end in"):
        permute(town, tmp_path / "new.osm", 1, names=True, shift=True)
    permute(town, target, 1, names=True, shift=False)
    with pytest.raises(Conflict, match="exists"):
        permute(town, target, 1, names=True, shift=False)
    with pytest.raises(Conflict, match="permuted already"):
        permute(target, tmp_path / "twice.osm.pbf", 1, names=True, shift=False)
    wide = tmp_path / "wide.osm.opl"
    wide.write_text("n1 v1 x-179.9 y1\nn2 v1 x179.9 y1\n")
    with pytest.raises(BadExtract, match="antimeridian"):
        permute(wide, tmp_path / "moved.osm.pbf", 1, names=False, shift=True)
    assert not (tmp_path / "moved.osm.pbf").exists()
