"""Every question of both benchmarks on four real maps, and a third path that knows nothing of the project's tables."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import osmium
import pyproj
import pytest
import shapely

from app.core.settings import Settings
from tests.support.command_line import generate, proved
from tests.support.processes import query
from tests.support.town import Imported, import_map

BANK = 300
EATING = {"restaurant", "cafe", "fast_food"}
GROUPS = {"food": EATING} | {kind: {kind} for kind in EATING}
GEOD = pyproj.Geod(ellps="WGS84")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def liechtenstein_2013(make_database: Callable[[], Settings], extracts: Path) -> Imported:
    file, settings = extracts / "liechtenstein-2013-08-03.osm.pbf", make_database()
    import_map(settings, file, "liechtenstein_2013")
    return Imported(settings, "liechtenstein_2013", file)


@pytest.fixture(scope="module")
def monaco(make_database: Callable[[], Settings], extracts: Path) -> Imported:
    file, settings = extracts / "monaco-2012-07-06.osm.gz", make_database()
    import_map(settings, file, "monaco")
    return Imported(settings, "monaco", file)


@pytest.mark.parametrize(
    ("name", "least"),
    [("helsinki", 1000), ("liechtenstein_2013", 300), ("liechtenstein", 1000), ("monaco", 300)],
)
def test_every_question_is_proved(name: str, least: int, request: pytest.FixtureRequest) -> None:
    """All that the bank holds is selected, so that nothing that was accepted goes unverified."""
    reports, total = proved(request.getfixturevalue(name), bank=BANK, per_template=BANK)
    assert total == sum(report["accepted"] for report in reports.values())
    assert total >= least


# --- the third path: the map file, libosmium's areas, PROJ's geodesics ------------------------------------


class Spot(NamedTuple):
    """Something with a name and a place; `kinds` are those of EATING that it is."""

    key: str
    name: str | None
    kinds: set[str]
    lon: float
    lat: float


def read_spots(file: Path) -> dict[str, Spot]:
    """Every place to eat and every named node or area of a map file, by its key.

    A place to eat is tagged amenity=restaurant, cafe or fast_food, perhaps several with `;` between, and not given
    up. An area stands where a point on its surface is.
    """
    spots: dict[str, Spot] = {}
    factory = osmium.geom.WKBFactory()
    for entity in osmium.FileProcessor(str(file)).with_areas():
        given_up = entity.tags.get("disused") == "yes" or entity.tags.get("abandoned") == "yes"
        values = {value.strip() for value in entity.tags.get("amenity", "").split(";")}
        kinds = set() if given_up else values & EATING
        name = entity.tags.get("name")
        if name is None and not kinds:
            continue
        if isinstance(entity, osmium.osm.Node):
            key, lon, lat = f"n{entity.id}", entity.location.lon, entity.location.lat
        elif isinstance(entity, osmium.osm.Area) and entity.num_rings()[0]:
            key = f"{'w' if entity.from_way() else 'r'}{entity.orig_id()}"
            inside = shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(entity))).point_on_surface()
            lon, lat = inside.x, inside.y
        else:
            continue
        spots[key] = Spot(key, name, kinds, lon, lat)
    return spots


def nearest(spots: dict[str, Spot], anchor: Spot, category: str, sector: int | None) -> Spot:
    """The nearest other place of a category, in a sector of the horizon where one is given."""
    others = [spot for spot in spots.values() if spot.kinds & GROUPS[category] and spot.key != anchor.key]
    lons, lats = [spot.lon for spot in others], [spot.lat for spot in others]
    azimuths, _, distances = GEOD.inv([anchor.lon] * len(others), [anchor.lat] * len(others), lons, lats)
    measured = [
        (distance, spot)
        for distance, azimuth, spot in zip(distances, azimuths, others, strict=True)
        if sector is None or (azimuth + 22.5) % 360 // 45 == sector
    ]
    return min(measured, key=lambda one: one[0])[1]


def test_brute_force_over_the_file_agrees(liechtenstein: Imported) -> None:
    settings = liechtenstein.settings
    done = generate(settings, "gsqa", liechtenstein.name, "brute", "--bank", "400", "--per-template", "400")
    assert done.status == 0, done.err
    # What else is looked for (hotels, museums …) is left to the other paths: this one knows only places to eat.
    rows = query(
        settings,
        "select question.id, question.template, question.prompt, proof.parameters, gold.value from question"
        " join proof on proof.version_id = question.version_id and proof.question_id = question.id"
        " join gold on gold.version_id = question.version_id and gold.question_id = question.id"
        " join dataset_version on dataset_version.id = question.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id"
        " where dataset.name = 'brute' and question.template in ('T5', 'T9')"
        " and proof.parameters ->> 'category' = any(:categories) order by question.id",
        categories=list(GROUPS),
    )
    spots = read_spots(liechtenstein.file)
    between_nodes = {"T5": 0, "T9": 0}
    differing = []
    for question_id, template, prompt, parameters, gold in rows:
        anchor = spots[parameters["anchor"]]
        assert anchor.name is not None
        assert anchor.name in prompt[0]["text"]
        found = nearest(spots, anchor, parameters["category"], parameters.get("sector"))
        (stored,) = gold["objects"]
        if (found.key, [found.name]) != (stored["osm_key"], gold["names"]):
            differing.append((question_id, template, parameters, stored, found))
        between_nodes[template] += anchor.key[0] == found.key[0] == "n"
    assert differing == []
    assert sum(between_nodes.values()) >= 100, between_nodes
    assert min(between_nodes.values()) >= 40, between_nodes
