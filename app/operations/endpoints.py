"""Which endpoint a request means.

At the command line it is a URL or the name of a stored endpoint, and may have to be looked at first. Over REST it is a
stored endpoint whose last check was good.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.errors import Conflict, SettingsError, UsageError
from app.core.settings import Settings
from app.inference.chat import Endpoint
from app.inference.checking import base_url, check_endpoint, read_key
from app.predictions.endpoints import read_endpoint
from app.predictions.runs import EndpointRow, find_endpoint, known_endpoint, store_endpoint


@dataclass(frozen=True)
class EndpointChoice:
    """An endpoint as somebody names it: a URL up to /v1 or a stored name, a model, the variable that holds the key."""

    given: str | None = None
    model: str | None = None
    key_variable: str | None = None

    @property
    def is_url(self) -> bool:
        """Whether a URL is given and no name. Names that `store_endpoint` makes hold a URL and spaces."""
        return "://" in (self.given or "") and " " not in (self.given or "")


def find_known(connection: Connection, choice: EndpointChoice) -> EndpointRow | None:
    """The endpoint as stored; None for a URL that was not used before with this model and key.

    Raises NotFound for a name that is not stored, and UsageError for a name that is stored with another model.
    """
    if choice.is_url:
        if choice.model is None:
            return None
        return known_endpoint(connection, base_url(choice.given or ""), choice.model, choice.key_variable)
    stored = find_endpoint(connection, choice.given or "")
    if choice.model not in (None, stored.model):
        raise UsageError(
            f"The endpoint {stored.name!r} is for the model {stored.model!r}, not {choice.model!r}."
        )
    return stored


def check_and_store(
    connection: Connection, settings: Settings, choice: EndpointChoice, known: EndpointRow | None
) -> EndpointRow:
    """The endpoint as stored, after a look at it; `known` is what `find_known` found.

    Raises what `check_endpoint` raises, and SettingsError where the variable of its key is not set.
    """
    if known is not None and not choice.is_url:
        _ask_for_model(settings, known.url, known.model, known.key_variable)
        return known
    url = base_url(choice.given or "")
    model = _ask_for_model(settings, url, choice.model, choice.key_variable)
    return store_endpoint(connection, url, model, choice.key_variable, SystemClock().now())


def find_or_store(connection: Connection, settings: Settings, choice: EndpointChoice) -> EndpointRow:
    """The endpoint as stored. It is looked at only where it is a URL that was not used before with this model.

    Raises as `check_and_store`.
    """
    if not choice.is_url:
        return find_endpoint(connection, choice.given or "")
    return find_known(connection, choice) or check_and_store(connection, settings, choice, None)


def find_embedder(
    connection: Connection, settings: Settings, choice: EndpointChoice, solver: str
) -> EndpointRow | None:
    """The endpoint that embeds, stored and committed; None where none is wanted. A URL with a model is not looked at.

    Raises UsageError for another solver than rag, or a model without an endpoint; else as `check_and_store`.
    """
    if choice.given is None:
        if choice.model or choice.key_variable:
            raise UsageError(
                "--embeddings-model and --embeddings-key-variable are only for use with --embeddings URL."
            )
        return None
    if solver != "rag":
        raise UsageError(f"The solver `{solver}` does not use embeddings; remove --embeddings.")
    if not choice.is_url:
        stored = find_endpoint(connection, choice.given)
        if choice.model not in (None, stored.model):
            raise UsageError(f"The endpoint {stored.name!r} is for the model {stored.model!r}.")
        return stored
    url = base_url(choice.given).removesuffix("/embeddings")
    timeout = settings.request_timeout_seconds
    model = choice.model or check_endpoint(url, None, read_embedding_key(choice.key_variable), timeout)
    stored = store_endpoint(connection, url, model, choice.key_variable, SystemClock().now())
    connection.commit()
    return stored


def read_embedding_key(variable: str | None) -> str | None:
    """As `read_key`, with words about embeddings."""
    try:
        return read_key(variable)
    except SettingsError:
        raise SettingsError(
            f"The environment variable {variable} is not set; it should hold the key for embeddings."
        ) from None


def find_chat_endpoint(connection: Connection, settings: Settings, choice: EndpointChoice) -> Endpoint:
    """What calls need of an endpoint that is not stored by this. One whose model is named is not looked at.

    Raises as `check_and_store`.
    """
    url, model, variable, body = base_url(choice.given or ""), choice.model, choice.key_variable, None
    if not choice.is_url:
        stored = find_endpoint(connection, choice.given or "")
        connection.rollback()
        url, model, variable = stored.url, model or stored.model, stored.key_variable
        body = stored.body
    key = read_key(variable)
    model = model or check_endpoint(url, None, key, settings.request_timeout_seconds)
    return Endpoint(url, model, key, body)


def find_model(settings: Settings, choice: EndpointChoice) -> str:
    """The model of a URL: the one that is named, else the one that the endpoint lists. Raises as `check_and_store`."""
    if choice.model is not None:
        return choice.model
    return _ask_for_model(settings, base_url(choice.given or ""), None, choice.key_variable)


def find_healthy(connection: Connection, name: str) -> EndpointRow:
    """The stored endpoint. Raises NotFound, and Conflict where it was never checked or its last check failed."""
    row = find_endpoint(connection, name)
    health = read_endpoint(connection, row.name).health
    if health is None:
        raise Conflict(f"The endpoint {row.name!r} was never checked: check it first.")
    if health["state"] != "ok":
        raise Conflict(f"The last check of the endpoint {row.name!r} failed: repair it, and check it again.")
    return row


def _ask_for_model(settings: Settings, url: str, model: str | None, key_variable: str | None) -> str:
    return check_endpoint(url, model, read_key(key_variable), settings.request_timeout_seconds)
