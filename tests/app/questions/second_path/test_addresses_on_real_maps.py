"""The address of every place of real maps: the second path's, from tags and geodesics, is that of the import."""

import pytest

from app.questions.second_path.addresses import address_of
from tests.support.town import Asker, Imported

PARTS = ("housenumber", "street", "suburb", "city", "postcode", "state", "country")


@pytest.mark.parametrize("place", ["helsinki", pytest.param("liechtenstein", marks=pytest.mark.long)])
def test_every_place_has_the_address_that_the_import_gave_it(
    place: str, request: pytest.FixtureRequest
) -> None:
    imported: Imported = request.getfixturevalue(place)
    with imported.connect() as connection:
        layers = Asker.on(connection, imported.name).layers
        rows = connection.exec_driver_sql("select * from poi_address").mappings().all()
        assert len(rows) == len(layers["poi"])
        assert {row["source"] for row in rows} == {"own", "near"}
        for row in rows:
            said = {part: row[part] for part in PARTS if row[part] is not None}
            near = {"osm_key": row["address_key"], "metres": pytest.approx(row["distance_m"], abs=1e-6)}
            expected = {"source": row["source"], **(near if row["source"] == "near" else {}), **said}
            assert address_of(layers, layers["poi"].position[row["osm_key"]]) == expected
