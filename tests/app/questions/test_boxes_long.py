"""Liechtenstein, known by the box in its file's header alone: what of the box is left, and what looks beyond the country.

The figures of docs/import.md; `-s` prints them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import osmium
import pytest
import shapely

from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.generating import Recipe, generate
from app.questions.second_path.geodesy import spheroid_area
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported, benchmarks, import_map, write_poly

pytestmark = pytest.mark.long
COUNTRY = "r1155955"


class Bounded(NamedTuple):
    """What an outline comes to."""

    source: str
    beyond_km2: float
    """Of the outline, beyond the country."""
    lacking_km2: float
    """Of the country, beyond the outline."""
    questions: int
    leaving: int
    """Questions that look at ground beyond the country."""
    far: int
    """… with more than a tenth of that ground."""


def write_without_country(source: Path, target: Path) -> None:
    """The same map without the relation that is its outline; the box in the header stays."""
    header = osmium.io.Reader(str(source), osmium.osm.NOTHING).header()
    with osmium.SimpleWriter(str(target), header=header) as writer:
        for one in osmium.FileProcessor(str(source)):
            if not (one.is_relation() and one.id == int(COUNTRY[1:])):
                writer.add(one)


def look_beyond(settings: Settings, country: Any) -> Bounded:
    """What the outline of the map `boxed` holds beyond the country, and what its questions look at."""
    with connect(settings, Role.WORKER) as connection:
        snapshots = find_snapshots(connection, ["boxed"])
        assert snapshots[0].outline is not None
        outline = shapely.from_wkb(bytes.fromhex(snapshots[0].outline))
        recipe = Recipe(benchmarks()["gsqa"], snapshots, 1, 30, 10, 0.0)
        records = generate(connection, recipe, lambda *told: None).records
    grounds = [one.footprint.area for one in records if one.footprint.uses_outline]
    shapes = [shapely.from_wkb(bytes.fromhex(area)) for area in grounds if area]
    beyond = [shapely.difference(shape, country).area / shape.area for shape in shapes]
    return Bounded(
        snapshots[0].outline_source,
        spheroid_area(shapely.difference(outline, country)) / 1e6,
        spheroid_area(shapely.difference(country, outline)) / 1e6,
        len(shapes),
        sum(share > 1e-6 for share in beyond),
        sum(share > 0.1 for share in beyond),
    )


@pytest.mark.parametrize("is_whole", [True, False])
def test_few_questions_look_beyond_a_country_that_is_known_by_its_box(
    liechtenstein: Imported, make_database: Callable[[], Settings], tmp_path: Path, is_whole: bool
) -> None:
    """Where a .poly file states the whole box, as the header does, nearly a third of the questions do."""
    with liechtenstein.connect() as connection:
        use_schema(connection, find_snapshots(connection, [liechtenstein.name])[0].schema)
        found = connection.exec_driver_sql(
            f"select st_asbinary(geom) from region where osm_key = '{COUNTRY}'"
        )
        country = shapely.from_wkb(bytes(found.scalar_one()))
    file, settings = tmp_path / "boxed.osm.pbf", make_database()
    write_without_country(liechtenstein.file, file)
    if is_whole:
        low, high = (
            getattr(osmium.io.Reader(str(file), osmium.osm.NOTHING).header().box(), corner)
            for corner in ("bottom_left", "top_right")
        )
        write_poly(file, (low.lon, low.lat, high.lon, high.lat))
    import_map(settings, file, "boxed")
    bounded = look_beyond(settings, country)
    print("\nthe whole box" if is_whole else "\nwhere objects lie", bounded)  # noqa: T201 - figures for -s
    assert bounded.source == ("poly" if is_whole else "box")
    assert bounded.lacking_km2 < 1e-3
    assert bounded.questions > 200
    if is_whole:
        assert bounded.beyond_km2 > 140
        assert bounded.leaving > bounded.questions / 4
    else:
        assert bounded.beyond_km2 < 50
        assert bounded.leaving < bounded.questions / 8
        assert bounded.far < bounded.questions / 50
