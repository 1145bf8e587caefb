"""The paper's worked case of a way and its candidates (Figure 39), reasoned right, and with one fault each."""

import json
import math
from itertools import pairwise

import pytest

from app.benchmarks.urban_reasoning.steps.checking import check_response
from app.benchmarks.urban_reasoning.steps.templates import TASKS
from app.benchmarks.urban_reasoning.truth.sphere import Point, angle_between, leg_on_sphere

WAY = {
    "Railway Station": Point(31.1941, 121.3183),
    "Zhongchun Road": Point(31.1146, 121.3634),
    "Martyrs Cemetery": Point(31.0966, 121.3751),
    "Primary School": Point(31.1174, 121.4631),
    "Metro East": Point(31.1525, 121.6217),
    "Canal Bridge": Point(31.2419, 121.698),
    "Interchange": Point(31.1891, 121.7657),
}
CANDIDATES = {
    "Kerry Centre": Point(31.2299, 121.4562),
    "Disneyland": Point(31.1468, 121.6677),
    "Pudong Airport": Point(31.1493, 121.8149),
}


def _printed(point: Point) -> str:
    return f"({point.lat:.5f}, {point.lon:.5f})"


def _context() -> str:
    legs = [
        f"Leg {number}: {one} {_printed(WAY[one])} to {other} {_printed(WAY[other])}"
        for number, (one, other) in enumerate(pairwise(WAY), 1)
    ]
    return "\n".join([*legs, *(f"Candidate: {name} {_printed(at)}" for name, at in CANDIDATES.items())])


def _response() -> str:
    lines = []
    for number, (one, other) in enumerate(pairwise(WAY), 1):
        leg = leg_on_sphere(WAY[one], WAY[other])
        change = WAY[other].lat - WAY[one].lat, WAY[other].lon - WAY[one].lon
        lines.append(
            f"- Leg {number}, {one} to {other} {_printed(WAY[other])}: Δlat = {change[0]:.4f}, Δlon = {change[1]:.4f},"
            f" bearing {leg.bearing:.2f}°, distance {leg.metres / 1000:.3f} km"
        )
    end = WAY["Interchange"]
    last = leg_on_sphere(WAY["Canal Bridge"], end).bearing
    for name, at in CANDIDATES.items():
        leg = leg_on_sphere(end, at)
        lines.append(
            f"- {name}: bearing {leg.bearing:.2f}°, distance {leg.metres / 1000:.3f} km,"
            f" {angle_between(leg.bearing, last):.2f}° off the last heading"
        )
    return "<reason>\n" + "\n".join(lines) + "\n</reason><answer>Pudong Airport</answer>"


def test_right_headings_are_not_accused() -> None:
    """All of them are checked: five numbers of each leg, three of each candidate, and the choice."""
    found = check_response(TASKS["Destination"], _context(), "", _response())
    assert found.first_broken is None
    assert {step.quantity for step in found.told()} >= {
        "bearing_leg4",
        "dlon_leg2",
        "off_last_c1",
        "distance_c0",
        "choice",
    }


@pytest.mark.parametrize(
    ("right", "wrong", "quantity", "failure"),
    [
        ("bearing 75.46", "bearing 57.46", "bearing_leg4", "arithmetic drift"),
        ("Δlon = 0.0117", "Δlon = -0.0117", "dlon_leg2", "arithmetic drift"),
        ("10.443 km", "14.443 km", "distance_c1", "arithmetic drift"),
        ("110.91° off", "70.91° off", "off_last_c1", "arithmetic drift"),
        ("(31.15250,", "(31.51250,", "lat_w4", "misread input"),
        ("<answer>Pudong Airport", "<answer>Disneyland", "choice", "topological blindness"),
    ],
)
def test_one_fault_is_found(right: str, wrong: str, quantity: str, failure: str) -> None:
    """Where it lies, and what kind it is."""
    assert right in _response()
    broken = check_response("PR", _context(), "", _response().replace(right, wrong, 1)).first_broken
    assert broken is not None
    assert (broken.quantity, broken.failure) == (quantity, failure)


def test_the_document_form_of_a_context_tells_the_same() -> None:
    """Legs and candidates as JSON."""
    document = {
        "legs": [
            {
                name: {"name": end, "coordinates": _printed(WAY[end])}
                for name, end in zip(("from", "to"), ends, strict=True)
            }
            for ends in pairwise(WAY)
        ],
        "candidates": [{"name": name, "coordinates": _printed(at)} for name, at in CANDIDATES.items()],
    }
    text = json.dumps(document, ensure_ascii=False, indent=2)
    assert (
        check_response("PR", text, "", _response()).steps
        == check_response("PR", _context(), "", _response()).steps
    )


def _table(scale: str = "0.856") -> str:
    """The way in metres and degrees, as a table: scaled by one cosine, headings from east and north."""
    rows = [
        f"The cosine of the latitude is {scale}.",
        "",
        "| Leg | East (km) | North (km) | Heading (°) |",
        "|---|---|---|---|",
    ]
    points = list(WAY.items())
    pairs = [(f"{one} to {other}", at, to) for (one, at), (other, to) in pairwise(points)]
    pairs += [(name, points[-1][1], to) for name, to in CANDIDATES.items()]
    for name, at, to in pairs:
        east = (to.lon - at.lon) * 111.195 * float(scale)
        north = (to.lat - at.lat) * 111.195
        heading = math.degrees(math.atan2(east, north)) % 360
        rows.append(f"| {name} | {east:.2f} | {north:.2f} | {heading:.1f} |")
    return "<reason>\n" + "\n".join(rows) + "\n</reason><answer>Pudong Airport</answer>"


def test_a_column_is_one_quantity_whatever_its_title() -> None:
    """Exchanged components are wrong though each has the value of the other, and what follows from them is not."""
    assert check_response("PR", _context(), "", _table()).first_broken is None
    row = next(line for line in _table().split("\n") if line.startswith("| Metro East to"))
    _, name, east, north, heading, _ = row.split("|")
    turned = (90 - float(heading)) % 360
    wrong = f"|{name}|{north}|{east}| {turned:.1f} |"
    broken = check_response("PR", _context(), "", _table().replace(row, wrong)).first_broken
    assert broken is not None
    assert (broken.quantity, broken.stated) == ("east_leg5", float(north))


def test_a_wrong_scale_is_the_fault_and_not_the_headings_that_follow() -> None:
    """The cosine is told once; all lengths to the east and all headings go on from it."""
    broken = check_response("PR", _context(), "", _table(scale="0.586")).first_broken
    assert broken is not None
    assert broken.stated == 0.586
