"""How many tokens a picture counts in a chat call, by its size and the detail that is asked for. Pure.

Source: OpenAI, Images and vision (platform.openai.com/docs/guides/images-vision, "Calculating costs"), for the models
that count tiles; Azure's documentation has the same numbers and says that pictures are only scaled down. Other servers
count otherwise: vLLM, llama.cpp and models that count patches mostly come to fewer than 2,000 tokens, too.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

BASE = 85
A_TILE = 170
TILE = 512
"""Pixels of a tile's side."""
LONGEST_SIDE = 2048
SHORTEST_SIDE = 768


class Size(NamedTuple):
    """Pixels of a picture."""

    width: int
    height: int


SizeOf = Callable[[str], Size | None]
"""The size of the picture of that SHA-256; None where it is not known yet."""


def picture_tokens(size: Size | None, detail: str | None) -> int:
    """The tokens of a picture: 85 in `low` detail, else 85 and 170 for each tile of 512 pixels that covers it.

    Before, it is scaled down so that it fits in a square of 2048 pixels and its shorter side has at most 768. `auto`,
    and no detail, are reckoned as `high`. A picture whose size is not known is reckoned with the most there can be.
    """
    if detail == "low":
        return BASE
    width, height = size or (LONGEST_SIDE, SHORTEST_SIDE)
    scale = min(1.0, LONGEST_SIDE / max(width, height), SHORTEST_SIDE / min(width, height))
    # Rounded first: 768 pixels that a division makes 768.0000001 are no further tile.
    across, down = (math.ceil(round(side * scale, 3) / TILE) for side in (width, height))
    return BASE + A_TILE * across * down


def unknown_size(sha256: str) -> Size | None:
    """Knows the size of no picture."""
    return None
