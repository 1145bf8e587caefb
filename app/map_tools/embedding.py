"""Stored embeddings, and the entries whose embeddings are nearest to a question's.

Reads and adds to `embedding`, by endpoint and content of the text; what is there is never asked for again.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from app.core.errors import ServiceUnavailable
from app.core.identity import digest
from app.map_tools import queries

DECIMALS = 9
"""Cosines that agree to so many decimals are equal, and their texts in order."""


def texts_without(connection: Connection, endpoint_id: int, texts: Collection[str]) -> list[str]:
    """Those of `texts` that have no vector yet, each once, in order."""
    hashes = {digest(text): text for text in sorted(set(texts))}
    binds = {"endpoint_id": endpoint_id, "hashes": list(hashes)}
    there = set(connection.execute(queries.EMBEDDED, binds).scalars())
    return [text for key, text in hashes.items() if key not in there]


def hold_endpoint(connection: Connection, endpoint_id: int) -> None:
    """Wait until nobody else asks this endpoint for embeddings, and keep others waiting while the connection lasts."""
    connection.execute(queries.LOCK_EMBEDDINGS, {"endpoint_id": endpoint_id})


def store_vectors(
    connection: Connection,
    endpoint_id: int,
    texts: Sequence[str],
    vectors: Sequence[NDArray[np.float32]],
    now: datetime,
) -> None:
    """Add the vectors of `texts`; what is there stays."""
    rows = [
        {"endpoint_id": endpoint_id, "hash": digest(text), "vector": vector.tobytes(), "now": now}
        for text, vector in zip(texts, vectors, strict=True)
    ]
    if rows:
        connection.execute(queries.ADD_EMBEDDING, rows)


def load_vectors(connection: Connection, endpoint_id: int, texts: Sequence[str]) -> NDArray[np.float64]:
    """A row a text. Raises ServiceUnavailable where one has no vector, or they differ in length."""
    hashes = [digest(text) for text in texts]
    binds = {"endpoint_id": endpoint_id, "hashes": sorted(set(hashes))}
    found = {row.text_hash: bytes(row.vector) for row in connection.execute(queries.EMBEDDINGS, binds)}
    missing = len(set(hashes) - set(found))
    if missing:
        raise ServiceUnavailable(
            f"{missing} of {len(set(hashes))} texts have no embedding; `trigpoint evaluate --embeddings` asks for them"
        )
    if len({len(vector) for vector in found.values()}) > 1:
        raise ServiceUnavailable(
            "the embeddings differ in length: the endpoint's model was exchanged; store it under another name"
        )
    rows = [np.frombuffer(found[key], "<f4") for key in hashes]
    return np.array(rows, np.float64) if rows else np.zeros((0, 0))


class DenseRetriever:
    """An index of texts by their vectors of length 1."""

    def __init__(self, rows: Sequence[str], vectors: NDArray[np.float64]) -> None:
        self.rows = list(rows)
        self._vectors = vectors

    def find(self, vector: NDArray[np.float64], limit: int) -> list[str]:
        """The `limit` rows with the highest cosine, best first; equal ones in the order of the index."""
        if not self.rows:
            return []
        # Summed without BLAS: the same bits, however many threads there are.
        cosines = np.round(np.einsum("ij,j->i", self._vectors, vector), DECIMALS)
        best = np.lexsort((np.arange(len(self.rows)), -cosines))[:limit]
        return [self.rows[place] for place in best]
