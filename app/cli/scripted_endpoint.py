"""`trigpoint scripted-endpoint`: serve an OpenAI-compatible endpoint that follows a policy and knows no gold."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated, TextIO

import typer

from app.cli.output import say
from app.core.errors import UsageError
from app.inference.scripted import POLICIES, ScriptedEndpoint, serve


def scripted_endpoint(
    policy: Annotated[
        str, typer.Option(help="; ".join(f"{name}: {what}" for name, what in POLICIES.items()))
    ],
    port: Annotated[int, typer.Option(help="0 takes a free one")] = 0,
    port_file: Annotated[Path | None, typer.Option(help="where the port in use is written")] = None,
    log: Annotated[Path | None, typer.Option(help="one JSON line a request is appended here")] = None,
    delay: Annotated[float, typer.Option(help="seconds that `slow` takes", min=0)] = 1.0,
    retry_after: Annotated[float, typer.Option(help="seconds that 429 asks to wait", min=0)] = 1.0,
    host: Annotated[str, typer.Option()] = "127.0.0.1",
) -> None:
    """Serve scripted answers at /v1/chat/completions until stopped; boards call them scripted:POLICY."""
    if policy not in POLICIES:
        raise UsageError(f"There is no policy {policy!r}; there are: {', '.join(POLICIES)}.")
    if log is None:
        asyncio.run(_serve(ScriptedEndpoint(policy, None, delay, retry_after), host, port, port_file))
        return
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as stream:
        asyncio.run(_serve(_with_log(policy, stream, delay, retry_after), host, port, port_file))


def _with_log(policy: str, stream: TextIO, delay: float, retry_after: float) -> ScriptedEndpoint:
    return ScriptedEndpoint(policy, stream, delay, retry_after)


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
