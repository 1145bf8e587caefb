"""Where the files of routers lie, and the lock of each."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from app.core.settings import Settings


def router_root(settings: Settings) -> Path:
    """The folder of all routers of this database."""
    return settings.local_dir / "router" / (urlsplit(settings.database_url).path.strip("/") or "default")


def router_folder(settings: Settings, schema: str, mode: str) -> Path:
    """The folder of one router, be it there or not."""
    return router_root(settings) / schema / mode


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a router's lock: one process at a time builds it, starts it or removes it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
