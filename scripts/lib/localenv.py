"""Set-up stage: the file .local/env with addresses and passwords of the private services, mode 0600.

Reads and writes that file only. Invariant: a password is drawn once and then kept; lines somebody added are kept.
usage: localenv.py [PORT]     prints PORT if it is free, else another port that is
"""

import os
import secrets
import socket
import sys
import zlib
from pathlib import Path

ROLES = ("owner", "worker", "maintainer", "api", "reader", "dashboard")
FIRST_PORT, PORTS = 20000, 8000  # below the range from which systems pick ports of outgoing connections


def read(path: Path) -> dict[str, str]:
    """The KEY=value lines of the file, in order; empty when there is none."""
    if not path.exists():
        return {}
    lines = (line.strip() for line in path.read_text().splitlines())
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def write(path: Path, values: dict[str, str]) -> None:
    """Replaces the file in one step; only its owner may read it."""
    text = "".join(f"{key}={value}\n" for key, value in values.items())
    if path.exists() and path.read_text() == text:
        return
    fresh = path.with_name(path.name + ".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
        handle.write(text)
    fresh.replace(path)


def draw_passwords(values: dict[str, str]) -> None:
    """Adds the missing passwords: superuser, the six roles, sandbox, Redis. Hexadecimal, so no quoting is needed."""
    for name in ("superuser", *ROLES, "sandbox", "sandbox_superuser", "redis"):
        values.setdefault(f"TRIGPOINT_PASSWORD_{name.upper()}", secrets.token_hex(20))


def set_addresses(values: dict[str, str], postgres_port: int, redis_port: int, http_port: int) -> None:
    """Writes the URLs that follow from the ports and passwords."""
    superuser, redis = values["TRIGPOINT_PASSWORD_SUPERUSER"], values["TRIGPOINT_PASSWORD_REDIS"]
    values["TRIGPOINT_DATABASE_URL"] = f"postgresql://127.0.0.1:{postgres_port}/trigpoint"
    values["TRIGPOINT_SUPERUSER_URL"] = (
        f"postgresql://postgres:{superuser}@127.0.0.1:{postgres_port}/postgres"
    )
    values["TRIGPOINT_REDIS_URL"] = f"redis://:{redis}@127.0.0.1:{redis_port}/0"
    values.setdefault("TRIGPOINT_HTTP_HOST", "127.0.0.1")
    values["TRIGPOINT_HTTP_PORT"] = str(http_port)


def set_sandbox_address(values: dict[str, str], port: int) -> None:
    """Writes the URLs of the sandbox server, which follow from its port and password."""
    superuser = values["TRIGPOINT_PASSWORD_SANDBOX_SUPERUSER"]
    values["TRIGPOINT_SANDBOX_URL"] = f"postgresql://127.0.0.1:{port}"
    values["TRIGPOINT_SANDBOX_SUPERUSER_URL"] = f"postgresql://postgres:{superuser}@127.0.0.1:{port}/postgres"


def port_of(url: str) -> int:
    """The port in a URL; 0 when there is none."""
    digits = url.rpartition(":")[2].partition("/")[0]
    return int(digits) if digits.isdigit() else 0


def is_free(port: int) -> bool:
    """Whether this port of 127.0.0.1 can be listened on now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port(checkout: Path, taken: set[int]) -> int:
    """A free port, the same for the same checkout as long as nobody else takes it."""
    start = zlib.crc32(os.fsencode(checkout)) % PORTS
    for step in range(PORTS):
        port = FIRST_PORT + (start + step) % PORTS
        if port not in taken and is_free(port):
            return port
    raise OSError(f"none of the ports {FIRST_PORT} to {FIRST_PORT + PORTS - 1} of 127.0.0.1 is free")


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 0
    free = wanted if wanted and is_free(wanted) else free_port(Path(__file__).resolve().parents[2], set())
    sys.stdout.write(f"{free}\n")
