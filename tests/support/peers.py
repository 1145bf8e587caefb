"""Programs of others, in the environment that scripts/peers makes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import PROJECT_ROOT
from perf.runs_peers import ENVIRONMENT


def find_peers() -> Path:
    """The environment; it may lack only where real extracts do."""
    if not (ENVIRONMENT / "bin" / "python").is_file():
        absent = f"{ENVIRONMENT} is absent: scripts/peers makes it"
        if (PROJECT_ROOT.parent / "shared").is_dir():
            pytest.fail(absent)
        pytest.skip(absent)
    return ENVIRONMENT


def ask_peer(program: str, *arguments: str) -> Any:
    """The JSON that a Python program prints as its last line in that environment."""
    command = [str(find_peers() / "bin" / "python"), "-W", "ignore", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
