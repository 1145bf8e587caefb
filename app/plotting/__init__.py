"""Pictures for papers and cards as SVG and PNG: boards, heat maps, radars, errors, templates.

They show what boards and cards say, and the same gives the same bytes. Only `trigpoint plot`, and exports with a card,
load matplotlib: it takes half a second.
"""

import os
from pathlib import Path


def keep_fonts_in(folder: Path) -> None:
    """Have matplotlib, which is not loaded yet, keep what it found of fonts here; it would ask for the user's home."""
    os.environ.setdefault("MPLCONFIGDIR", str(folder / "matplotlib"))
