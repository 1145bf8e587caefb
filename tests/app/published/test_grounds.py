"""Where questions lie: grids that count them all, tiles that are bounded, and hidden ones nowhere."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.factories import make_version
from tests.hidden import Hidden, make_hidden
from tests.inspected import make_inspected
from tests.serving import serving

COUNT = 24


class Made(NamedTuple):
    settings: Settings
    hidden: Hidden
    client: httpx.Client


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    hidden = make_hidden(settings, COUNT)
    make_inspected(settings)
    make_version(settings, [], name="empty", made_map=hidden.version.map)
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        yield Made(settings, hidden, client)


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a protobuf message: number and content."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        assert tag & 7 in (0, 2)
        value, at = varint(data, at)
        if tag & 7 == 2:
            yield tag >> 3, data[at : at + value]
            at += value
        else:
            yield tag >> 3, value


def counted(tile: bytes) -> list[int]:
    """How many questions each point of a tile stands for (the key `questions` comes first)."""
    found = []
    for number, layer in fields(tile):
        assert number == 3
        assert isinstance(layer, bytes)
        values = [
            dict(fields(value)) for key, value in fields(layer) if key == 4 and isinstance(value, bytes)
        ]
        for key, feature in fields(layer):
            if key == 2 and isinstance(feature, bytes):
                tags = dict(fields(feature))[2]
                assert isinstance(tags, bytes)
                _, at = varint(tags, 0)
                index, _ = varint(tags, at)
                number_of = values[index].get(4, values[index].get(5))
                assert isinstance(number_of, int)
                found.append(number_of)
    return found


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
    def tile(z: int, x: int, y: int) -> list[int]:
        answer = made.client.get(f"/v1/datasets/half_hidden/tiles/{z}/{x}/{y}.mvt").raise_for_status()
        assert answer.headers["content-type"] == "application/vnd.mapbox-vector-tile"
        return counted(answer.content)

    assert sum(tile(0, 0, 0)) == COUNT // 2
    assert len(tile(0, 0, 0)) <= 2, "near each other they are one point"
    eight = [tile(9, x, y) for x in range(268, 271) for y in range(177, 181)]
    assert sum(sum(found) for found in eight) == COUNT // 2
    assert max(len(found) for found in eight) > 1
    assert tile(9, 0, 0) == []


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
        owner.execute(text(hide), {"version": made.hidden.version.id})
        drawn = text("select length(trigpoint.tile_of_version(:version, 0, 0, 0))")
        assert owner.execute(drawn, {"version": made.hidden.version.id}).scalar_one() == 0
        owner.rollback()
