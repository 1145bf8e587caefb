"""Benchmarks: `trigpoint serve` as a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import ServiceUnavailable

TRIGPOINT = str(Path(sys.executable).with_name("trigpoint"))


@dataclass(frozen=True)
class Server:
    """A running `trigpoint serve`."""

    pid: int
    host: str
    port: int

    @property
    def address(self) -> str:
        """What its addresses begin with."""
        return f"http://{self.host}:{self.port}"


@contextmanager
def serving(environment: Mapping[str, str]) -> Iterator[Server]:
    """A server of its own process. Raises ServiceUnavailable where it does not start."""
    command = [TRIGPOINT, "serve", "--port", "0"]
    quiet = {**environment, "TRIGPOINT_LOG_LEVEL": "warning"}
    process = subprocess.Popen(command, env=quiet, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        found = re.search(r"http://([\d.]+):(\d+)/", said)
        if found is None:
            raise ServiceUnavailable(f"trigpoint serve did not start: {said.strip()}")
        yield Server(process.pid, found[1], int(found[2]))
    finally:
        process.terminate()
        process.wait()
