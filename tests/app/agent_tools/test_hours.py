"""Opening hours as people write them on the map, and what they mean."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent_tools.errors import ToolError
from app.agent_tools.hours import read_hours, read_hours_of_map, state_at
from app.agent_tools.places import Place
from tests.app.agent_tools.conftest import Call
from tests.support.town import Imported

CAFE = Place(id="n1", type="cafe", lat=50, lon=10)
SUNDAY, MONDAY = "2024-06-02T", "2024-06-03T"
DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@pytest.mark.parametrize(
    ("said", "moment", "state"),
    [
        ("Mo-Th, Su 18:00-23:00; Fr-Sa 18:00-02:00", MONDAY + "03:30", "closed"),
        ("Mo-Th, Su 18:00-23:00; Fr-Sa 18:00-02:00", SUNDAY + "20:00", "open"),
        ("Mo , We 10:00-12:00", MONDAY + "14:00", "closed"),
        ("Mo[1], Tu 10:00-11:00", MONDAY + "10:30", "open"),
        ("Mo[1], Tu 10:00-11:00", MONDAY + "12:00", "closed"),
        ("Mo, PH 10:00-12:00", MONDAY + "14:00", "closed"),
        ("Mo-Sa 10:00-18:00; Su, PH off", SUNDAY + "12:00", "closed"),
        ("Jun, Jul 10:00-12:00", MONDAY + "14:00", "closed"),
        ("Jun 3, Dec 25 off", MONDAY + "14:00", "closed"),
        ("Mo-Fr 10:00-12:00, Mo, We 14:00-16:00", MONDAY + "11:00", "open"),
        ("Mo-Fr 10:00-12:00, Mo, We 14:00-16:00", MONDAY + "15:00", "open"),
        ("Mo-Fr 10:00-12:00, Mo, We 14:00-16:00", MONDAY + "13:00", "closed"),
        ("Mo-Fr 08:00-18:00;", MONDAY + "12:00", "open"),
        ("Mo-Fr 08:00-18:00; ", SUNDAY + "12:00", "closed"),
        ('Mo-Fr 08:00-18:00 "Mo, Tu; by appointment"', MONDAY + "12:00", "open"),
        ('"Wednesday evenings"', MONDAY + "12:00", "unknown"),
        ("by appointment", MONDAY + "12:00", "unknown"),
        ('Mo-Fr "by appointment"', MONDAY + "12:00", "unknown"),
        ('Mo 10:00-12:00 || "by appointment"', MONDAY + "11:00", "open"),
        ('Mo 10:00-12:00 || "by appointment"', SUNDAY + "13:00", "unknown"),
        ("Feb 29 10:00-12:00", "2024-02-29T11:00", "open"),
    ],
)
def test_hours_mean_what_people_mean(said: str, moment: str, state: str) -> None:
    assert state_at(read_hours(said, CAFE), datetime.fromisoformat(moment))[0] == state


@pytest.mark.parametrize(
    "said",
    ["Feb 30", "Feb 30 10:00-12:00", "Jun 31", "Jun 1-31 10:00-12:00", "2023 Feb 29", "Jan 0 off", "Mo-Sa, 10:00-12:00",
     ";", "Mo-Fr 8am-5pm"],
)  # fmt: skip
def test_hours_that_nobody_can_read_are_refused_or_of_the_map_unknown(said: str) -> None:
    with pytest.raises(ToolError, match="no opening hours as OpenStreetMap writes them"):
        read_hours(said, CAFE)
    state, comment = state_at(read_hours_of_map(said, CAFE), datetime.fromisoformat(MONDAY + "12:00"))
    assert (state, comment) == ("unknown", "the opening hours of the map cannot be read")


@given(
    st.lists(st.sampled_from(DAYS), min_size=2, max_size=5, unique=True),
    st.sampled_from([[], ["PH"], ["SH"]]),
    st.sampled_from([", ", " , ", ",  "]),
    st.integers(0, 13 * 24 * 4),
)
def test_blanks_in_a_list_of_days_change_nothing(
    days: list[str], holidays: list[str], comma: str, quarters: int
) -> None:
    moment = datetime.fromtimestamp(1_717_200_000 + quarters * 900)  # noqa: DTZ006 - a local time
    times = " 09:00-12:00; Fr 13:00-15:00"
    tight, loose = (read_hours(one.join(days + holidays) + times, CAFE) for one in (",", comma))
    assert state_at(loose, moment) == state_at(tight, moment)


def test_the_hours_of_the_map_are_never_the_callers_fault(call: Call, tool_town: Imported) -> None:
    sonne, krone = tool_town.key("Sonne"), tool_town.key("Krone")
    asked = call("open_at", place=sonne, time="2024-05-03T12:00")
    assert (asked.state, asked.comment) == ("unknown", "whenever we like")
    common = call("hours_overlap", places=[krone, sonne], start="2024-05-03T00:00", end="2024-05-04T00:00")
    assert (common.spans, [one.name for one in common.unknown]) == ([], ["Sonne"])
    assert common.sentence() == (
        "Krone, Sonne are never surely open at the same time then. It is not always known when these are open: Sonne."
    )
