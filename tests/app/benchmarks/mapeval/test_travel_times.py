"""Travel times in contexts: what is printed is read again."""

import pytest

from app.benchmarks.mapeval.contexts.blocks import travel_line
from app.benchmarks.mapeval.contexts.printed import read_printed


def line(origin: str, destination: str, seconds: float, mode: str = "car") -> str:
    """A printed travel time over 3.04 km."""
    places = {"origin": {"name": origin}, "destination": {"name": destination}}
    return travel_line({**places, "mode": mode, "seconds": seconds, "distance_m": 3040.0}).text


def test_travel_times_are_printed_as_in_mapeval() -> None:
    assert (
        line("Krone", "Café  Linde", 840)
        == "Travel Time from Krone to Café Linde by car is 14 mins (3.0 km)."
    )
    assert line("A", "B", 20, "foot") == "Travel Time from A to B on foot is 1 min (3.0 km)."
    assert line("A", "B", 3660, "bicycle") == "Travel Time from A to B by cycle is 1 hour 1 min (3.0 km)."


@pytest.mark.parametrize("minutes", [1, 2, 59, 60, 61, 120, 125])
def test_printed_minutes_are_read(minutes: int) -> None:
    printed = read_printed(line("Way to Go", "From A to B", 60 * minutes + 11))
    found = printed.travel("way to go", "From A to B", "by car")
    assert (found.minutes, found.kilometres) == (minutes, 3.0)


def test_only_the_way_that_is_meant_is_read() -> None:
    printed = read_printed(
        "\n".join([line("A", "B", 600), line("B", "A", 1200), line("A", "B", 3000, "foot")])
    )
    assert printed.travel("A", "B", "by car").minutes == 10
    assert printed.travel("B", "A", "by car").minutes == 20
    assert printed.travel("A", "B", "on foot").minutes == 50
    with pytest.raises(ValueError, match="says 0 times how long it takes from B to A on foot"):
        printed.travel("B", "A", "on foot")
