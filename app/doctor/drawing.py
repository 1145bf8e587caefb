"""Doctor: mapnik and its fonts, which draw maps."""

from collections.abc import Iterator

from app.core.settings import Settings
from app.doctor.registry import Report, check, ok, remedy, warn
from app.drawing.engine import VERSION, find_version, say_what_is_missing


@check(
    "drawing",
    remedy(
        "Run `scripts/visual`: it installs mapnik and the fonts.",
        f"Install mapnik=={VERSION} by pip, and Debian's packages fonts-noto-core and fonts-noto-cjk.",
    ),
)
def check_drawing(_: Settings) -> Iterator[Report]:
    """mapnik is there with all fonts, in the version that was tested; or not at all, as it is optional."""
    version, lack = find_version(), say_what_is_missing()
    if version is None:
        yield ok("mapnik is not installed: it is optional, and only draws maps")
    elif lack:
        yield warn(lack)
    elif version != VERSION:
        yield warn(f"mapnik is {version}, tested with {VERSION}: pictures may differ by a few pixels")
    else:
        yield ok(f"mapnik {version} with all fonts")
