"""Where questions lie: grids that count them all, tiles that are bounded, and hidden ones nowhere."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.factories import MadeVersion, azimuth_question, count_question, make_version, name_question
from tests.support.inspected_dataset import make_inspected
from tests.support.planted_secrets import Hidden, make_hidden
from tests.support.service import patient_client, serving
from tests.support.vector_tiles import Point, read_tile, tile_at

COUNT = 24


class Made(NamedTuple):
    settings: Settings
    hidden: Hidden
    answered: MadeVersion
    client: httpx.Client


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    hidden = make_hidden(settings, COUNT)
    make_inspected(settings)
    make_version(settings, [], name="empty", made_map=hidden.version.map)
    questions = [
        name_question(0, ("Adler", "Krone")),
        *(azimuth_question(i) for i in (1, 2, 3)),
        count_question(4),
    ]
    questions += [azimuth_question(i, split="hidden") for i in (5, 6)]
    answered = make_version(settings, questions, name="answered", made_map=hidden.version.map)
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, hidden, answered, client)


def tile_of(made: Made, dataset: str, z: int, x: int, y: int) -> dict[str, list[Point]]:
    answer = made.client.get(f"/v1/datasets/{dataset}/tiles/{z}/{x}/{y}.mvt").raise_for_status()
    assert answer.headers["content-type"] == "application/vnd.mapbox-vector-tile"
    return read_tile(answer.content, z, x, y)


def test_a_grid_counts_every_public_question_and_no_other(made: Made) -> None:
    found = made.client.get("/v1/datasets/half_hidden/map").raise_for_status().json()
    (ground,) = found["grounds"]
    assert ground["snapshot"] == "village@2026-01-02T03:04:05Z"
    assert sum(cell["questions"] for cell in ground["cells"]) == COUNT // 2
    west, south, east, north = ground["bbox"]
    assert (west, south, east, north) == pytest.approx((9.4, 47.0, 9.62, 47.22), abs=1e-6)
    assert ground["outline"]["type"] == "MultiPolygon"
    assert found["attribution"].startswith("© OpenStreetMap contributors")


def test_without_questions_there_is_no_ground(made: Made) -> None:
    assert made.client.get("/v1/datasets/empty/map").json()["grounds"] == []
    assert made.client.get("/v1/datasets/empty/tiles/0/0/0.mvt").content == b""


def test_tiles_hold_every_public_question_once(made: Made) -> None:
    def counts(z: int, x: int, y: int) -> list[int]:
        points = tile_of(made, "half_hidden", z, x, y).get("questions", [])
        return [point.values["questions"] for point in points]

    assert sum(counts(0, 0, 0)) == COUNT // 2
    assert len(counts(0, 0, 0)) <= 2, "near each other they are one point"
    eight = [counts(9, x, y) for x in range(268, 271) for y in range(177, 181)]
    assert sum(sum(found) for found in eight) == COUNT // 2
    assert max(len(found) for found in eight) > 1
    assert counts(9, 0, 0) == []


def test_tiles_hold_the_places_of_public_answers_and_no_others(made: Made) -> None:
    (ground,) = made.client.get("/v1/datasets/answered/map").raise_for_status().json()["grounds"]
    told = sum(cell["answers"] for cell in ground["cells"])
    assert told == 5, "two answers of the name, one of each direction; counts are no places"
    for z in (0, 8, 14, 20):
        found = tile_of(made, "answered", z, *tile_at(z, 9.501, 47.1))["answers"]
        assert sum(point.values["answers"] for point in found) == told, z
        assert {point.values["question"] for point in found} <= set(made.answered.questions[:4])
    (point,) = found
    assert (point.lon, point.lat) == pytest.approx((9.501, 47.1), abs=1e-6)


def test_a_tile_that_is_known_is_not_sent_again(made: Made) -> None:
    first = made.client.get("/v1/datasets/half_hidden/tiles/0/0/0.mvt")
    again = made.client.get(
        "/v1/datasets/half_hidden/tiles/0/0/0.mvt", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("tile", "status"), [("1/2/0", 400), ("0/0/1", 400), ("21/0/0", 422), ("x/0/0", 422)]
)
def test_tiles_that_are_none(made: Made, tile: str, status: int) -> None:
    assert made.client.get(f"/v1/datasets/half_hidden/tiles/{tile}.mvt").status_code == status


def test_the_servers_role_is_told_of_no_hidden_ground(made: Made) -> None:
    with connect(made.settings, Role.OWNER) as owner:
        owner.execute(text("alter table trigpoint.question disable trigger published_is_immutable"))
        hide = "update trigpoint.question set split = 'hidden' where version_id = :version"
        for version in (made.hidden.version, made.answered):
            owner.execute(text(hide), {"version": version.id})
            drawn = "select length(trigpoint.tile_of_version(:version, 0, 0, 0)),"
            drawn += " length(trigpoint.answer_tile_of_version(:version, 0, 0, 0))"
            assert owner.execute(text(drawn), {"version": version.id}).one() == (0, 0)
        owner.rollback()
