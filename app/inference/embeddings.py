"""Embeddings of texts from an OpenAI-compatible endpoint (/embeddings): batches, tried again where that helps.

Reads an endpoint; writes nothing. Vectors are of length 1, as little-endian float32, so that a dot product is a cosine.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.core.errors import EndpointRefused, EndpointUnavailable
from app.inference.chat import ChatClient, Endpoint
from app.inference.outcomes import Failure

BATCH = 32
"""Texts a request: answers stay below the client's limit up to 5,000 dimensions."""
LONGEST_WAIT = 30.0
Vector = NDArray[np.float32]


def read_vectors(raw: Any, count: int) -> list[Vector]:
    """The vectors in an answer, by their `index`, normalised. Pure.

    Raises ValueError where they are not `count` of one dimension, or hold what is no finite number, or only zeros.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("data"), list):
        raise ValueError("it has no list called data")
    by_index = {}
    for one in raw["data"]:
        if not isinstance(one, dict) or not isinstance(one.get("embedding"), list):
            raise ValueError("an entry has no list called embedding")
        by_index[one.get("index")] = _normalised(one["embedding"])
    if len(raw["data"]) != count or set(by_index) != set(range(count)):
        raise ValueError(f"{count} texts were sent, and it has {len(raw['data'])} embeddings")
    vectors = [by_index[index] for index in range(count)]
    if len({vector.size for vector in vectors}) > 1:
        raise ValueError("its embeddings differ in length")
    return vectors


def _normalised(numbers: Sequence[Any]) -> Vector:
    if not numbers or not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
        raise ValueError("an embedding holds what is not a number")
    vector = np.array([float(number) for number in numbers])
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        raise ValueError("an embedding is not finite, or only zeros")
    return (vector / length).astype("<f4")


def embed(
    endpoint: Endpoint, texts: Sequence[str], timeout_seconds: float, tries: int, backoff_seconds: float
) -> Iterator[tuple[list[str], list[Vector]]]:
    """The texts, BATCH at a time, with their vectors.

    Raises EndpointUnavailable where the endpoint is away after `tries`, EndpointRefused for an answer of no use.
    """
    with asyncio.Runner() as runner:
        client = runner.run(_open(timeout_seconds))
        try:
            for start in range(0, len(texts), BATCH):
                batch = list(texts[start : start + BATCH])
                yield batch, runner.run(_embed(client, endpoint, batch, tries, backoff_seconds))
        finally:
            runner.run(client.close())


async def _open(timeout_seconds: float) -> ChatClient:
    return ChatClient(timeout_seconds)


async def _embed(
    client: ChatClient, endpoint: Endpoint, texts: list[str], tries: int, backoff_seconds: float
) -> list[Vector]:
    for attempt in range(1, tries + 1):
        answer = await client.embeddings(endpoint, texts)
        if not isinstance(answer, Failure):
            break
        if not answer.heals:
            raise EndpointRefused(f"No embeddings from {endpoint.url}: {answer.reason}.")
        if attempt == tries:
            raise EndpointUnavailable(
                f"No embeddings from {endpoint.url}: {answer.reason} (tried {tries} times). What there is, is kept."
            )
        wait = backoff_seconds * 2 ** (attempt - 1) if answer.retry_after is None else answer.retry_after
        await asyncio.sleep(min(LONGEST_WAIT, wait))
    try:
        return read_vectors(answer, len(texts))
    except ValueError as error:
        raise EndpointRefused(f"The answer of {endpoint.url}/embeddings is of no use: {error}.") from error
