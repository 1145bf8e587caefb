"""The description of REST, where many ask for it at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from fastapi import FastAPI

from app.api.openapi import describe

CLIENTS = 8


def test_clients_that_ask_at_once_share_one_description() -> None:
    app, made, together = FastAPI(), [], Barrier(CLIENTS)
    plain = app.openapi

    def counted() -> dict[str, Any]:
        made.append(1)
        return {**plain(), "components": {"schemas": {"HTTPValidationError": {}}}}

    app.openapi = counted  # type: ignore[method-assign]
    describe(app)

    def ask(_: int) -> dict[str, Any]:
        together.wait()
        return app.openapi()

    with ThreadPoolExecutor(CLIENTS) as clients:
        given = list(clients.map(ask, range(CLIENTS)))
    assert len(made) == 1
    assert all(one is given[0] for one in given)
    schemas = given[0]["components"]["schemas"]
    assert "Problem" in schemas
    assert "HTTPValidationError" not in schemas
