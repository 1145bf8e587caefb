"""A version's questions on a newer map: which are touched, what became of each, and what stands in the place of others.

Reads the version and both maps; `publishing` writes. The outcome is the same whether the touched questions are asked
again or all are.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection

from app.core.memory import uncollected, unsearched
from app.db.engine import without_nested_loops
from app.questions.generating import Recipe
from app.questions.gold import GoldKeys
from app.questions.programs import MapRouters
from app.questions.records import Footprint, QuestionRecord, SnapshotRef, TemplateReport
from app.questions.refresh import queries
from app.questions.refresh.changes import Pair
from app.questions.refresh.dependencies import Asked
from app.questions.refresh.replacing import replace_ended
from app.questions.refresh.rerunning import Rerun, Rerunning, Retold
from app.questions.refresh.touching import Found, find_touched, read_asked
from app.questions.terms import Known
from app.questions.versions import PublishedVersion, stored_reports

Outcome = Literal["kept", "updated", "retired", "replaced"]


class Fate(NamedTuple):
    """What became of one question.

    `record` is the question of the later version where it is not the stored one to the letter; None also where there is
    none any more. `reason` says what was updated (gold, options, text), or why the question ended.
    """

    id: str
    template: str
    outcome: Outcome
    reason: str | None = None
    record: QuestionRecord | None = None
    popularity: list[dict[str, Any]] | None = None
    """Of a stored question that stays, where it is not as stored."""

    @property
    def later_id(self) -> str | None:
        """The id of the question in the later version, if there is one."""
        if self.record is not None:
            return self.record.id
        return None if self.outcome == "retired" else self.id


@dataclass(frozen=True)
class Refreshed:
    """The fates of a version's questions, in their order.

    `touched` counts the questions asked again by what touched each first, `rerun` counts them all.
    """

    version: PublishedVersion
    recipe: Recipe
    """That of the later version."""
    pair: Pair
    fates: Sequence[Fate]
    asked: Sequence[Asked]
    """All questions of the earlier version, in the order of the fates."""
    touched: Mapping[str, int]
    rerun: int

    @property
    def counts(self) -> dict[str, int]:
        """Questions by outcome."""
        found = Counter(fate.outcome for fate in self.fates)
        return {outcome: found[outcome] for outcome in ("kept", "updated", "retired", "replaced")}

    @property
    def reasons(self) -> dict[str, dict[str, int]]:
        """Questions by outcome and reason."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for fate in self.fates:
            if fate.reason:
                found[fate.outcome][fate.reason] += 1
        return {outcome: dict(sorted(counts.items())) for outcome, counts in sorted(found.items())}


def refresh(
    connection: Connection,
    version: PublishedVersion,
    recipe: Recipe,
    pair: Pair,
    full: bool = False,
    carry: Callable[[Sequence[str]], None] = lambda ids: None,
    routers: MapRouters | None = None,
) -> Refreshed:
    """What the version's questions become on the new map; nothing is written.

    Raises Conflict where questions need a router and there is none. `recipe` is the version's own. With `full` every
    question of the old map is asked again. Before any is asked, `carry` is given the ids of those that nothing can have
    touched.
    """
    known = Known()
    with ExitStack() as unread:
        with uncollected():
            everything = read_asked(connection, version, recipe.benchmark.templates, pair.same_outline)
            asked = [one for one in everything if one.snapshot_id == pair.old.id]
            causes, retold = Found(dict.fromkeys((one.id for one in asked), "full"), {})
            if not full:
                causes, retold = find_touched(connection, recipe, pair, asked, known)
            carry([one.id for one in everything if one.id not in causes])
            records = read_records(connection, version, pair.old, sorted(causes))
            taken = {one.id for one in everything} | set(recipe.voided) | recipe.barred
            # before garbage is looked for again, lest it be among all that was just read
            unread.enter_context(unsearched())
        later = later_recipe(recipe, version, pair)
        rerunning = Rerunning(connection, later, pair.old, pair.new, known, routers)
        fates = settle(rerunning, records, taken, stored_reports(connection, version))
    return Refreshed(
        version,
        later,
        pair,
        [
            fates.get(one.id) or Fate(one.id, one.template, "kept", popularity=retold.get(one.id))
            for one in everything
        ],
        everything,
        dict(sorted(Counter(causes.values()).items())),
        len(records),
    )


def settle(
    rerunning: Rerunning,
    records: Sequence[QuestionRecord],
    taken: set[str],
    reports: Mapping[str, TemplateReport],
) -> dict[str, Fate]:
    """The fates of questions that are asked again, replacements included, by id; `taken` is added to.

    `reports` tell by template what its first map gave.
    """
    reruns = rerunning.rerun(records)
    ended = [record for record in records if isinstance(reruns[record.id], str)]
    replacements = replace_ended(rerunning, ended, taken, reports) if ended else {}
    return {record.id: _fate(record, reruns[record.id], replacements.get(record.id)) for record in records}


def _fate(record: QuestionRecord, rerun: Rerun, replacement: QuestionRecord | None) -> Fate:
    if isinstance(rerun, str):
        outcome: Outcome = "replaced" if replacement else "retired"
        return Fate(record.id, record.template, outcome, rerun, replacement)
    if isinstance(rerun, Retold):
        return Fate(record.id, record.template, "kept", popularity=rerun.popularity)
    if rerun is None or rerun.revision == record.revision:
        return Fate(record.id, record.template, "kept", None, rerun)
    updated = {
        "gold": all_gold(rerun) != all_gold(record),
        "options": rerun.options != record.options,
        "text": rerun.prompt != record.prompt,
    }
    reason = ", ".join(name for name, differs in updated.items() if differs)
    return Fate(record.id, record.template, "updated", reason, rerun)


def all_gold(record: QuestionRecord) -> tuple[Mapping[str, Any], str, GoldKeys]:
    """A question's gold under every key, with its kind."""
    return record.gold, record.gold_kind, record.gold_keys


def later_recipe(recipe: Recipe, version: PublishedVersion, pair: Pair) -> Recipe:
    """The recipe of the version that a refresh makes: its maps, and those that came before, from the first on.

    What it draws comes from the secret where there is one, also where the version before was drawn without.
    """
    maps = [pair.new if one.id == pair.old.id else one for one in recipe.snapshots]
    before = {
        "version": version.reference,
        "snapshots": recipe.as_json()["snapshots"],
        "voided": sorted(recipe.voided),
        **({"secret_draws": True} if recipe.secret_draws else {}),
    }
    earlier = [*recipe.earlier, before]
    return replace(recipe, snapshots=maps, earlier=earlier, secret_draws=recipe.secret is not None)


def read_records(
    connection: Connection, version: PublishedVersion, snapshot: SnapshotRef, ids: Sequence[str]
) -> list[QuestionRecord]:
    """Stored questions of one map, in the version's order, as far as one that is asked again is compared with it.

    Evidence without what every version of an object changes, and nothing of what the second path found.
    """
    binds = {"version_id": version.id, "ids": list(ids)}
    with without_nested_loops(connection):
        rows = connection.exec_driver_sql(queries.RECORDS, binds).mappings().all()
    return [_record(dict(row), snapshot) for row in rows]


def _record(row: dict[str, Any], snapshot: SnapshotRef) -> QuestionRecord:
    footprint = Footprint(
        **{
            name: row.pop(name)
            for name in ("area", "classes", "osm_keys", "name_keys", "fact_ids", "uses_outline")
        }
    )
    stood_on = (row.pop("stood_on") or "").split()
    evidence = [
        {"layer": layer, "osm_key": key} for layer, key in zip(stood_on[::2], stood_on[1::2], strict=True)
    ]
    return QuestionRecord(snapshot=snapshot, footprint=footprint, evidence=evidence, second_path={}, **row)
