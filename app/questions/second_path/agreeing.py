"""Second path: whether stored gold and the second path's answer agree, in sentences that say what differs.

Ids, counts, names and options must be equal; distances agree to 1 mm and 1e-7 of themselves, azimuths to
1e-6 degrees around the circle, lengths and areas to 1e-6 of themselves (and 1 mm; or 1 cm2), times of drives to 1 s
and 2 %.
Gold may hold nothing that is not proved here.
"""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.questions.second_path.answering import VALUE, SecondAnswer
from app.questions.second_path.geodesy import circular_difference

DISTANCE_METRES = 1e-3
DISTANCE_SHARE = 1e-7
AZIMUTH_DEGREES = 1e-6
AREA_SHARE = 1e-6
LENGTH_SHARE = 1e-6
AREA_SQUARE_METRES = 1e-4
"""Geodesic areas are round to about 3e-5 square metres however small, so a share alone fails below 30."""
DRIVE_SECONDS, DRIVE_SHARE = 1.0, 0.02
"""A router rounds the time of each line between two points to 0.1 s."""
POSITION_DEGREES = 1e-9
"""Coordinates are copied, never computed: this only allows for their way through JSON."""
FEWEST_OPTIONS, MOST_OPTIONS = 2, 8
"""MapEval shows up to seven (paper, section 3); the eighth says that there is no answer."""

_COORDINATES = re.compile(r"\((-?\d{1,3}\.\d{5}), (-?\d{1,2}\.\d{5})\)")


def disagreements(
    template: str,
    gold_value: Mapping[str, Any],
    answer: SecondAnswer,
    options: Sequence[str] | None,
    kind: str = VALUE,
    keys: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[str]:
    """What differs between gold and the second path's answer, a sentence each; empty where they agree.

    `kind` is that of the gold, and `keys` are the answers under further keys, each {"kind": KIND, "value": {…}}. A
    refusal on the second path is a disagreement.
    """
    found = _key_faults(template, keys or {}, answer, options)
    if kind != answer.kind:
        found.append(f"kind of gold: expected {answer.kind}, got {kind}")
    if answer.refusal is not None:
        found.append(
            f"{template}: expected a question that keeps the rules, got {answer.refusal} ({answer.facts})"
        )
    if not answer.value:
        return found
    value = dict(gold_value)
    if "text" in answer.value:
        found += _option_faults(value, options, answer)
        value.pop("index", None)
    elif options is not None:
        found.append(f"expected no options, got {list(options)}")
    for name in sorted({*value, *answer.value}):
        if name not in value:
            found.append(f"{name}: expected {answer.value[name]!r}, got nothing")
        elif name not in answer.value:
            found.append(f"{name}: expected no such part of gold, got {value[name]!r}")
        elif name in ("objects", "tolerated", "stations") and "text" not in answer.value:
            found += _object_faults(name, answer.value[name], value[name])
            found += _order_faults(answer.value[name], value[name]) if name == "stations" else []
        elif not (name == "text" and _same_place(value[name], answer)) and not _agree(
            name, answer.value[name], value[name]
        ):
            found.append(f"{name}: expected {answer.value[name]!r}, got {value[name]!r}")
    return found


def _key_faults(
    template: str,
    keys: Mapping[str, Mapping[str, Any]],
    answer: SecondAnswer,
    options: Sequence[str] | None,
) -> list[str]:
    """What differs under further keys. A key that only one of the two has is a disagreement."""
    faults = [f"gold under {key}: expected an answer, got none" for key in sorted({*answer.keys} - {*keys})]
    for key, gold in sorted(keys.items()):
        if key not in answer.keys:
            faults.append(f"gold under {key}: expected none, since the second path does not prove it")
            continue
        own = answer.keys[key]
        of_key = SecondAnswer(own["value"], facts=answer.facts, kind=own["kind"])
        found = disagreements(template, gold["value"], of_key, options, gold["kind"])
        faults += [f"gold under {key}: {fault}" for fault in found]
    return faults


def read_coordinates(text: Any) -> tuple[float, float] | None:
    """Lon and lat of "(lon, lat)" with five decimals each; None for other texts and for no place on earth."""
    match = _COORDINATES.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    lon, lat = float(match[1]), float(match[2])
    return (lon, lat) if abs(lon) <= 180 and abs(lat) <= 90 else None


def _same_place(text: Any, answer: SecondAnswer) -> bool:
    """Whether a text is the answer's point, rounded; the fifth decimal of a half may go either way."""
    read = read_coordinates(text)
    if read is None or "lon" not in answer.facts:
        return False
    wanted = (answer.facts["lon"], answer.facts["lat"])
    return all(abs(had - want) <= 0.5e-5 + POSITION_DEGREES for had, want in zip(read, wanted, strict=True))


def _option_faults(gold: Mapping[str, Any], options: Sequence[str] | None, answer: SecondAnswer) -> list[str]:
    if options is None:
        return [f"options: expected {FEWEST_OPTIONS} to {MOST_OPTIONS}, got none"]
    faults = []
    if not FEWEST_OPTIONS <= len(options) <= MOST_OPTIONS:
        faults.append(f"options: expected {FEWEST_OPTIONS} to {MOST_OPTIONS}, got {len(options)}")
    index = gold.get("index")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(options):
        return [*faults, f"index: expected 0 to {len(options) - 1}, got {index!r}"]
    if options[index] != gold.get("text"):
        faults.append(f"option {index}: expected the key {gold.get('text')!r}, got {options[index]!r}")
    if options[index] != answer.value["text"] and not _same_place(options[index], answer):
        faults.append(f"index: expected the option {answer.value['text']!r}, got {index}, {options[index]!r}")
    return faults


def _object_faults(name: str, expected: Sequence[Mapping[str, Any]], got: Any) -> list[str]:
    if not isinstance(got, list) or not all(isinstance(one, Mapping) and "osm_key" in one for one in got):
        return [f"{name}: expected a list of objects, got {got!r}"]
    wanted = {one["osm_key"]: one for one in expected}
    had = {one["osm_key"]: one for one in got}
    missing = [one for key, one in wanted.items() if key not in had]
    surplus = [one for key, one in had.items() if key not in wanted]
    faults = [f"{name}: expected {one['osm_key']} ({one['name']}), got nothing" for one in missing]
    faults += [f"{name}: expected no {one['osm_key']} ({one.get('name')}), got it" for one in surplus]
    if len(had) != len(got):
        faults.append(f"{name}: expected each object once, got {[one['osm_key'] for one in got]}")
    for key in wanted:
        if key in had:
            faults += _field_faults(f"{name} {key}", wanted[key], had[key])
    far = [one.get("distance") for one in got]
    if all(_is_number(one) for one in far):
        for nearer, farther in pairwise(far):
            if nearer > farther + _slack(farther):
                faults.append(f"{name}: expected the nearest first, got {nearer} m before {farther} m")
    return faults


def _order_faults(expected: Sequence[Mapping[str, Any]], got: Any) -> list[str]:
    """What differs in the order of stations, the best of which is first."""
    wanted, had = [one["osm_key"] for one in expected], [one.get("osm_key") for one in got]
    return [] if wanted == had else [f"stations: expected the order {wanted}, got {had}"]


def _field_faults(where: str, expected: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    faults = []
    for field in sorted({*expected, *got}):
        if field not in expected:
            faults.append(f"{where}: expected no {field}, got {got[field]!r}")
        elif field not in got or not _agree(field, expected[field], got[field]):
            faults.append(f"{where}, {field}: expected {expected[field]!r}, got {got.get(field)!r}")
    return faults


def _slack(distance: float) -> float:
    return DISTANCE_METRES + DISTANCE_SHARE * abs(distance)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _same_address(expected: Any, got: Any) -> bool:
    """Equal in every part of a mapping; the metres to the nearest one as distances are."""
    if not (isinstance(expected, Mapping) and isinstance(got, Mapping)):
        return expected is None and got is None
    return expected.keys() == got.keys() and all(
        _agree("distance" if part == "metres" else part, expected[part], got[part]) for part in expected
    )


def _agree(name: str, expected: Any, got: Any) -> bool:
    if name in ("address", "activity"):
        return _same_address(expected, got)
    if name == "geodesic_m":
        return _agree("distance", expected, got)
    if name == "drive_s" and _is_number(expected) and _is_number(got):
        return bool(abs(expected - got) <= DRIVE_SECONDS + DRIVE_SHARE * abs(expected))
    if name in ("distance", "sphere", "azimuth", "area", "length", "lon", "lat"):
        if not (_is_number(expected) and _is_number(got)):
            return False
        if name in ("distance", "sphere"):
            return bool(abs(expected - got) <= _slack(expected))
        if name == "azimuth":
            return 0 <= got < 360 and bool(circular_difference(expected, got) <= AZIMUTH_DEGREES)
        if name == "length":
            return bool(abs(expected - got) <= DISTANCE_METRES + LENGTH_SHARE * abs(expected))
        if name == "area":
            return bool(abs(expected - got) <= max(AREA_SQUARE_METRES, AREA_SHARE * abs(expected)))
        return bool(abs(expected - got) <= POSITION_DEGREES)
    return type(expected) is type(got) and bool(expected == got)
