"""The real service on a free port, for tests of REST and pages."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from app.api.main import create_app
from app.cli.serve import listen
from app.core.settings import PROJECT_ROOT, Settings


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """The address of a uvicorn that serves `settings`' database; it stops with the block."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive(), "the server did not stop"


def trigpoint(settings: Settings, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the real program against `settings`' database."""
    return subprocess.run(
        [sys.executable, "-c", "from app.cli.main import main; main()", *arguments],
        cwd=PROJECT_ROOT,
        env={**os.environ, "TRIGPOINT_DATABASE_URL": settings.database_url, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
