"""The page of a card: one HTML file that asks for nothing from outside and runs no script. Pure.

All that models and maps say is escaped, and what it hides is written out (`app.core.words`). The file holds no clock.
"""

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.core.words import in_page
from app.leaderboard import numbers
from app.published.map_drawing import MAP_PARTS, picture_of
from app.report_cards import words
from app.report_cards.curves import draw_curves
from app.report_cards.models import CardContent, Example
from app.report_cards.radar import draw_radar

HERE = Path(__file__).parent
STYLE = (HERE / "templates" / "card.css").read_text(encoding="utf-8")
CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What the page may load: its own style, by its hash, and nothing else."""

_environment = Environment(
    loader=FileSystemLoader([HERE / "templates", MAP_PARTS]),
    autoescape=True,
    finalize=in_page,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals["numbers"] = numbers
_environment.globals["words"] = words


def render_card(card: CardContent) -> str:
    """The card as HTML."""
    first = next((one.name for one in card.comparisons), None)
    beside = next((one for one in card.references if one.calls_model and one.name == first), None)
    return _environment.get_template("card.html").render(
        card=card,
        policy=CONTENT_POLICY,
        style=STYLE,
        radar=draw_radar(card.skills, beside.skills if beside else {}),
        beside=first if beside else None,
        curves=draw_curves(card.dials),
        pictures=[_picture(one) for one in card.examples],
    )


def _picture(example: Example) -> object | None:
    return None if example.map is None else picture_of(example.map, example.binds)
