"""A refresh made again in memory, from questions that were made again: every one of them is asked on the new map."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from app.questions.generating import Generated
from app.questions.programs import MapRouters
from app.questions.records import QuestionRecord, SnapshotRef
from app.questions.refresh.publishing import later_reports
from app.questions.refresh.refreshing import Fate, settle
from app.questions.refresh.rerunning import Rerunning
from app.questions.terms import Known


def refresh_again(
    connection: Connection,
    made: Generated,
    maps: Sequence[SnapshotRef],
    voided: Sequence[str],
    secret_draws: bool,
    routers: MapRouters | None = None,
) -> Generated:
    """The questions on the next maps, of which one differs from those they stand on, less those voided after.

    `secret_draws` says whether this refresh drew from the secret.
    """
    made = replace(made, recipe=replace(made.recipe, secret_draws=secret_draws))
    records = made.records
    for old, new in zip(made.recipe.snapshots, maps, strict=True):
        if old.id != new.id:
            records = _refreshed(connection, made, old, new, routers)
    records = [one for one in records if one.id not in set(voided)]
    shown = ((one.template, len(one.options or ())) for one in records)
    recipe = replace(made.recipe, snapshots=maps, voided=voided)
    return Generated(recipe, records, later_reports(made.reports, shown))


def _refreshed(
    connection: Connection,
    made: Generated,
    old: SnapshotRef,
    new: SnapshotRef,
    routers: MapRouters | None,
) -> list[QuestionRecord]:
    here = [one for one in made.records if one.snapshot.id == old.id]
    taken = {one.id for one in made.records} | set(made.recipe.voided) | made.recipe.barred
    rerunning = Rerunning(connection, made.recipe, old, new, Known(), routers)
    fates = settle(rerunning, here, taken, made.reports)
    later = [_later(one, fates.get(one.id), new) for one in made.records]
    return [one for one in later if one is not None]


def _later(record: QuestionRecord, fate: Fate | None, new: SnapshotRef) -> QuestionRecord | None:
    if fate is None:
        return record
    if fate.record is None and fate.later_id is not None:
        popularity = record.popularity if fate.popularity is None else fate.popularity
        return replace(record, snapshot=new, popularity=popularity)
    return fate.record
