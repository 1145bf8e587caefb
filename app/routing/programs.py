"""OSRM's programs: where they are, and of which version."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from app.core.settings import Settings

PROGRAMS = ("osrm-extract", "osrm-partition", "osrm-customize", "osrm-routed")
VERSION = "v26.10.0"
"""The version that the project was tested with; requirements/router.txt pins it."""
_LOOK_S = 20


def program_folder(settings: Settings) -> Path:
    """Where the programs are looked for: TRIGPOINT_OSRM_BIN, else where scripts/router puts them."""
    return settings.osrm_bin or Path(sys.prefix) / "osrm" / "osrm" / "bin"


def find_version(settings: Settings) -> str | None:
    """The version of the programs, None where one of them is missing or does not run here."""
    return _version_in(program_folder(settings))


@cache
def _version_in(folder: Path) -> str | None:
    if not all((folder / name).is_file() for name in PROGRAMS):
        return None
    try:
        said = subprocess.run(
            [folder / PROGRAMS[-1], "--version"], capture_output=True, text=True, timeout=_LOOK_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or None
