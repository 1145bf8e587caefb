"""MapLibre GL JS comes from the installed package, with a worker that needs no `blob:` address."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from app.core.settings import Settings
from app.dashboard.map_library import TYPES, make_worker
from tests.support.service import patient_client, serving


@pytest.fixture(scope="module")
def client(make_database: Callable[[], Settings]) -> Iterator[httpx.Client]:
    with serving(make_database()) as address, patient_client(address) as client:
        yield client


@pytest.mark.parametrize("name", TYPES)
def test_the_library_is_served_once(client: httpx.Client, name: str) -> None:
    given = client.get(f"/static/maplibre/{name}")
    assert (given.status_code, len(given.content) > 50_000) == (200, True)
    assert given.headers["content-type"].startswith(TYPES[name])
    again = client.get(f"/static/maplibre/{name}", headers={"If-None-Match": given.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["pywidget.js", "..%2Fmap.py", "nope"])
def test_nothing_else_of_the_package_is_served(client: httpx.Client, name: str) -> None:
    assert client.get(f"/static/maplibre/{name}").status_code == 404


def test_the_policy_lets_workers_come_from_this_server_alone(client: httpx.Client) -> None:
    policy = client.get("/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert (rules["worker-src"], rules["script-src"], rules["style-src"]) == ("'self'", "'self'", "'self'")
    assert (rules["default-src"], rules["img-src"]) == ("'none'", "'self' data:")


def test_the_worker_is_made_of_the_parts_that_it_needs() -> None:
    script = 'x;define("shared",["exports"],(S));\n\ndefine("worker",["./shared"],(W));\n\ndefine("index",[],(I));y'
    made = make_worker(script)
    assert ('define("shared",["exports"],(S))' in made, 'define("worker",["./shared"],(W))' in made) == (
        True,
        True,
    )
    assert "(I)" not in made
