"""The order of a trip equals the best of all orders, tried one by one; fifteen stops take a second at most."""

import random
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent_tools.ordering.exact import find_exact_order
from app.agent_tools.ordering.heuristic import find_good_order
from app.agent_tools.ordering.problem import Stop, Trip, Window
from app.agent_tools.ordering.solving import find_order, make_timetable

Asked = tuple[list[list[int | None]], list[tuple[int, list[tuple[int, int]] | None]], bool, int | None]


def travel_to(trip: Asked, order: Sequence[int], leave: int = 0) -> list[tuple[int, int, int]] | None:
    """Arrival, begin and leaving of each stop, then of the end; None where the order cannot be kept in time."""
    travel, stops, has_end, until = trip
    now, here, times = leave, 0, []
    for number in order:
        leg = travel[here][number + 1]
        if leg is None:
            return None
        arrival, (stay, windows) = now + leg, stops[number]
        begins = [arrival] if windows is None else [
            max(arrival, start) for start, end in unite(tuple(windows)) if max(arrival, start) + stay <= end
        ]  # fmt: skip
        if not begins:
            return None
        now, here = min(begins) + stay, number + 1
        times.append((arrival, min(begins), now))
    leg = travel[here][-1] if has_end else 0
    if leg is None or (until is not None and now + leg > until):
        return None
    return [*times, (now + leg, now + leg, now + leg)]


@cache
def unite(windows: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """The spans of the whole numbers that lie in a window, where windows that touch are one."""
    spans: list[tuple[int, int]] = []
    halves = sorted({half for start, end in windows for half in range(2 * start, 2 * end + 1)})
    for half in halves:
        if spans and half == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], half)
        else:
            spans.append((half, half))
    return [(start // 2, end // 2) for start, end in spans]


def try_all(trip: Asked) -> tuple[tuple[int, ...], int] | None:
    """The order that visits the most, is done first, and is the first of its kind by the numbers of stops."""
    possible = [
        (-len(order), times[-1][0], order)
        for size in range(len(trip[1]) + 1)
        for order in permutations(range(len(trip[1])), size)
        if (times := travel_to(trip, order)) is not None
    ]
    return None if not possible else (min(possible)[2], min(possible)[1])


def asked(trip: Asked) -> Trip:
    travel, stops, has_end, until = trip
    windows = [None if one is None else [Window(*span) for span in one] for _, one in stops]
    return Trip(
        travel, [Stop(stay, some) for (stay, _), some in zip(stops, windows, strict=True)], has_end, until
    )


@st.composite
def trips(draw: st.DrawFn, most: int = 5) -> Asked:
    count, has_end = draw(st.integers(1, most)), draw(st.booleans())
    size = count + 1 + has_end
    leg = (
        st.one_of(st.integers(0, 12), st.integers(0, 12), st.none())
        if draw(st.booleans())
        else st.integers(1, 4)
    )
    span = st.tuples(st.integers(-5, 40), st.integers(0, 15)).map(lambda one: (one[0], one[0] + one[1]))
    stop = st.tuples(st.integers(0, 6), st.one_of(st.none(), st.lists(span, max_size=3)))
    row = st.lists(leg, min_size=size, max_size=size)
    return (
        draw(st.lists(row, min_size=size, max_size=size)),
        draw(st.lists(stop, min_size=count, max_size=count)),
        has_end,
        draw(st.one_of(st.none(), st.integers(0, 50))),
    )


@settings(max_examples=200, deadline=None)
@given(trips())
def test_the_best_of_all_orders_is_found(trip: Asked) -> None:
    found, wanted = find_exact_order(asked(trip)), try_all(trip)
    assert (None if found is None else (found.stops, found.done)) == wanted


@settings(max_examples=200, deadline=None)
@given(trips())
def test_the_timetable_is_what_the_clock_says(trip: Asked) -> None:
    order = find_order(asked(trip))
    if order is None:
        return
    times = travel_to(trip, order.stops)
    assert times is not None
    table = make_timetable(asked(trip), order)
    assert list(zip(table.arrivals, table.begins, table.leavings, strict=True)) == times[:-1]
    assert times[-1][0] == order.done
    latest = [leave for leave in range(60) if travel_to(trip, order.stops, leave) is not None]
    assert table.latest_start == (max(latest) if max(latest) < 59 else None)


@settings(max_examples=100, deadline=None)
@given(trips(6))
def test_a_good_order_can_be_kept_and_is_never_better_than_the_best(trip: Asked) -> None:
    good, best = find_good_order(asked(trip)), find_exact_order(asked(trip))
    if good is None:
        return
    assert best is not None
    times = travel_to(trip, good.stops)
    assert times is not None
    assert times[-1][0] == good.done
    assert (-len(good.stops), good.done) >= (-len(best.stops), best.done)


def town(count: int, seed: int) -> Trip:
    """Stops in a square of an hour, some of which are open for a while only."""
    draw = random.Random(seed)
    spots = [(draw.uniform(0, 3600), draw.uniform(0, 3600)) for _ in range(count + 1)]
    travel = [[round(abs(a - c) + abs(b - d)) for c, d in spots] for a, b in spots]
    return Trip(travel, list(stops(count, draw)))


def stops(count: int, draw: random.Random) -> Iterator[Stop]:
    for _ in range(count):
        opens = draw.randint(0, 20_000)
        yield Stop(600, [Window(opens, opens + 30_000)] if draw.random() < 0.5 else None)


def test_seven_stops_equal_all_orders() -> None:
    for seed in range(3):
        draw = random.Random(seed)
        travel: list[list[int | None]] = [[draw.randint(1, 30) for _ in range(8)] for _ in range(8)]
        windows = [(draw.randint(0, 9), [(start := draw.randint(0, 80), start + 60)]) for _ in range(7)]
        trip: Asked = (travel, [*windows[:5], (3, None), (4, None)], False, None)
        found = find_exact_order(asked(trip))
        assert found is not None
        assert (found.stops, found.done) == try_all(trip)


def test_fifteen_stops_take_a_second_at_most() -> None:
    for seed in range(3):
        trip = town(15, seed)
        started = time.process_time()
        order = find_order(trip)
        assert time.process_time() - started < 1
        assert order is not None
        assert order.exact


def test_as_many_equal_orders_as_there_can_be_are_no_slower() -> None:
    trip = Trip([[10] * 16] * 16, [Stop(5)] * 15, until=106)
    started = time.process_time()
    order = find_order(trip)
    assert time.process_time() - started < 1
    assert order is not None
    assert order.stops == tuple(range(7))


def test_more_stops_have_a_good_order_that_is_always_the_same() -> None:
    for seed in range(2):
        trip = town(25, seed)
        started = time.process_time()
        order = find_order(trip)
        assert time.process_time() - started < 3
        assert order is not None
        assert (order.exact, sorted(order.stops)) == (False, list(range(25)))
        assert find_order(trip) == order


def test_a_good_order_of_few_stops_is_near_the_best() -> None:
    for seed in range(20):
        trip = town(9, seed)
        good, best = find_good_order(trip), find_exact_order(trip)
        assert good is not None
        assert best is not None
        assert good.done <= best.done * 1.15


def test_nobody_leaves_who_cannot_get_to_the_end() -> None:
    assert find_order(Trip([[0, 1, None], [1, 0, 1], [1, 1, 0]], [Stop()], has_end=True)) == ((0,), 2, True)
    assert find_order(Trip([[0, 1, None], [1, 0, None], [1, 1, 0]], [Stop()], has_end=True)) is None
