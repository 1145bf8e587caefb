"""Embeddings over HTTP: what an answer must be, and what is said where it is not."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.core.errors import EndpointRefused, EndpointUnavailable
from app.inference.chat import Endpoint
from app.inference.embeddings import BATCH, embed, read_vectors
from app.inference.scripted import embed_words
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import Scripted, free_port, scripted_endpoint


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Callable[..., Scripted]]:
    with ExitStack() as stack:
        yield lambda policy: stack.enter_context(scripted_endpoint(tmp_path, policy))


def answer(*vectors: Any) -> dict[str, Any]:
    return {"data": [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]}


def test_vectors_are_put_in_order_and_have_length_one() -> None:
    raw = {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3.0, 4.0]}]}
    first, second = read_vectors(raw, 2)
    assert first == pytest.approx([0.6, 0.8])
    assert second.tolist() == [0.0, 1.0]
    assert first.dtype == np.dtype("<f4")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "no list called data"),
        ({"data": {}}, "no list called data"),
        ({"data": [{"index": 0}, {"index": 1}]}, "no list called embedding"),
        (answer([1.0]), "2 texts were sent, and it has 1"),
        (answer([1.0], [1.0], [1.0]), "it has 3"),
        ({"data": [{"index": 0, "embedding": [1]}] * 2}, "2 texts"),
        (answer([1.0], [1.0, 2.0]), "differ in length"),
        (answer([1.0], [0.0]), "only zeros"),
        (answer([1.0], [1e308, 1e308]), "not finite"),
        (answer([1.0], []), "not a number"),
        (answer([1.0], ["a"]), "not a number"),
        (answer([1.0], [None]), "not a number"),
        (answer([1.0], [True]), "not a number"),
    ],
)
def test_other_answers_are_refused(raw: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_vectors(raw, 2)


def test_texts_are_sent_in_batches(endpoint: Callable[..., Scripted]) -> None:
    server = endpoint("first_option")
    texts = [f"place {number}" for number in range(2 * BATCH + 1)]
    batches = list(embed(Endpoint(server.url, "scripted:first_option"), texts, 10, 3, 0.01))
    assert [text for batch, _ in batches for text in batch] == texts
    assert len(server.requests()) == len(batches) == 3
    told = np.array(embed_words(texts[40]))
    assert batches[1][1][40 - BATCH] == pytest.approx(told / np.linalg.norm(told), abs=1e-6)


@pytest.mark.parametrize(("policy", "message"), [("failing", "HTTP 500"), ("html", "a web page")])
def test_an_endpoint_that_fails_is_tried_again_then_named(
    endpoint: Callable[..., Scripted], policy: str, message: str
) -> None:
    server = endpoint(policy)
    with pytest.raises(EndpointUnavailable, match=rf"{message}.*tried 3 times"):
        list(embed(Endpoint(server.url, "x"), ["a"], 10, 3, 0.01))
    assert len(server.requests()) == 3


def test_a_failure_within_success_is_tried_again_by_its_code() -> None:
    """Rate-limited once; then refused for good."""
    told = [{"code": 429, "message": "slower"}, {"code": 400, "message": "too long"}]
    left = iter(told)

    def refuse(request: Request) -> Answer:
        return Answer(200, {"Content-Type": "application/json"}, json.dumps({"error": next(left)}).encode())

    with serving_http(refuse) as url, pytest.raises(EndpointRefused, match=r"code 400\): “too long”"):
        list(embed(Endpoint(f"{url}/v1", "x"), ["a"], 10, 5, 0.01))


def test_an_endpoint_of_no_use_is_asked_once(endpoint: Callable[..., Scripted]) -> None:
    server = endpoint("garbage")
    with pytest.raises(EndpointRefused, match="HTTP 404"):
        list(embed(Endpoint(server.url, "another model"), ["a"], 10, 3, 0.01))
    assert len(server.requests()) == 1


def test_nobody_there() -> None:
    with pytest.raises(EndpointUnavailable, match="cannot be reached"):
        list(embed(Endpoint(f"http://127.0.0.1:{free_port()}/v1", "x"), ["a"], 10, 2, 0.01))
