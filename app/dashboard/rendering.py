"""How every page is made: templates with escaping, what all share, and the headers of a page."""

from pathlib import Path
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.core.words import in_page
from app.dashboard import wording
from app.leaderboard import formatting
from app.leaderboard.board import ATTRIBUTION, LICENCE_URL
from app.published.map_drawing import MAP_PARTS
from app.published.read_as import say_read

HERE = Path(__file__).parent
STATIC = HERE / "static"

_environment = Environment(
    loader=FileSystemLoader([HERE / "templates", MAP_PARTS]),
    autoescape=True,
    finalize=in_page,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals["words"] = formatting
_environment.globals["say"] = wording
_environment.globals["say_read"] = say_read


def render(name: str, **values: Any) -> str:
    """A template of `templates/` as HTML; every value is escaped, and none turns the text around it about."""
    return _environment.get_template(name).render(
        **{"attribution": ATTRIBUTION, "licence_url": LICENCE_URL, **values}
    )


def page(name: str, **values: Any) -> HTMLResponse:
    """A template as the answer to a request."""
    return HTMLResponse(render(name, **values), headers={"Cache-Control": "no-cache"})
