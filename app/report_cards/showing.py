"""The card of a request that is stored: its runs, beside all others over the same questions. Read as the api role.

The command, REST and the page call this one function, so that they say the same.
"""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.questions.refusals import reasons_of
from app.report_cards.making import make_card
from app.report_cards.measuring_others import find_others
from app.report_cards.models import CardContent
from app.report_cards.stored import CardEntry, StoredCard


def show_card(connection: Connection, stored: StoredCard, *, with_endpoint: bool = True) -> CardContent:
    """The card as its runs stand now; without the name of the endpoint for whoever has no key.

    Raises Conflict before its first run is started.
    """
    runs = stored.runs()
    if not runs:
        raise Conflict(f"Report card {stored.card} has no run yet; `trigpoint report-card` starts them.")
    return make_card(
        connection,
        runs,
        others=find_others(connection, runs),
        suite=stored.suite,
        endpoint=stored.endpoint if with_endpoint else None,
        left_out=list(say_left_out(stored.entries)),
    )


def say_left_out(entries: Sequence[CardEntry]) -> Iterator[str]:
    """Sentences on what the suite asks for and the card lacks; what entries on one version lack is said once."""
    told: set[str | None] = set()
    for one in entries:
        if one.left_out is not None:
            yield f"{one.key}: {one.left_out}"
        elif one.run is None:
            yield f"{one.key}: its run is not started yet"
        if one.without_questions and one.dataset not in told:
            told.add(one.dataset)
            told_templates = _told_templates(one.benchmark, one.without_questions)
            yield f"{one.key}: no question could be made of {told_templates}"


def _told_templates(benchmark: str, refusals: Mapping[str, Mapping[str, int]]) -> str:
    """Templates by the reason that refused most of what each could ask, in words."""
    words = reasons_of(benchmark)
    by_reason: dict[str, list[str]] = {}
    for name, reasons in sorted(refusals.items()):
        most = max(reasons, key=lambda reason: reasons[reason], default="no value")
        by_reason.setdefault(words.get(most, most), []).append(name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in sorted(by_reason.items()))
