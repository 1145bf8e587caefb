"""What the rule-based agent reads in sentences of tools. It knows their everyday form, and no typed result."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_KEY = r"[nwr]\d+"
_HIT = re.compile(
    rf"(.+?) \(([^()]*), ({_KEY}), at (-?[\d.]+), (-?[\d.]+), (exact|likely|possible)\)(?:; |\.$)"
)
_LISTED = re.compile(rf"^\d+\. (.+) \(({_KEY})\)(?:, ([\d.e+]+) m, at (-?[\d.]+), (-?[\d.]+))?", re.MULTILINE)
_METRES = {"m": 1.0, "km": 1000.0, "m²": 1.0, "km²": 1e6}
MORE = "There are more."


class Hit(NamedTuple):
    """A place that a search found. `kind` in words; `sure` is `exact`, `likely` or `possible`."""

    name: str
    kind: str
    key: str
    sure: str


class Listed(NamedTuple):
    """A place of a numbered list; `metres` from where one stands, if they are told."""

    name: str
    key: str
    metres: float | None

    @property
    def has_name(self) -> bool:
        """Whether it is called by a name, not by its type and id."""
        return self.key not in self.name


def read_hits(sentence: str) -> list[Hit]:
    """The places that a search found, the best first; none where it found nothing."""
    said = re.sub(r"^Found for (['\"]).*?\1: ", "", sentence, count=1)
    return [Hit(one[1], one[2], one[3], one[6]) for one in _HIT.finditer(said)]


def read_list(sentence: str) -> list[Listed]:
    """The places of a numbered list, in its order."""
    return [Listed(one[1], one[2], float(one[3]) if one[3] else None) for one in _LISTED.finditer(sentence)]


def read_measure(sentence: str, before: str) -> float | None:
    """The first length in metres, or area in square metres, after the words `before`; None where none is told."""
    found = re.search(rf"{before} ([\d.]+) (km²|m²|km|m)\b", sentence) or re.search(
        rf"{before} ([\d.]+) (km²|m²)", sentence
    )
    return float(found[1]) * _METRES[found[2]] if found else None


def read_degrees(sentence: str) -> float | None:
    """Degrees clockwise from north."""
    found = re.search(r"at ([\d.]+) degrees clockwise", sentence)
    return float(found[1]) if found else None


def read_total(sentence: str) -> int | None:
    """How many places there are in an area."""
    found = re.search(r" has (\d+) places? of the kind ", sentence)
    return int(found[1]) if found else None


def read_regions(sentence: str) -> list[str]:
    """The regions in which a place lies, by its details."""
    found = re.search(r"^- Regions: (.+)\.$", sentence, re.MULTILINE)
    return found[1].split(", ") if found else []


def read_alike(sentence: str) -> Sequence[str]:
    """Types that a tool proposes where the map has none of a type."""
    found = re.search(r"Types that are called alike: (.+?)\.", sentence)
    return found[1].split(", ") if found else ()


def says_open(sentence: str) -> bool:
    """Whether a place is surely open then."""
    return re.search(r" is open at \d{4}-", sentence) is not None
