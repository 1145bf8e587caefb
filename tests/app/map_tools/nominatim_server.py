"""Nominatim's search on the loopback, over real HTTP, with what goes wrong there, by a script."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.support.http_server import Answer, Request, serving_http


@dataclass
class Nominatim:
    """What the server knows, and what it was asked; `script` holds answers that go before, one a request."""

    url: str = ""
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    script: list[Answer] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)

    def answer(self, request: Request) -> Answer:
        """The answer to one request, as the real server shapes it: numbers are texts."""
        self.asked.append(request)
        if self.script:
            return self.script.pop(0)
        place = self.places.get(request.query["q"])
        found = [] if place is None else [result(*place)]
        return Answer(200, {"Content-Type": "application/json"}, json.dumps(found).encode())

    @property
    def addresses(self) -> list[str]:
        """What was asked for, in order."""
        return [request.query["q"] for request in self.asked]


def result(lon: float, lat: float) -> dict[str, object]:
    return {
        "place_id": 7,
        "licence": "Data © OpenStreetMap contributors, ODbL 1.0.",
        "osm_type": "node",
        "osm_id": 42,
        "lat": str(lat),
        "lon": str(lon),
        "display_name": "Somewhere\u0000",
    }


@contextmanager
def serving_nominatim() -> Iterator[Nominatim]:
    """A server on a free port; it stops with the block."""
    nominatim = Nominatim()
    with serving_http(nominatim.answer) as nominatim.url:
        yield nominatim
