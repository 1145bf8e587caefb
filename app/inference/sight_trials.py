"""Finds out whether an endpoint sees pictures: it is asked twice what a picture shows, each time another one.

The words are the same both times. An endpoint that takes pictures and does not look at them cannot be right twice.
"""

import base64
import re
import struct
import zlib
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from app.inference.abilities import PICTURES, Finding
from app.inference.outcomes import Reply
from app.inference.trials import Trials, text_of

WORDS = (
    "The picture shows a white digit on a ground of one colour. Answer with the colour of the ground and the digit "
    "alone, such as: yellow 0"
)
DOT = 24
"""Pixels of a dot of which digits are made."""
BLIND = "It takes pictures, but does not say what they show."
_DOTS = {
    "2": ("01110", "10001", "00001", "00110", "01000", "10000", "11111"),
    "4": ("00010", "00110", "01010", "10010", "11111", "00010", "00010"),
}
"""Digits in five columns and seven rows."""


class Shown(NamedTuple):
    """What a picture shows."""

    colour: str
    rgb: tuple[int, int, int]
    digit: str


SHOWN = (Shown("red", (200, 0, 0), "4"), Shown("blue", (0, 0, 200), "2"))


def picture_of(shown: Shown) -> bytes:
    """A PNG file of 216 by 264 pixels: the digit in white, with two dots of ground around it."""
    rows = ["0" * 9] * 2 + [f"00{row}00" for row in _DOTS[shown.digit]] + ["0" * 9] * 2
    ground, white = bytes(shown.rgb), b"\xff\xff\xff"
    lines = (b"".join((white if dot == "1" else ground) * DOT for dot in row) for row in rows)
    # Each line begins with the number of its filter: none.
    return _png(len(rows[0]) * DOT, len(rows) * DOT, ((b"\0" + line) * DOT for line in lines))


def _png(width: int, height: int, lines: Iterable[bytes]) -> bytes:
    """A PNG file of 8 bits a colour (ISO/IEC 15948, 11.2): header, pixels, end, each with its checksum."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    made = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        made += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return made


async def try_sight(trials: Trials, found: dict[str, Finding]) -> None:
    """Note in `found` whether the endpoint says of both pictures what they show. Raises Unanswered."""
    for shown in SHOWN:
        url = f"data:image/png;base64,{base64.b64encode(picture_of(shown)).decode()}"
        content: list[dict[str, Any]] = [
            {"type": "text", "text": WORDS},
            {"type": "image_url", "image_url": {"url": url}},
        ]
        found[PICTURES], _ = await trials.judge("pictures", partial(_says, shown), content)
        if found[PICTURES].found != "yes":
            return


def _says(shown: Shown, reply: Reply) -> Finding:
    said = text_of(reply).casefold()
    is_right = shown.colour in said and set(re.findall(r"\d", said)) == {shown.digit}
    return Finding("yes") if is_right else Finding("no", BLIND)
