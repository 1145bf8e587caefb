"""What `evaluate --embeddings` does before there is a run: embeddings of all texts are asked for, once, and stored."""

import os
from dataclasses import dataclass

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sqlalchemy import Connection

from app.cli.output import progress, say
from app.core.clock import SystemClock
from app.core.errors import SettingsError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.chat import Endpoint
from app.inference.checking import base_url, check_endpoint
from app.predictions.runs import EndpointRow, find_endpoint, store_endpoint


@dataclass(frozen=True)
class Wanted:
    """What the command line says of embeddings."""

    endpoint: str | None
    model: str | None
    key_variable: str | None


def find_embedder(
    connection: Connection, settings: Settings, wanted: Wanted, solver: str
) -> EndpointRow | None:
    """The endpoint that embeds, stored and committed; None where none is wanted. Not asked where a model is given.

    Raises UsageError for another solver than rag, or a model without an endpoint; else as `check_endpoint`.
    """
    if wanted.endpoint is None:
        if wanted.model or wanted.key_variable:
            raise UsageError(
                "--embeddings-model and --embeddings-key-variable are only for use with --embeddings URL."
            )
        return None
    if solver != "rag":
        raise UsageError(f"The solver `{solver}` does not use embeddings; remove --embeddings.")
    if "://" not in wanted.endpoint:
        stored = find_endpoint(connection, wanted.endpoint)
        if wanted.model not in (None, stored.model):
            raise UsageError(f"The endpoint {stored.name!r} is for the model {stored.model!r}.")
        return stored
    url = base_url(wanted.endpoint).removesuffix("/embeddings")
    model = wanted.model or check_endpoint(
        url, None, _key(wanted.key_variable), settings.request_timeout_seconds
    )
    stored = store_endpoint(connection, url, model, wanted.key_variable, SystemClock().now())
    connection.commit()
    return stored


def embed_version(settings: Settings, version_id: int, embedder: EndpointRow) -> None:
    """Ask for what has no embedding yet, and store it a batch at a time: what stops goes on where it was.

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
        say(f"{len(missing)} texts are sent to {embedder.name} for embeddings.")
        endpoint = Endpoint(embedder.url, embedder.model, _key(embedder.key_variable))
        batches = embed(
            endpoint, missing, settings.request_timeout_seconds, settings.tries, settings.backoff_seconds
        )
        columns = (TextColumn("embedding"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=progress, transient=True, disable=not progress.is_terminal) as bar:
            task = bar.add_task("", total=len(missing))
            for texts, vectors in batches:
                store_vectors(connection, embedder.id, texts, vectors, SystemClock().now())
                connection.commit()
                bar.advance(task, len(texts))


def _key(variable: str | None) -> str | None:
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        raise SettingsError(
            f"The environment variable {variable} is not set; it should hold the key for embeddings."
        )
    return key
