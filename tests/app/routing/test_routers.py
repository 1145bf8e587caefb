"""Routes of a town that are counted by hand, by OSRM and by the second path alike."""

from pathlib import Path

import pytest
from sqlalchemy import Connection

from app.core.errors import UsageError
from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.routing.errors import RouteRefused
from app.routing.opening import open_router
from app.routing.programs import VERSION
from app.routing.results import Router
from tests.app.routing.conftest import ISLAND, at
from tests.support.town import Imported, offset

ON_A, ON_B, ON_C, ON_D, ON_E = at(400, 1000), at(1000, 600), at(500, 0), at(0, 500), at(-300, 1000)
WITHOUT_OSRM = {"osrm_bin": Path("/nowhere")}


@pytest.fixture(scope="module", params=["OSRM", "one path"])
def whose(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    return settings if request.param == "OSRM" else settings.model_copy(update=WITHOUT_OSRM)


@pytest.fixture
def car(whose: Settings, connection: Connection, snapshot: SnapshotRef) -> Router:
    return open_router(whose, connection, snapshot, "car")


def names(town: Imported, router: Router, start: tuple[float, float], end: tuple[float, float]) -> str:
    """The streets of the fastest route, in their order."""
    assert town.map
    street = {int(key[1:]): name for name, key in town.map.names.items()}
    return " ".join(dict.fromkeys(street[step.way_id] for step in router.routes(start, end)[0].steps))


def test_a_route_counts_seconds_and_metres(car: Router, street_town: Imported) -> None:
    (route,) = car.routes(ON_E, ON_D)
    assert (route.seconds, route.metres) == (pytest.approx(80, abs=0.1), pytest.approx(800, abs=1))
    assert names(street_town, car, ON_E, ON_D) == "E D"
    assert [step.forwards for step in route.steps] == [True, False]
    assert route.start.metres == pytest.approx(0, abs=0.1)


def test_a_forbidden_turn_and_a_oneway_street_are_heeded(car: Router, street_town: Imported) -> None:
    """Nobody turns from A into B, and C cannot be travelled to the east: B is reached by nobody."""
    with pytest.raises(RouteRefused, match="No route for car leads from the start to the end") as refused:
        car.routes(ON_A, ON_B)
    assert refused.value.kind == "not_connected"
    assert names(street_town, car, ON_B, ON_A) in ("B A", "B C D A")
    assert names(street_town, car, ON_C, ON_A) == "C D A"


def test_people_on_foot_need_not_heed_them(
    whose: Settings, connection: Connection, snapshot: SnapshotRef, street_town: Imported
) -> None:
    foot = open_router(whose, connection, snapshot, "foot")
    assert names(street_town, foot, ON_A, ON_B) == "A B"
    assert names(street_town, foot, ON_C, ON_B) == "C B"


def test_on_one_street_and_at_one_place(car: Router) -> None:
    one, other = at(0, 100), at(0, 900)
    for start, end in ((one, other), (other, one)):
        (route,) = car.routes(start, end)
        assert (route.seconds, len(route.steps)) == (pytest.approx(80, abs=0.1), 1)
    assert car.routes(one, one)[0].seconds == pytest.approx(0, abs=0.1)


def test_a_matrix_has_a_row_a_start(car: Router) -> None:
    assert car.matrix([ON_E, ON_A], [ON_D, ON_B, ON_E]) == [
        [pytest.approx(80, abs=0.4), None, pytest.approx(0, abs=0.4)],
        [pytest.approx(90, abs=0.4), None, pytest.approx(70, abs=0.4)],
    ]
    with pytest.raises(UsageError, match="from 1 to 100 starts and ends; these are 101 and 1"):
        car.matrix([ON_A] * 101, [ON_B])


def test_the_nearest_place_and_points_off_the_network(car: Router) -> None:
    found = car.nearest(at(-30, 500))
    assert found.metres == pytest.approx(30, abs=0.1)
    assert found.point == pytest.approx(at(0, 500), abs=1e-6)
    with pytest.raises(
        RouteRefused, match=r"is not on the road network: the nearest road .* is 19\.\d km away"
    ) as far:
        car.routes(ON_A, offset(ON_A, 0, 20_000 - 1_000 + 500))
    assert far.value.kind == "off_network"
    with pytest.raises(RouteRefused, match="parts of the network that are not connected"):
        car.routes(ON_A, ISLAND)


@pytest.mark.parametrize("point", [(float("nan"), 50.0), (10.0, 1e9), (-181.0, 50.0), (10.0, float("inf"))])
def test_what_is_no_point(car: Router, point: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="There is no point with longitude"):
        car.nearest(point)


def test_a_matrix_of_the_largest_size(
    settings: Settings, connection: Connection, snapshot: SnapshotRef
) -> None:
    rows = open_router(settings, connection, snapshot, "car").matrix([ON_D] * 100, [ON_E] * 100)
    assert (len(rows), {len(row) for row in rows}, rows[0][0]) == (100, {100}, pytest.approx(80, abs=0.4))


def test_a_router_says_what_it_is(settings: Settings, connection: Connection, snapshot: SnapshotRef) -> None:
    assert open_router(settings, connection, snapshot, "car").engine == f"OSRM {VERSION}"
    without = settings.model_copy(update=WITHOUT_OSRM)
    assert open_router(without, connection, snapshot, "car").engine == "one path"
    with pytest.raises(RouteRefused, match="Transit is unavailable"):
        open_router(settings, connection, snapshot, "transit")
    with pytest.raises(UsageError, match=r"There is no mode 'boat'\. The modes are car, bicycle, foot\."):
        open_router(settings, connection, snapshot, "boat")


def test_other_routes(settings: Settings, connection: Connection, snapshot: SnapshotRef) -> None:
    """Two ways lead around the square; OSRM tells the second where it is not much longer."""
    foot = open_router(settings, connection, snapshot, "foot")
    routes = foot.routes(at(0, 20), at(1000, 980), alternatives=3)
    assert 1 <= len(routes) <= 4
    assert routes == sorted(routes, key=lambda route: route.seconds)
