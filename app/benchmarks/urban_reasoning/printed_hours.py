"""How contexts print opening hours: each day once, in spans that do not overlap. Pure."""

from collections.abc import Sequence
from itertools import groupby

from app.questions.derivations.hours import DAYS, Week

Span = tuple[int, int]
"""Minutes of a day, from the first on and before the last."""


def print_hours(week: Week) -> str:
    """The hours of a week: `Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-12:00`. A day that is not told is closed."""
    told = [_joined(spans) for spans in week.spans]
    return "; ".join(
        f"{_days(list(days))} {','.join(map(_span, spans))}"
        for spans, days in groupby(range(len(DAYS)), key=told.__getitem__)
        if spans
    )


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans in their order, those that overlap or meet as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _days(days: Sequence[int]) -> str:
    return DAYS[days[0]] if len(days) == 1 else f"{DAYS[days[0]]}-{DAYS[days[-1]]}"


def _span(span: Span) -> str:
    return "-".join(f"{minute // 60:02d}:{minute % 60:02d}" for minute in span)
