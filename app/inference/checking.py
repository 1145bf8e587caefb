"""The check of an endpoint before a run: it answers, speaks the protocol, and knows the model.

Raises one clear sentence where it does not, so that no run is made for it.
"""

import asyncio
import os

from app.core.errors import EndpointRefused, EndpointUnavailable, SettingsError
from app.inference.chat import ChatClient, Endpoint
from app.inference.outcomes import Failure, excerpt

LONGEST_CHECK = 15.0
LONGEST_NAME = 200
REFUSES_FIELDS = (200, 400, 422)
"""Statuses with which servers refuse fields that they do not take; 200 holds such a failure in its body."""


def base_url(given: str) -> str:
    """The base URL of what a person typed: without /chat/completions and trailing slashes."""
    return given.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")


def read_key(variable: str | None) -> str | None:
    """The key in an environment variable; None where none is named. Raises SettingsError where it is not set."""
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        raise SettingsError(
            f"The environment variable {variable} is not set; it should hold the endpoint's key."
        )
    return key


def check_endpoint(url: str, model: str | None, key: str | None, timeout_seconds: float) -> str:
    """The model to ask for at `url`, after one look at its list of models (or, without a list, one short chat).

    Raises EndpointUnavailable (down, slow, overloaded) or EndpointRefused (answers, but not usefully).
    """
    return asyncio.run(_check(url, model, key, min(timeout_seconds, LONGEST_CHECK)))


async def _check(url: str, model: str | None, key: str | None, timeout_seconds: float) -> str:
    client = ChatClient(timeout_seconds)
    try:
        return await check_model(client, url, model, key)
    finally:
        await client.close()


async def check_model(client: ChatClient, url: str, model: str | None, key: str | None) -> str:
    """As `check_endpoint`, with a client that is there."""
    endpoint = Endpoint(url, model or "", key)
    models = await client.models(endpoint)
    if isinstance(models, list):
        return _pick(url, model, models)
    if models.http_status in (404, 405, 501) and model:
        failure = await _short_chat(client, endpoint)
        if failure is None:
            return model
        raise failed_check(url, failure)
    raise failed_check(url, models)


async def _short_chat(client: ChatClient, endpoint: Endpoint) -> Failure | None:
    """The failure of a call for one token; where that is refused, of one that names nothing that may be left away."""
    body = {
        "model": endpoint.model,
        "messages": [{"role": "user", "content": "Answer with the letter A."}],
    }
    outcome = await client.complete(endpoint, body | {"max_tokens": 1})
    if isinstance(outcome, Failure) and outcome.http_status in REFUSES_FIELDS:
        outcome = await client.complete(endpoint, body)
    return outcome if isinstance(outcome, Failure) else None


def _pick(url: str, model: str | None, models: list[str]) -> str:
    listed = ", ".join(excerpt(name) for name in models[:8]) + (" …" if len(models) > 8 else "")
    if model is None:
        if len(models) == 1 and models[0].isprintable() and len(models[0]) <= LONGEST_NAME:
            return models[0]
        raise EndpointRefused(
            f"The endpoint at {url} lists {len(models)} models ({listed or 'none'}): choose one with --model."
        )
    if model not in models:
        raise EndpointRefused(
            f"The endpoint at {url} does not know the model {model!r}; it lists: {listed or 'none'}."
        )
    return model


def failed_check(url: str, failure: Failure) -> EndpointRefused | EndpointUnavailable:
    """The error of a check that met this failure."""
    if failure.heals and failure.http_status != 200:
        return EndpointUnavailable(
            f"The check of {url} failed: {failure.reason}. Nothing was made; start the endpoint and try again."
        )
    hint = "look at the URL (it usually ends in /v1), the model's name and the key"
    if failure.exhausted:
        hint = "pay for more, or ask another endpoint"
    return EndpointRefused(f"The check of {url} failed: {failure.reason}. Nothing was made; {hint}.")
