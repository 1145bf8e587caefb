"""Lengths and distances: answer text → metres; kilometres, miles, yards and feet are converted."""

import re

from app.scores.reading.quantities import Units, read_quantity, unit_sizes
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_NOT_SQUARED = r"(?!\s+squared)"
_LENGTHS = Units(
    unit_sizes(
        (rf"m|met(?:er|re)s?{_NOT_SQUARED}", 1.0),
        (rf"km|kilomet(?:er|re)s?{_NOT_SQUARED}", 1000.0),
        (r"(?:nautical miles?|nmi)", 1852.0),
        (r"mi|miles?", 1609.344),
        (r"yards?|yds?", 0.9144),
        (r"ft|feet|foot", 0.3048),
        (r"cm|centimet(?:er|re)s?", 0.01),
    ),
    re.compile(
        r"\s?-?(?:%|°|deg(?:rees?)?|percent|min(?:ute)?s?|hours?|hectares?|ha|acres?|(?:k?m|ft|mi)\^?2"
        r"|(?:kilo)?met(?:er|re)s? squared|(?:square|sq)\b.*)(?!\w)",
        re.IGNORECASE,
    ),
    "lengths",
    ("distance", "length", "answer"),
)


@remembered
def read_length(answer: str) -> Reading[float]:
    """Metres, as `read_quantity` finds them; a number without a unit means metres."""
    return read_quantity(answer, _LENGTHS)
