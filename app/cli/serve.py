"""`trigpoint serve`: REST and the pages, until it is stopped."""

import errno
import socket
from typing import Annotated

import typer

from app.cli.output import say
from app.core.errors import Held, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import check_alive


def serve(
    host: Annotated[str | None, typer.Option(help="address to listen on (TRIGPOINT_HTTP_HOST)")] = None,
    port: Annotated[int | None, typer.Option(help="port; 0 means a free port (TRIGPOINT_HTTP_PORT)")] = None,
) -> None:
    """Serve REST and the pages."""
    # Here and not above: the web framework takes half a second to import, and every command imports this module.
    import uvicorn

    from app.api.main import create_app
    from app.api.serving import server_config

    settings = Settings.load()
    with connect(settings, Role.API) as connection:
        check_alive(connection)
    listener = listen(host or settings.http_host, settings.http_port if port is None else port)
    address, taken = listener.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    say(f"Trigpoint is at http://{shown}:{taken}/ (REST at /v1, Ctrl-C stops it)")
    with listener:
        uvicorn.Server(server_config(create_app(settings))).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; raises Held for a port that is taken, UsageError for an address that is not ours."""
    if not 0 <= port <= 65535:
        raise UsageError(f"{port} is not a port: ports go from 0 to 65535.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except socket.gaierror as error:
        raise UsageError(f"{host!r} is not an address of this machine: {error.strerror}.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Held(
                f"Port {port} at {host} is taken by another process; stop it, or choose another with --port."
            ) from error
        raise UsageError(f"Cannot listen at {host}:{port}: {error.strerror}.") from error
    listener.listen(128)
    return listener
