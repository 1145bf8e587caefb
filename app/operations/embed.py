"""Embedding the texts of a data set version, which the solver `rag` looks up: once for each text and model."""

from collections.abc import Callable

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.chat import Endpoint
from app.operations.endpoints import read_embedding_key
from app.predictions.runs import EndpointRow

TellEmbedded = Callable[[str, int, int], None]
"""Hears the endpoint's name, how many texts are embedded and how many there are, before the first and after each
batch."""


def embed_version(settings: Settings, version_id: int, embedder: EndpointRow, tell: TellEmbedded) -> None:
    """Ask for the embeddings that are missing, and store each batch: a call that stops goes on where it was.

    Raises EndpointUnavailable or EndpointRefused where the endpoint fails, SettingsError without its key.
    """
    # Vectors need numpy: few runs do, and it takes 0.1 s to load.
    from app.inference.embeddings import embed
    from app.map_tools.embedding import hold_endpoint, store_vectors, texts_without
    from app.solvers.rag import texts_to_embed

    with connect(settings, Role.WORKER) as connection:
        hold_endpoint(connection, embedder.id)
        missing = texts_without(connection, embedder.id, texts_to_embed(connection, version_id))
        connection.commit()
        if not missing:
            return
        done = 0
        tell(embedder.name, done, len(missing))
        endpoint = Endpoint(embedder.url, embedder.model, read_embedding_key(embedder.key_variable))
        batches = embed(
            endpoint, missing, settings.request_timeout_seconds, settings.tries, settings.backoff_seconds
        )
        for texts, vectors in batches:
            store_vectors(connection, embedder.id, texts, vectors, SystemClock().now())
            connection.commit()
            done += len(texts)
            tell(embedder.name, done, len(missing))
