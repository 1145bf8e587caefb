"""`trigpoint scripted-endpoint`: serve an OpenAI-compatible endpoint that follows a policy and knows no gold."""

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import Annotated, TextIO

import typer

from app.cli.output import say
from app.core.errors import UsageError
from app.inference.scripted import POLICIES, ScriptedEndpoint, Written, read_written, serve


def scripted_endpoint(
    policy: Annotated[
        str, typer.Option(help="; ".join(f"{name}: {what}" for name, what in POLICIES.items()))
    ],
    port: Annotated[int, typer.Option(help="the port; 0 means a free port")] = 0,
    port_file: Annotated[Path | None, typer.Option(help="write the port in use to this file")] = None,
    log: Annotated[
        Path | None, typer.Option(help="append one JSON line for each request to this file")
    ] = None,
    delay: Annotated[float, typer.Option(help="seconds that `slow` needs for an answer", min=0)] = 1.0,
    retry_after: Annotated[float, typer.Option(help="the Retry-After of a 429, in seconds", min=0)] = 1.0,
    answers: Annotated[
        Path | None, typer.Option(help="a file of answers for `written`, one JSON object on each line")
    ] = None,
    host: Annotated[str, typer.Option()] = "127.0.0.1",
) -> None:
    """Serve scripted answers at /v1/chat/completions until stopped; boards call them scripted:POLICY."""
    if policy not in POLICIES:
        raise UsageError(f"There is no policy {policy!r}; there are: {', '.join(POLICIES)}.")
    if (policy == "written") != (answers is not None):
        raise UsageError(
            "Use --answers FILE only with the policy `written`, and this policy only with --answers."
        )
    written = _read(answers) if answers else []
    with contextlib.ExitStack() as stack:
        stream: TextIO | None = None
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            stream = stack.enter_context(log.open("a"))
        endpoint = ScriptedEndpoint(policy, stream, delay, retry_after, answers=written)
        asyncio.run(_serve(endpoint, host, port, port_file))


def _read(answers: Path) -> list[Written]:
    try:
        return read_written(answers.read_text().splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{answers} cannot be read: {error}") from error


async def _serve(endpoint: ScriptedEndpoint, host: str, port: int, port_file: Path | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        await serve(endpoint, host, port, port_file, stop)
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be listened at: {error.strerror or error}. Take another --port."
        ) from error
    say("The scripted endpoint has stopped.")
