"""What there is to retrieve of a map, and the entries whose words are nearest to a question's (BM25).

Entries are name, class and address of reference rows, and pages of facts: what external sources say of a place, which
the reference views withhold. No coordinates, no other tags, no gold. Entries that read the same are one.
Okapi BM25 as in Robertson and Zaragoza (2009), k1 = 1.2, b = 0.75; equal scores are ordered by their text.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from app.db.naming import quoted
from app.map_tools import queries

K1 = 1.2
B = 0.75
LAYERS = ("poi", "park", "water", "road", "region")
_WORD = re.compile(r"\w+")


def words_of(sentence: str) -> list[str]:
    """The words of a text, case and accents removed."""
    plain = unicodedata.normalize("NFKD", sentence.casefold())
    return _WORD.findall("".join(sign for sign in plain if not unicodedata.combining(sign)))


def load_rows(connection: Connection, schema: str) -> list[str]:
    """What every reference row of a snapshot says of itself, each text once, in order."""
    found: set[str] = set()
    for layer in LAYERS:
        there = connection.execute(queries.LAYER_IS_THERE, {"relation": f"{schema}.{layer}"}).scalar_one()
        if not there:
            continue
        statement = queries.PLACES if layer == "poi" else queries.NAMED
        for row in connection.execute(text(statement.format(schema=quoted(schema), layer=quoted(layer)))):
            parts = (row.name, row.kind.replace("_", " "), row.address)
            found.add("; ".join(part for part in parts if part))
    return sorted(found)


def load_pages(connection: Connection, schema: str, facts: str) -> list[str]:
    """A page a place of which the set `facts` says something: name, class and address, then fact and source."""
    statement = text(queries.FACT_PAGES.format(schema=quoted(schema)))
    found: set[str] = set()
    for row in connection.execute(statement, {"facts": facts}):
        parts = (row.name, row.kind.replace("_", " "), row.address, *row.facts)
        found.add("; ".join(part for part in parts if part))
    return sorted(found)


class Retriever:
    """An index of texts in memory."""

    def __init__(self, rows: Sequence[str]) -> None:
        self.rows = list(rows)
        places: dict[str, list[int]] = defaultdict(list)
        counts: dict[str, list[int]] = defaultdict(list)
        lengths = np.zeros(len(self.rows))
        for place, row in enumerate(self.rows):
            words = words_of(row)
            lengths[place] = len(words)
            for word, count in Counter(words).items():
                places[word].append(place)
                counts[word].append(count)
        mean = float(lengths.mean()) if self.rows else 1.0
        self._spread = K1 * (1 - B + B * lengths / (mean or 1.0))
        self._places: dict[str, NDArray[np.int32]] = {w: np.array(p, np.int32) for w, p in places.items()}
        self._counts: dict[str, NDArray[np.int32]] = {w: np.array(c, np.int32) for w, c in counts.items()}

    def find(self, question: str, limit: int) -> list[str]:
        """The `limit` rows that fit a question best, best first; fewer where no more share a word with it."""
        scores = np.zeros(len(self.rows))
        for word in sorted(set(words_of(question)) & self._places.keys()):
            places, counts = self._places[word], self._counts[word]
            rarity = np.log1p((len(self.rows) - len(places) + 0.5) / (len(places) + 0.5))
            scores[places] += rarity * counts * (K1 + 1) / (counts + self._spread[places])
        best = np.lexsort((np.arange(len(self.rows)), -scores))[:limit]
        return [self.rows[place] for place in best if scores[place] > 0]
