"""What a model that sees says of the pictures by which endpoints are tried, read from their pixels."""

import base64
import io
from typing import Any

from PIL import Image

from app.inference.sight_trials import DOT, WORDS

COLOURS: dict[Any, str] = {(200, 0, 0): "red", (0, 0, 200): "blue"}
DIGITS = {"00010": "4", "01110": "2"}
"""By the dots of their first row."""


def is_sight_trial(body: dict[str, Any]) -> bool:
    """Whether a chat call asks what such a picture shows."""
    content = body["messages"][0]["content"]
    return isinstance(content, list) and content[0]["text"] == WORDS


def look(body: dict[str, Any]) -> str:
    """What is seen in the picture of a chat call: the colour of its corner, and the digit."""
    url = body["messages"][0]["content"][1]["image_url"]["url"]
    picture = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    dots = [picture.getpixel((DOT * (2 + column) + 12, DOT * 2 + 12)) for column in range(5)]
    lit = "".join("1" if dot == (255, 255, 255) else "0" for dot in dots)
    return f"The ground is {COLOURS[picture.getpixel((0, 0))]}, the digit is {DIGITS[lit]}."
