"""Copies of an extract: N times the objects, each with an id, a place and a name of its own; the same bytes again."""

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import osmium
import pytest
import shapely
from osmium.osm.types import Node, Relation, Way

from app.core.errors import BadExtract, UsageError
from app.facts.files import read_facts
from osm_import.outlines import parse_poly
from perf.copies import main, make_copies
from tests.support.town import Map, rectangle

PLACE = (10.0, 50.0)
COPIES = 12
"""More than one row of the grid, and numbers of one and two digits."""


def make_original(folder: Path) -> Path:
    """A country with one street, one café and a hole; the café's names hold what a map file must escape."""
    toy = Map()
    toy.node(
        PLACE, name="Café, 100 % = A@B", **{"addr:city": "Ober Dorf", "alt_name": "C;D", "amenity": "cafe"}
    )
    for east in (100, 200, 300):
        toy.way(rectangle(PLACE, east, 0, 50, 40), name="House", building="yes")
    toy.way(rectangle(PLACE, 0, -200, 50, 40)[:2], closed=False, name="Ring", highway="residential")
    hole = rectangle(PLACE, 0, 300, 20, 20)
    toy.area(
        rectangle(PLACE, 0, 0, 4000, 4000), hole, type="boundary", boundary="administrative", admin_level="2"
    )
    return toy.write(folder / "toy.osm")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_original(tmp_path_factory.mktemp("original"))


@pytest.fixture(scope="module")
def copied(original: Path) -> Path:
    target = original.with_name("many.osm.pbf")
    make_copies(COPIES, original, target)
    return target


def read(
    file: Path,
) -> list[tuple[str, int, dict[str, str], list[tuple[str, int]], tuple[float, float] | None]]:
    """(type, id, tags, references, place) of every object, in the file's order."""
    rows = []
    for entity in osmium.FileProcessor(str(file)):
        references: list[tuple[str, int]] = []
        place = None
        if isinstance(entity, Node):
            place = (entity.location.lon, entity.location.lat)
        elif isinstance(entity, Way):
            references = [("n", node.ref) for node in entity.nodes]
        elif isinstance(entity, Relation):
            references = [(member.type, member.ref) for member in entity.members]
        rows.append((entity.type_str(), entity.id, dict(entity.tags), references, place))
    return rows


def check_against(original: Path, copied: Path, number: int) -> None:
    """Ids unique and sorted, counts `number` times, references inside their own copy, tags the same but for numbers."""
    before, after = read(original), read(copied)
    keys = [(row[0], row[1]) for row in after]
    assert keys == sorted(keys, key=lambda key: ("nwr".index(key[0]), key[1]))
    assert len(set(keys)) == len(keys)
    assert Counter(kind for kind, _ in keys) == {
        kind: count * number for kind, count in Counter(row[0] for row in before).items()
    }
    digits = len(str(max(row[1] for row in before)))
    stripped: Counter[str] = Counter()
    for kind, osm_id, tags, references, _ in after:
        copy, own = divmod(osm_id, 10**digits)
        assert {ref // 10**digits for _, ref in references} <= {copy}
        plain = {key: re.sub(rf" {copy}(?=;|$)", "", value) for key, value in tags.items()}
        refs = [(kind, ref % 10**digits) for kind, ref in references]
        stripped[f"{kind}{own} {plain} {refs}"] += 1
        assert all(tags[key].endswith(f" {copy}") for key in ("name", "addr:city") if key in tags)
    there = set(keys)
    known = {(row[0], row[1]) for row in before}
    missing = sum(ref not in known for row in before for ref in row[3])
    assert sum(ref not in there for row in after for ref in row[3]) == missing * number
    assert stripped == {f"{kind}{own} {tags} {refs}": number for kind, own, tags, refs, _ in before}


def test_every_object_comes_back_once_a_copy_with_ids_names_and_references_of_its_own(
    original: Path, copied: Path
) -> None:
    check_against(original, copied, COPIES)


def test_names_carry_the_number_of_their_copy_and_other_tags_do_not(copied: Path) -> None:
    cafes = [tags for _, _, tags, _, _ in read(copied) if tags.get("amenity") == "cafe"]
    assert cafes[10] == {
        "name": "Café, 100 % = A@B 11",
        "addr:city": "Ober Dorf 11",
        "alt_name": "C 11;D 11",
        "amenity": "cafe",
    }


def test_copies_are_moved_by_whole_steps_and_their_outlines_lie_apart_in_the_poly(
    original: Path, copied: Path
) -> None:
    poly = parse_poly(copied.with_name("many.poly").read_text(), "many.poly")
    assert len(poly.geoms) == COPIES
    assert all(len(part.interiors) == 1 for part in poly.geoms)
    start = next(row[4] for row in read(original) if row[2].get("amenity") == "cafe")
    cafes = [row[4] for row in read(copied) if row[2].get("amenity") == "cafe"]
    assert cafes[0] == start
    places = shapely.points([place for place in cafes if place])
    assert [shapely.contains(part, places).sum() for part in poly.geoms] == [1] * COPIES
    assert {round(place[1] - start[1], 7) for place in cafes if place and start} == {0.0, 0.2}


def test_the_same_copies_are_the_same_bytes(original: Path, copied: Path, tmp_path: Path) -> None:
    make_copies(COPIES, original, tmp_path / "many.osm.pbf")
    for name in ("many.osm.pbf", "many.poly"):
        assert (tmp_path / name).read_bytes() == copied.with_name(name).read_bytes()


def test_the_header_holds_the_date_and_the_box_of_all_copies(copied: Path) -> None:
    header = osmium.io.Reader(str(copied)).header()
    assert header.get("timestamp") == "2024-05-06T07:08:09Z"
    assert (header.box().top_right.lon, header.box().top_right.lat) == pytest.approx((12.2, 50.4))


def test_what_cannot_be_copied_is_said_in_a_sentence(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="do not fit on earth"):
        make_copies(2000, original, tmp_path / "out.osm.pbf")
    plain = Map()
    plain.node(PLACE, amenity="cafe")
    with pytest.raises(BadExtract, match="no complete country"):
        make_copies(2, plain.write(tmp_path / "plain.osm"), tmp_path / "out.osm.pbf")
    assert main(["2", "--of", str(tmp_path / "absent.osm")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_facts_are_distinct_by_anchor_and_copy(tmp_path: Path) -> None:
    toy = Map()
    toy.node(PLACE, name="Museum, 100 %", tourism="museum")
    toy.node(PLACE, tourism="hotel")
    toy.way(rectangle(PLACE, 0, 500, 50, 40), name="Hotel", tourism="hotel")
    toy.node(PLACE, name="Café", amenity="cafe")
    toy.area(rectangle(PLACE, 0, 0, 4000, 4000), type="boundary", boundary="administrative", admin_level="2")
    source, facts = toy.write(tmp_path / "toy.osm"), tmp_path / "facts.jsonl"
    make_copies(3, source, tmp_path / "three.osm.pbf", facts)
    found = read_facts(facts, datetime.now(UTC))
    named = {"Museum, 100 %", "Hotel"}
    there = {
        f"{kind}{number}"
        for kind, number, tags, _, _ in read(tmp_path / "three.osm.pbf")
        if tags.get("name", "").rpartition(" ")[0] in named
    }
    assert len(there) == 6
    assert {fact.subject for fact in found} == there
    for attribute in ("architect", "capacity"):
        assert len({fact.value.key for fact in found if fact.attribute == attribute}) == 6


@pytest.mark.long
def test_two_copies_of_a_real_country(extracts: Path, tmp_path: Path) -> None:
    source = extracts / "liechtenstein-2013-08-03.osm.pbf"
    if not source.is_file():
        pytest.skip(f"{source} is absent")
    make_copies(2, source, tmp_path / "two.osm.pbf")
    check_against(source, tmp_path / "two.osm.pbf", 2)
    assert len(parse_poly((tmp_path / "two.poly").read_text()).geoms) == 2
