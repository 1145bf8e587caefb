"""Doctor: this machine. Reads the interpreter, installed packages, requirements/core.txt, disks and the HTTP port."""

import re
import shutil
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from app.core.settings import IS_CHECKOUT, PROJECT_ROOT, Settings
from app.doctor.registry import Report, check, fail, ok, remedy, warn

OLDEST_PYTHON = (3, 11)
LOCK = PROJECT_ROOT / "requirements" / "core.txt"
LEAST_FREE_MB, ENOUGH_FREE_MB = 500, 2000
_NAME = re.compile(r"^[A-Za-z0-9._-]+")
_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^ ;\\]+)(?P<marker> *;)?", re.MULTILINE
)


@check("python", "Install Python 3.11 or newer, and Trigpoint with it.")
def check_python(settings: Settings) -> Iterator[Report]:
    """The interpreter is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield fail(f"Python {version} is too old")
    else:
        yield ok(f"Python {version}")


def read_pins(lock: Path) -> dict[str, tuple[set[str], bool]]:
    """Each package of a lock file: its versions (one a platform), and whether every platform needs it."""
    pins: dict[str, tuple[set[str], bool]] = {}
    for pin in _PIN.finditer(lock.read_text()):
        versions, always = pins.get(pin["name"], (set(), False))
        pins[pin["name"]] = (versions | {pin["version"]}, always or pin["marker"] is None)
    return pins


def compare_pins(pins: Mapping[str, tuple[set[str], bool]], installed: Mapping[str, str]) -> list[str]:
    """What differs between pins and installed versions, one phrase a package, in order of names."""
    phrases = []
    for name, (versions, always) in sorted(pins.items()):
        there = installed.get(name)
        if there is None and always:
            phrases.append(f"{name} is missing")
        elif there is not None and there not in versions:
            phrases.append(f"{name} is {there}, pinned {' or '.join(sorted(versions))}")
    return phrases


@check(
    "libraries",
    remedy("Run `make up`: it installs the pinned versions.", "Install Trigpoint again with pip."),
)
def check_libraries(settings: Settings) -> Iterator[Report]:
    """Installed packages are the pinned ones; outside a checkout, where nothing is pinned, those that are needed."""
    if not IS_CHECKOUT:
        yield from _report_needed()
        return
    if not LOCK.is_file():
        yield warn(f"there is no {LOCK} to compare with")
        return
    pins = read_pins(LOCK)
    installed = {_normalised(one.metadata["Name"]): one.version for one in metadata.distributions()}
    differing = compare_pins(pins, installed)
    yield (
        fail("; ".join(differing)) if differing else ok(f"{len(pins)} packages are at their pinned versions")
    )


def _report_needed() -> Iterator[Report]:
    """Whether the packages are there that Trigpoint's own package asks for."""
    needed = [_NAME.findall(one)[0] for one in metadata.requires("trigpoint") or () if "extra ==" not in one]
    installed = {_normalised(one.metadata["Name"]) for one in metadata.distributions()}
    missing = sorted(name for name in needed if _normalised(name) not in installed)
    yield (
        fail(f"missing: {', '.join(missing)}")
        if missing
        else ok(f"{len(needed)} needed packages are installed")
    )


def _normalised(name: str) -> str:
    """A package's name in the one form that PEP 503 gives it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@check(
    "disk",
    "Free some space; `trigpoint snapshots` shows what maps are kept, `trigpoint snapshot drop N` removes one.",
)
def check_disk(settings: Settings) -> Iterator[Report]:
    """Enough space is left where downloads, logs and, on this machine, the database lie."""
    for label, path in {"downloads": settings.local_dir, "database": settings.local_dir / "postgres"}.items():
        if not path.exists():
            continue
        free = shutil.disk_usage(path.resolve()).free // 2**20
        said = f"{free:,} MB are free for the {label}"
        yield fail(said) if free < LEAST_FREE_MB else warn(said) if free < ENOUGH_FREE_MB else ok(said)


@check("http port", "Set TRIGPOINT_HTTP_PORT to a free port, or stop the program that holds it.")
def check_http_port(settings: Settings) -> Iterator[Report]:
    """The port of `trigpoint serve` is free, or held by Trigpoint itself."""
    host, port = settings.http_host, settings.http_port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if serves_trigpoint(host, port):
                yield ok(f"Trigpoint serves on {host}:{port}")
            else:
                yield fail(f"{host}:{port} cannot be listened on: {error.strerror}")
            return
    yield ok(f"{host}:{port} is free for `trigpoint serve`")


def serves_trigpoint(host: str, port: int) -> bool:
    """Whether the program that listens there describes itself as Trigpoint."""
    address = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - compared, not listened on
    try:
        with urllib.request.urlopen(f"http://{address}:{port}/v1/openapi.json", timeout=3) as answer:
            return b"rigpoint" in answer.read(20_000)
    except (OSError, urllib.error.URLError, ValueError):
        return False
