"""The options that say how an endpoint is asked, of `evaluate` and of `endpoint add`."""

from typing import Annotated

import typer

Concurrency = Annotated[
    int | None, typer.Option(min=1, help="largest number of calls in flight, for all workers together")
]
Timeout = Annotated[
    int | None,
    typer.Option(min=1, help="seconds to wait for an answer; by default as long as the endpoint needs"),
]
Tries = Annotated[
    int | None, typer.Option(min=1, help="how often a question is tried before it ends as an error")
]
KeyVariable = Annotated[str | None, typer.Option(help="environment variable that holds the key")]
