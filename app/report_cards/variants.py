"""Variants of an entry: its questions asked again, in another form or as fresh twins, beside the entry's own run. Pure.

Overall figures never count them. The key of a variant is that of its entry, a colon, and its name; no key of a suite
has a colon.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from app.questions.text_forms import TextForm

Form = Literal["paraphrase", "order", "units", "coordinates"]
Variant = Literal[Form, "fresh"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
FRESH: Final = "fresh"
VARIANTS: Final[tuple[Variant, ...]] = (*FORMS, FRESH)
TEXT_FORMS: Mapping[str, TextForm] = MappingProxyType(
    {
        "paraphrase": TextForm(phrasing=1),
        "units": TextForm(lengths="feet"),
        "coordinates": TextForm(points="minutes"),
    }
)
"""How the texts of a form are made; `order` asks the same texts with the options in every order."""
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "paraphrase": "In other words",
        "order": "Options in every order",
        "units": "Lengths in feet",
        "coordinates": "Coordinates in minutes and seconds",
    }
)
"""What readers call the forms."""


def key_of_variant(entry: str, variant: Variant) -> str:
    """The key of a variant of the entry."""
    return f"{entry}:{variant}"


def read_key(key: str) -> tuple[str, Variant | None]:
    """The key of the entry, and the name of the variant; None for the entry itself."""
    entry, _, name = key.partition(":")
    return entry, next((one for one in VARIANTS if one == name), None)
