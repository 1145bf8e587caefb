"""Stored embeddings, and what lies nearest."""

from datetime import UTC, datetime

import numpy as np
import pytest

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.embedding import DenseRetriever, load_vectors, store_vectors, texts_without
from app.predictions.runs import store_endpoint

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers)
    return (vector / np.linalg.norm(vector)).astype("<f4")


def test_the_nearest_come_first_and_equal_ones_in_order() -> None:
    rows = ["a", "b", "c", "d"]
    vectors = np.array([unit(1, 0), unit(0, 1), unit(1, 1), unit(1, 1)], np.float64)
    index = DenseRetriever(rows, vectors)
    assert index.find(np.array(unit(1, 0.1), np.float64), 3) == ["a", "c", "d"]
    assert index.find(np.array(unit(0, 1), np.float64), 10) == ["b", "c", "d", "a"]
    assert DenseRetriever([], np.zeros((0, 0))).find(np.array([1.0]), 10) == []


def test_vectors_are_stored_once_by_endpoint_and_text(database: Settings) -> None:
    with connect(database, Role.WORKER) as connection:
        one, other = (
            store_endpoint(connection, f"http://127.0.0.1:{port}/v1", "m", None, NOW).id for port in (1, 2)
        )
        assert texts_without(connection, one, ["b", "a", "b"]) == ["a", "b"]
        store_vectors(connection, one, ["a", "b"], [unit(1, 0), unit(3, 4)], NOW)
        store_vectors(connection, one, ["a"], [unit(0, 1)], NOW)
        assert texts_without(connection, one, ["b", "a", "c"]) == ["c"]
        assert texts_without(connection, other, ["a"]) == ["a"]
        assert load_vectors(connection, one, ["b", "a", "b"]) == pytest.approx(
            np.array([[0.6, 0.8], [1, 0], [0.6, 0.8]]), abs=1e-7
        )
        with pytest.raises(ServiceUnavailable, match="1 of 2 texts have no embedding"):
            load_vectors(connection, one, ["a", "c"])
        store_vectors(connection, one, ["c"], [unit(1, 2, 3)], NOW)
        with pytest.raises(ServiceUnavailable, match="differ in length"):
            load_vectors(connection, one, ["a", "c"])
