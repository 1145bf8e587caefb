"""PostgreSQL's own programs: which there are, what they need to log in, and what they said when they failed."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import IO

from sqlalchemy import make_url

from app.core.errors import SettingsError
from app.core.settings import Role, Settings

NEEDED = ("pg_dump", "pg_restore", "psql")
DEBIAN = Path("/usr/lib/postgresql")


def find_programs(settings: Settings, major: int) -> Path:
    """The folder of pg_dump, pg_restore and psql that fit a server of this major version best: not older, else nearest.

    Raises SettingsError where there is none, saying what to install.
    """
    if settings.pg_bin is not None:
        folders = [settings.pg_bin]
    else:
        # Debian's versioned folders come first: what is on PATH there is a wrapper.
        on_path = shutil.which("pg_dump")
        folders = [*DEBIAN.glob("*/bin"), *([Path(on_path).parent] if on_path else [])]
    found = {
        folder: _major(folder)
        for folder in folders
        if all(shutil.which(name, path=folder) for name in NEEDED)
    }
    fitting = [
        (there, order, folder) for order, (folder, there) in enumerate(found.items()) if there >= major
    ]
    if fitting:
        return min(fitting)[2]
    seen = ", ".join(f"{folder} has version {there}" for folder, there in found.items()) or "none was found"
    raise SettingsError(
        f"The server is PostgreSQL {major}, and pg_dump, pg_restore and psql of version {major} or newer are needed "
        f"here ({seen}). Install them (Debian: apt-get install postgresql-client-{major}), or name their folder: "
        "TRIGPOINT_PG_BIN=/path/to/bin."
    )


def _major(folder: Path) -> int:
    said = subprocess.run(
        [folder / "pg_dump", "--version"], capture_output=True, text=True, check=False
    ).stdout
    number = re.search(r"\d+", said)
    return int(number[0]) if number else 0


def login(settings: Settings) -> dict[str, str]:
    """The environment in which such a program logs in as the owner; the password stands nowhere else."""
    url = make_url(settings.role_url(Role.OWNER))
    return {
        **os.environ,
        "PGHOST": url.host or "",
        "PGPORT": str(url.port),
        "PGDATABASE": url.database or "",
        "PGUSER": url.username or "",
        "PGPASSWORD": str(url.password or ""),
        "PGCONNECT_TIMEOUT": "10",
        "PGCLIENTENCODING": "UTF8",
        "PGOPTIONS": "",
        "LC_ALL": "C",
    }


def first_error(said: IO[bytes]) -> str:
    """The first line of a program's stderr that tells an error; never the lines after it, which may hold rows."""
    said.seek(0)
    lines = said.read(100_000).decode(errors="replace").splitlines()
    told = next((line for line in lines if re.search(r"\b(error|fatal):", line, re.IGNORECASE)), None)
    return (told or next(iter(lines), "no reason given")).strip().rstrip(".")
