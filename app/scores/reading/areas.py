"""Areas: answer text → square metres; hectares, square kilometres, acres, square feet and miles are converted."""

import re

from app.scores.reading.quantities import Units, read_quantity, unit_sizes
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_SQUARE = r"(?:square|sq\.?)[ -]?"
_AREAS = Units(
    unit_sizes(
        (rf"m\^?2|{_SQUARE}m(?:et(?:er|re)s?)?|met(?:er|re)s? squared|sqm", 1.0),
        (r"ha|hectares?", 1e4),
        (rf"km\^?2|{_SQUARE}k(?:m|ilomet(?:er|re)s?)|kilomet(?:er|re)s? squared|sqkm", 1e6),
        (r"acres?", 4046.8564224),
        (rf"ft\^?2|{_SQUARE}f(?:t|eet|oot)|sqft", 0.09290304),
        (rf"mi\^?2|{_SQUARE}mi(?:les?)?", 2589988.110336),
    ),
    re.compile(r"\s?(?:m|km|ft|mi|%|°|(?:kilo)?met(?:er|re)s?|degrees?|percent|miles?|feet)(?!\w)", re.I),
    "areas",
    ("area", "answer"),
)


@remembered
def read_area(answer: str) -> Reading[float]:
    """Square metres, as `read_quantity` finds them; a number without a unit means square metres."""
    return read_quantity(answer, _AREAS)
