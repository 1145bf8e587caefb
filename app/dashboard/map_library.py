"""MapLibre GL JS, which draws maps that move: served from the installed package `maplibre`, which carries it.

The library usually starts its worker from a `blob:` address. Here the worker is a file of the server, so that the
policy of pages allows no such addresses.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, Request, Response

from app.api.caching import tagged
from app.core.errors import NotFound

router = APIRouter(include_in_schema=False)
PACKAGE = "maplibre"
SCRIPT, STYLE, WORKER = "maplibre-gl.js", "maplibre-gl.css", "worker.js"
TYPES: Mapping[str, str] = {SCRIPT: "text/javascript", STYLE: "text/css", WORKER: "text/javascript"}
PARTS = ('define("shared"', 'define("index"')
"""How the library's file begins the parts that its worker needs, and how it begins the part after them."""


@router.get("/static/maplibre/{name}")
def get_library(request: Request, name: str) -> Response:
    """The library, its style, or its worker."""
    if name not in TYPES:
        raise NotFound(f"There is no file {name[:60]!r} of the map library.")
    return tagged(request, read_library(name), TYPES[name], licensed=False)


@cache
def read_library(name: str) -> bytes:
    """A file of the library. Raises NotFound where the package is not installed."""
    if name == WORKER:
        return make_worker(read_library(SCRIPT).decode()).encode()
    return (_folder() / name).read_bytes()


def make_worker(script: str) -> str:
    """The worker of the library, made from the parts of its file that the library itself makes it from."""
    start, end = (script.index(part) for part in PARTS)
    return (
        "const parts = {};\nconst define = (name, _, make) => { parts[name] = make; };\n"
        f"{script[start:end]}\nconst shared = {{}};\nparts.shared(shared);\nparts.worker(shared);\n"
    )


def _folder() -> Path:
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise NotFound(f"The package {PACKAGE} is not installed; scripts/venv installs it.")
    return Path(found.origin).parent / "srcjs"
