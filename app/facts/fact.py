"""A fact: what one source says of one subject, and how it is identified. Values are normalised; no clock in an id."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.identity import digest
from app.facts.attributes import ATTRIBUTES
from app.facts.normalising import Value

SOURCES = ("wikidata", "file", "osm")
"""In the order in which equal facts are taken."""
LICENCES = {"wikidata": "CC0-1.0", "osm": "ODbL-1.0"}

_ITEM = re.compile(r"Q[1-9][0-9]{0,9}")
_OSM_KEY = re.compile(r"[nwr][1-9][0-9]{0,18}")
LARGEST_ITEM = 2_147_483_647
"""Wikidata refuses a whole request that asks for an item beyond."""


@dataclass(frozen=True)
class Fact:
    """One statement of one source; `subject` is an osm_key or a Wikidata item, `retrieved_at` when it was read."""

    subject: str
    attribute: str
    value: Value
    source: str
    credit: str
    source_url: str | None
    licence: str
    retrieved_at: datetime | None

    @property
    def id(self) -> str:
        """The same for the same statement of the same source, in any database."""
        return digest(
            self.source,
            self.credit,
            self.source_url,
            self.licence,
            self.subject,
            self.attribute,
            list(self.value),
        )

    @property
    def kind(self) -> str:
        """name, number or year."""
        return ATTRIBUTES[self.attribute].kind

    def as_row(self) -> dict[str, Any]:
        """The columns that every table of facts has."""
        return {
            "fact_id": self.id,
            "subject": self.subject,
            "attribute": self.attribute,
            "kind": self.kind,
            "value": self.value.value,
            "key": self.value.key,
            "unit": self.value.unit,
            "names": list(self.value.names),
            "source": self.source,
            "credit": self.credit,
            "source_url": self.source_url,
            "retrieved_at": self.retrieved_at,
            "licence": self.licence,
        }


def is_item(text: str) -> bool:
    """Whether a text is the id of a Wikidata item."""
    return _ITEM.fullmatch(text) is not None and int(text[1:]) <= LARGEST_ITEM


def is_subject(text: str) -> bool:
    """Whether a text is an osm_key or the id of a Wikidata item."""
    return is_item(text) or _OSM_KEY.fullmatch(text) is not None


def object_url(osm_key: str) -> str:
    """Where an object of OpenStreetMap can be seen."""
    kind = {"n": "node", "w": "way", "r": "relation"}[osm_key[0]]
    return f"https://www.openstreetmap.org/{kind}/{osm_key[1:]}"
