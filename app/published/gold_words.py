"""Gold in words: its values with their units, as pages and report cards show them. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MEASURES_OF_PLACES: Mapping[str, tuple[str, str]] = {
    "azimuth": ("direction", "°"),
    "distance": ("distance", " m"),
}
"""Types of answers that are right if they fit any of the places in gold: what is measured of a place, and its unit."""
OF_STATIONS = ("tier", "need_moves", "density")
"""Parts of gold about stations that are shown with them."""
TIERS: Mapping[str, str] = {"10": "within 10 km", "20": "within 20 km", "none": "beyond 20 km"}
"""How far away the first station is, by the name of its tier."""
KEPT = ("objects", "tolerated", "index", "text", "names")
"""Parts of gold that are shown in their own way."""


SEQUENCES: Mapping[str, str] = {"order": "Order", "route": "Way"}
"""Parts of gold that are names one after the other."""


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def number(value: float) -> str:
    """A number with at most four decimals, and thin groups of three."""
    shown = f"{value:,.4f}".rstrip("0").rstrip(".")
    return shown.replace(",", "\u202f")


def gold_values(gold: Mapping[str, Any], answer_type: str = "") -> list[tuple[str, str]]:
    """What gold says, beside objects: name and value with its unit; of objects, what `answer_type` asks of them."""
    shown: list[tuple[str, str]] = []
    if "names" in gold and "text" not in gold:  # of an option, names are parts of its text
        shown.append(("Name" if len(gold["names"]) == 1 else "Any of these names", " · ".join(gold["names"])))
    if "text" in gold:
        shown.append(("Option", str(gold["text"])))
    places = [one for one in gold.get("objects", []) if isinstance(one, dict) and "lat" in one]
    measure = MEASURES_OF_PLACES.get(answer_type)
    if measure and answer_type not in gold and any(answer_type in one for one in places):
        one_of, unit = measure
        each = [number(one[answer_type]) + unit for one in places if answer_type in one]
        shown.append((one_of.capitalize() if len(each) == 1 else f"Any of these {one_of}s", " · ".join(each)))
    elif places and not shown and len(gold.keys() - {"objects", "tolerated"}) == 0:
        label = "Place" if len(places) == 1 else "Any of these places"
        shown.append(
            (f"{label} (latitude, longitude)", " · ".join(f"{one['lat']}, {one['lon']}" for one in places))
        )
    stations = [one for one in gold.get("stations", []) if isinstance(one, dict) and "geodesic_m" in one]
    if stations:
        shown += _station_values(gold, stations)
    shown += [
        (label, " → ".join(gold[name])) for name, label in SEQUENCES.items() if _is_sequence(gold.get(name))
    ]
    units = {"azimuth": "°", "area": " m²", "distance": " m", "ground": " m", "length": " m", "sphere": " m"}
    labels = {"ground": "Distance on the ground (WGS84)", "sphere": "Distance on the mean sphere"}
    for name, value in gold.items():
        if name in KEPT or isinstance(value, list | dict) or (stations and name in OF_STATIONS):
            continue
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        said = number(value) + units.get(name, "") if is_number else str(value)
        shown.append((labels.get(name, name.replace("_", " ").capitalize()), said))
    return shown + _fact_values(gold.get("fact"))


def _station_values(
    gold: Mapping[str, Any], stations: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, str]]:
    """The stations of a key with distances in a straight line and times by car; then what is told of the first."""
    each = []
    for one in stations:
        said = f"{one.get('name') or one['osm_key']}, {number(one['geodesic_m'] / 1000)} km"
        drive = one.get("drive_s")
        each.append(said if drive is None else f"{said}, {number(round(drive / 60, 1))} min by car")
    yield "Station" if len(each) == 1 else "Any of these stations", " · ".join(each)
    if (tier := gold.get("tier")) is not None:
        yield "The first is", TIERS.get(tier, str(tier))
    if (moves := gold.get("need_moves")) is not None:
        yield "Moves of 5 km to see it", str(moves)
    if (cell := gold.get("density")) is not None:
        yield "Kind of cell around the user", str(cell)


def _fact_values(fact: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """A fact with who says so."""
    if not fact:
        return []
    said = " · ".join(fact["names"]) or f"{fact['value']} {fact['unit']}".strip()
    source = f"{fact['credit']} ({fact['licence']})"
    return [(fact["attribute"].replace("_", " ").capitalize(), said), ("As told by", source)]
