"""Other forms of the texts of the same questions: another phrasing, another unit, other coordinates.

A version whose recipe names a form asks what the version without it asks, by the same ids, with the same gold; so that
runs on both tell how much the form of a text does (`trigpoint robustness`). Pure.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from app.core.errors import UsageError

Lengths = Literal["usual", "metres", "feet"]
Points = Literal["decimal", "minutes"]
LENGTHS: Final = get_args(Lengths)
POINTS: Final = get_args(Points)
FOOT_M: Final = 0.3048
"""The international foot, exactly (Federal Register 24, 5348, 1959)."""
MOST_PHRASINGS: Final = 99


@dataclass(frozen=True)
class TextForm:
    """In which form texts are. `phrasing`: how far each question goes on in its template's phrasings, in a circle."""

    phrasing: int = 0
    lengths: Lengths = "usual"
    points: Points = "decimal"

    def as_json(self) -> dict[str, Any]:
        """As recipes store it: what is not usual; empty for the usual form."""
        return {name: value for name, value in vars(self).items() if value != getattr(USUAL_FORM, name)}


USUAL_FORM: Final = TextForm()


def read_text_form(phrasing: int, lengths: str, points: str) -> TextForm:
    """The form that is asked for. Raises UsageError for one that there is not."""
    if not 0 <= phrasing <= MOST_PHRASINGS:
        raise UsageError(f"--phrasing {phrasing}: it is a number from 0 to {MOST_PHRASINGS}.")
    if lengths not in LENGTHS:
        raise UsageError(f"--lengths {lengths!r}: there are {', '.join(LENGTHS)}.")
    if points not in POINTS:
        raise UsageError(f"--points {points!r}: there are {', '.join(POINTS)}.")
    return TextForm(phrasing, lengths, points)  # type: ignore[arg-type]


def length_in_words(metres: float, lengths: Lengths = "usual") -> str:
    """`450 m` and `1.2 km`; `450 metres` and `1,200 metres`; `1,476.38 feet`, which is right to 2 mm."""
    if lengths == "metres":
        return f"{metres:,.0f} metres"
    if lengths == "feet":
        return f"{metres / FOOT_M:,.2f} feet"
    return f"{metres:.0f} m" if metres < 1000 else f"{metres / 1000:g} km"


def point_in_words(lon: float, lat: float, points: Points = "decimal") -> str:
    """`latitude 47.141230, longitude 9.520120`, to a tenth of a metre; in minutes and seconds, to 2 cm."""
    if points == "minutes":
        return f"{_in_minutes(lat, 'NS')}, {_in_minutes(lon, 'EW')}"
    return f"latitude {lat:.6f}, longitude {lon:.6f}"


def lon_lat_in_words(lon: str, lat: str, points: Points = "decimal") -> str:
    """What stands in the brackets of `longitude, latitude (…)`: the decimals as they are stored, or minutes."""
    if points == "minutes":
        return f"{_in_minutes(float(lon), 'EW')}, {_in_minutes(float(lat), 'NS')}"
    return f"{lon}, {lat}"


def _in_minutes(degrees: float, sides: str) -> str:
    """Degrees, minutes, seconds with three decimals, the letter of the side. The whole is rounded: 60 never appears."""
    thousandths = round(abs(degrees) * 3_600_000)
    minutes, left = divmod(thousandths, 60_000)
    return f"{minutes // 60}°{minutes % 60:02d}'{left / 1000:06.3f}\"{sides[degrees < 0]}"
