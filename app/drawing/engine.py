"""mapnik and its fonts: whether they are there, of which versions, and what differs from those of an older picture."""

import platform
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import shapely

from app.core.errors import UsageError
from app.drawing.fonts import find_font_files, hash_fonts, missing_fonts

VERSION = "4.3.2"
"""The version of mapnik that the project was tested with; requirements/visual.txt pins it."""
PARTS = ("style", "mapnik", "geos", "zlib", "machine")
"""What a picture's bytes depend on besides fonts; mapnik is built anew for each kind of machine."""
STYLE = 1
"""Raised with every change of style, placement or record that changes a picture."""
INSTALL = "In a checkout, `scripts/visual` installs both; docs/drawing.md says how to install them elsewhere."


def find_version() -> str | None:
    """The version of mapnik, None where it is not installed."""
    try:
        return version("mapnik")
    except PackageNotFoundError:
        return None


def say_what_is_missing() -> str | None:
    """A sentence about what a picture needs and this machine lacks; None where all is there."""
    if find_version() is None:
        return "Maps cannot be drawn here: the Python package mapnik is not installed."
    lost = missing_fonts()
    if lost:
        return (
            f"Maps cannot be drawn here: {len(lost)} font files are missing, such as {lost[0]}. "
            "Debian's packages fonts-noto-core and fonts-noto-cjk bring them."
        )
    return None


@cache
def load_mapnik() -> Any:
    """The module, with all fonts known to it. Raises UsageError where it, or a font, is not installed."""
    lack = say_what_is_missing()
    if lack:
        raise UsageError(f"{lack} {INSTALL}")
    import mapnik

    for _, path in sorted(find_font_files().items()):
        mapnik.FontEngine.register_font(str(path))
    return mapnik


def engine_versions() -> dict[str, Any]:
    """What a picture's bytes depend on besides the map and the frame, for a recipe; raises as `load_mapnik`."""
    load_mapnik()
    return {
        "style": STYLE,
        "mapnik": find_version(),
        "geos": shapely.geos_version_string,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "machine": platform.machine(),
        "fonts": hash_fonts(),
    }


def differing_versions(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """By name what differs between two `engine_versions`, each as a clause; empty where pictures come out equal."""
    return [*_differences(then, now)]


def _differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in PARTS:
        if then.get(name) != now.get(name):
            yield f"{name} was {then.get(name)} and is {now.get(name)}"
    fonts, here = then.get("fonts", {}), now.get("fonts", {})
    for file in sorted({*fonts, *here}):
        if file not in here:
            yield f"the font {file} is missing"
        elif file not in fonts:
            yield f"the font {file} was not used"
        elif fonts[file] != here[file]:
            yield f"the font {file} is another file"
