"""Wikidata's API on the loopback: wbgetentities over real HTTP, with what goes wrong there, by a script."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.http_server import Answer, Request, serving_http

Claims = dict[str, list[Any]]
YEAR = 9


def statement(value: Any, kind: str = "string", rank: str = "normal") -> dict[str, Any]:
    """A statement with a value; None stands for "unknown value"."""
    snak = (
        {"snaktype": "somevalue"}
        if value is None
        else {"snaktype": "value", "datavalue": {"value": value, "type": kind}}
    )
    return {"rank": rank, "type": "statement", "mainsnak": snak}


def time(text: str, precision: int = YEAR) -> dict[str, Any]:
    return {
        "time": text,
        "precision": precision,
        "before": 0,
        "after": 0,
        "timezone": 0,
        "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
    }


def amount(text: str, unit: str = "1") -> dict[str, Any]:
    return {"amount": text, "unit": unit if unit == "1" else f"http://www.wikidata.org/entity/{unit}"}


def item(number: str) -> dict[str, Any]:
    return {"entity-type": "item", "numeric-id": int(number[1:]), "id": number}


@dataclass
class Wikidata:
    """What the server knows, and what it was asked; `script` holds answers that go before, one a request."""

    url: str = ""
    claims: dict[str, Claims] = field(default_factory=dict)
    labels: dict[str, dict[str, Any]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    script: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def label(self, number: str, text: str, *aliases: str, language: str = "en") -> None:
        """Name an item."""
        self.labels[number] = {
            "labels": {language: {"language": language, "value": text}},
            "aliases": {language: [{"language": language, "value": one} for one in aliases]}
            if aliases
            else [],
        }

    def answer(self, query: dict[str, str]) -> dict[str, Any]:
        """The answer to one request, as the real API shapes it."""
        entities: dict[str, Any] = {}
        for asked in query["ids"].split("|"):
            if asked.startswith("Q404"):
                return {"error": {"code": "no-such-entity", "info": "Could not find it", "id": asked}}
            number = self.redirects.get(asked, asked)
            known = number in self.claims or number in self.labels
            entity: dict[str, Any] = (
                {"id": number, "type": "item"} if known else {"id": number, "missing": ""}
            )
            if number != asked:
                entity["redirects"] = {"from": asked, "to": number}
            if known and "claims" in query["props"]:
                entity |= {"lastrevid": 7, "claims": self.claims.get(number) or []}
            if known and "labels" in query["props"]:
                entity |= self.labels.get(number, {"labels": [], "aliases": []})
            entities[number] = entity
        return {"entities": entities, "success": 1}


@contextmanager
def serving_wikidata() -> Iterator[Wikidata]:
    """A server on a free port; it stops with the block."""
    wikidata = Wikidata()

    def answer(request: Request) -> Answer:
        wikidata.asked.append(request.query)
        wikidata.agents.append(request.agent)
        status, headers, body = 200, {"Content-Type": "application/json"}, b""
        if wikidata.script:
            status, more, body = wikidata.script.pop(0)
            headers |= more
        if not body and status == 200:
            body = gzip.compress(json.dumps(wikidata.answer(request.query)).encode())
            headers["Content-Encoding"] = "gzip"
        return Answer(status, headers, body)

    with serving_http(answer) as wikidata.url:
        yield wikidata
