"""Reads a board: the one function behind `trigpoint leaderboard`, GET /v1/leaderboards/{dataset} and the page.

Reads run, board_aggregate, run_comparison, run_standing and expectation as the api role: hidden questions enter through
aggregates alone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from statistics import stdev
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.leaderboard import models, queries
from app.leaderboard.comparing import Compared, typical
from app.leaderboard.empty_templates import read_empty_templates
from app.leaderboard.keeping import Kept
from app.leaderboard.makeup import MakeUp, Size, read_makeup
from app.leaderboard.measures import measured, measures_of
from app.leaderboard.ranking import Candidate, in_order, select_runs
from app.leaderboard.setups import differing, ranks_apart, setup_of, tools_of
from app.leaderboard.states import States
from app.predictions.presentations import is_rotated
from app.predictions.submissions.card import shown_card
from app.questions.gold import DEFAULT_KEY
from app.questions.versions import find_version
from app.reviews.card import Review, read_review
from app.scores.aggregating import ALL
from app.scores.intervals import METHOD
from app.scores.pairs import name_tests
from app.scores.paper_rules import PaperRules, find_profile_for, find_rules
from app.scores.profiles import Profile
from app.scores.withholding import STEP, step_of_mean
from app.solvers.run_kinds import ANSWERS, JUDGEMENT
from app.templates.catalogue import find_reference

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"
LICENCE_URL = "https://opendatacommons.org/licenses/odbl/1-0/"
LONGEST_REFERENCE = 200
Kind = Literal[
    "dimension",
    "strategy",
    "city",
    "answer_type",
    "gold",
    "register",
    "recheck",
    "context",
    "options",
    "sub_kind",
    "zoom",
    "tier",
    "density",
]
ProfileName = Literal["trigpoint", "published", "judge_hybrid", "judge_pure"]

Aggregates = Mapping[tuple[int, str], Row[Any]]


@dataclass(frozen=True)
class _Seen:
    """All that a board can change by: equal ones make equal boards."""

    runs: list[tuple[Any, ...]]
    standings: list[tuple[Any, ...]]
    review: Review | None


def read_board(
    connection: Connection,
    reference: str,
    by: Kind | None = None,
    profile: ProfileName = "trigpoint",
    kept: Kept | None = None,
    gold_key: str = DEFAULT_KEY,
) -> models.Board:
    """The board of `name` (its newest published version) or `name@version`; with `by` also the boards of those groups.

    All of it is of one moment; what `kept` holds is used where it still holds. Boards of a judge's profiles show the
    runs of judges, unranked; those of `published` count right answers by the rules of the benchmark's paper, of public
    questions alone. Under another `gold_key` stand the runs that were scored by it. Raises NotFound naming the data
    sets or profiles that there are.
    """
    if len(reference) > LONGEST_REFERENCE or not reference.isprintable():
        raise NotFound("There is no data set of that name: names are short and printable.")
    _at_one_moment(connection)
    version = find_version(connection, reference)
    rules = find_profile_for(version.benchmark, profile).under(gold_key)
    key = {"version_id": version.id}
    scored = {**key, "profile": rules.name, "profile_version": rules.version}
    about = connection.execute(queries.VERSION, key).one()
    runs = connection.execute(queries.RUNS, {**key, "run_kind": rules.run_kind}).all()
    standings = connection.execute(queries.STANDINGS, scored).all()
    review = read_review(connection, version.id)
    kept = kept or Kept()
    makeup = kept.get(
        ("made of", version.id, about.canary, rules.of_paper, about.rechecked_at),
        None,
        partial(read_makeup, connection, version.id, rules),
    )
    reading = _Reading(connection, scored, about, makeup, rules)
    seen = _Seen([tuple(row) for row in runs], [tuple(row) for row in standings], review)
    return kept.get(
        ("board", version.id, about.canary, rules.name, by, about.rechecked_at),
        seen,
        lambda: reading.board(runs, standings, review, by),
    )


@dataclass(frozen=True)
class _Reading:
    """One board being read."""

    connection: Connection
    scored: Mapping[str, Any]
    about: Row[Any]
    makeup: MakeUp
    profile: Profile

    def board(
        self, runs: Sequence[Row[Any]], standings: Sequence[Row[Any]], review: Review | None, by: Kind | None
    ) -> models.Board:
        key = {"version_id": self.scored["version_id"]}
        rules = find_rules(self.about.benchmark) if self.profile.of_paper else None
        read = {ALL, "template", by, "answer_type" if rules else None} - {None}
        kinds = {**self.scored, "kinds": sorted(map(str, read))}
        aggregates = {
            (row.run_id, row.scope): row for row in self.connection.execute(queries.AGGREGATES, kinds)
        }
        expected = {
            (row.scope, row.kind): row for row in self.connection.execute(queries.EXPECTATIONS, self.scored)
        }
        shown = _runs_to_show(runs, aggregates)
        compared = self._compared({**kinds, "runs": [run.id for run in shown]})
        section = partial(
            _section, shown, _Known(aggregates, expected, compared, rules, _by_type(aggregates))
        )
        whole = section(ALL, self.makeup.sizes[ALL])
        about = self.about
        graded = self.makeup.graded or self.profile.run_kind == JUDGEMENT
        return models.Board(
            dataset=about.name,
            version=about.number,
            benchmark=about.benchmark,
            published_at=about.published_at,
            profile=self.profile.name,
            profile_version=self.profile.version,
            metric="mean_value" if graded else "accuracy",
            interval=METHOD,
            n=whole.n,
            hidden=self.makeup.hidden,
            left_out=whole.left_out,
            hidden_step=STEP if whole.hidden else None,
            step=step_of_mean(whole.hidden, whole.n),
            variant=about.variant,
            written_by_hand=about.written_by_hand,
            right=rules and rules.right,
            measures=measures_of(rules) if rules else [],
            rows=_with_standings(_with_cards(whole.rows, shown), {row.run_id: row for row in standings}),
            differ=differing(
                setup_of(run.model, run.sampling, run.presentation)
                for run in shown
                if tools_of(run.presentation) is not None
            ),
            chance=whole.chance,
            random_expectation=whole.random_expectation,
            test=name_tests(one.test for one in compared.get(ALL, ())),
            detectable=whole.detectable,
            templates=self._sections("template", section),
            empty_templates=read_empty_templates(
                about.templates, self.makeup.scopes("template"), about.benchmark
            ),
            by=by,
            groups=self._sections(by, section) if by else {},
            snapshots=[
                models.MapSource(**row._mapping) for row in self.connection.execute(queries.SNAPSHOTS, key)
            ],
            review=review,
            reference=find_reference(about.benchmark),
            attribution=attribution_of([about.licence]),
            licence_url=about.licence.get("url", LICENCE_URL),
        )

    def _compared(self, binds: Mapping[str, Any]) -> Mapping[str, list[Compared]]:
        found: dict[str, list[Compared]] = defaultdict(list)
        for row in self.connection.execute(queries.COMPARISONS, binds):
            found[row.scope].append(Compared(*row[1:]))
        return found

    def _sections(self, kind: str, section: Any) -> dict[str, models.Section]:
        return {
            name: section(scope, self.makeup.sizes[scope]) for name, scope in self.makeup.scopes(kind).items()
        }


def list_datasets(
    connection: Connection, after: str | None = None, limit: int | None = None
) -> models.DatasetList:
    """The data sets with a published version, by name; versions from the newest down.

    All of them, or at most `limit` behind the one called `after`; whether there are more, the caller finds out.
    """
    rows = connection.execute(queries.DATASETS, {"after": after, "limit": limit}).all()
    entries = []
    for (name, benchmark), versions in groupby(rows, lambda row: (row.name, row.benchmark)):
        entries.append(
            models.DatasetEntry(
                name=name,
                benchmark=benchmark,
                versions=[
                    models.VersionEntry(
                        version=row.number,
                        questions=row.questions,
                        complete_runs=row.complete_runs,
                        published_at=row.published_at,
                    )
                    for row in versions
                ],
            )
        )
    return models.DatasetList(datasets=entries, attribution=ATTRIBUTION, licence_url=LICENCE_URL)


def check_alive(connection: Connection) -> None:
    """Ask the database for an answer; raises where it gives none."""
    connection.execute(queries.ALIVE)


def _at_one_moment(connection: Connection) -> None:
    """See one state of the database through all statements of a board, where a transaction has not begun yet."""
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")


def _runs_to_show(runs: Sequence[Row[Any]], aggregates: Aggregates) -> list[Row[Any]]:
    def complete(run: Row[Any]) -> bool:
        whole = aggregates.get((run.id, ALL))
        scored = whole is not None and whole.score is not None
        return bool(run.status == "complete" and scored and not run.public_only)

    shown = {
        c.run for c in select_runs(Candidate(run.id, run.label, run.solver, complete(run)) for run in runs)
    }
    return [run for run in runs if run.id in shown]


class _Known(NamedTuple):
    """What was read of the runs that a board shows; `rules` are the paper's, where it shows its measures."""

    aggregates: Aggregates
    expected: Mapping[tuple[str, str], Row[Any]]
    compared: Mapping[str, Sequence[Compared]]
    rules: PaperRules | None
    by_type: Mapping[int, Mapping[str, Any]]
    """By run and answer type: the components of its aggregate."""


def _section(runs: Sequence[Row[Any]], known: _Known, scope: str, size: Size) -> models.Section:
    """The board of a scope. Only runs that count all of it and have a score have a rank; runs of judges have none."""
    aggregates, expected = known.aggregates, known.expected
    rows = [
        _with_measures(_row(run, aggregates.get((run.id, scope)), _size_of(run, scope, size)), known, scope)
        for run in runs
    ]
    whole = in_order(row for row in rows if row.sample is None and not row.public_only)
    whole.sort(key=lambda row: row.tools is not None)
    beside = in_order(row for row in rows if row.sample is not None or row.public_only)
    scored = [row.run for row in whole if row.score is not None and row.kind == ANSWERS]
    pairs = known.compared.get(scope, ())
    with_tools = frozenset(row.run for row in whole if row.tools is not None)
    places = ranks_apart(scored, with_tools, pairs)
    return models.Section(
        n=size.n,
        hidden=size.hidden,
        left_out=size.left_out,
        chance=_expectation(expected, scope, "chance", size.n),
        random_expectation=_expectation(expected, scope, "random", size.n),
        detectable=typical(scored, pairs),
        rows=[row.model_copy(update={"rank": places.get(row.run)}) for row in whole] + beside,
    )


def _with_measures(row: models.Row, known: _Known, scope: str) -> models.Row:
    """The row with the means of the paper's measures; a run without a score has none."""
    if known.rules is None or row.score is None:
        return row
    by_type = known.by_type.get(row.run) if scope == ALL else None
    stored = known.aggregates[row.run, scope].components
    return row.model_copy(update={"measures": measured(known.rules, stored, by_type)})


def _by_type(aggregates: Aggregates) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for (run, scope), one in aggregates.items():
        kind, _, name = scope.partition(":")
        if kind == "answer_type" and one.components:
            found[run][name] = one.components
    return found


def _with_cards(rows: Sequence[models.Row], runs: Sequence[Row[Any]]) -> list[models.Row]:
    cards = {run.id: shown_card(run.card, run.self_reported) for run in runs}
    return [row.model_copy(update={"card": cards[row.run]}) for row in rows]


def _with_standings(rows: Sequence[models.Row], standings: Mapping[int, Row[Any]]) -> list[models.Row]:
    return [
        row.model_copy(
            update={
                "spent": _spent(standings[row.run], row.n),
                "spread": _spread(standings[row.run]),
                "answers": standings[row.run].total - row.states.error - row.states.missing,
                "truncated": standings[row.run].truncated,
            }
        )
        if row.run in standings
        else row
        for row in rows
    ]


def _spent(standing: Row[Any], n: int) -> models.Spent | None:
    """None for answers that were sent in, and for solvers that call no model."""
    if not standing.calls and not standing.prompt_tokens:
        return None
    return models.Spent(
        calls=standing.calls,
        prompt_tokens=standing.prompt_tokens,
        completion_tokens=standing.completion_tokens,
        cost=standing.cost,
        cost_per_question=None if standing.cost is None or not n else standing.cost / n,
        currency=standing.currency,
        latency_median_ms=standing.latency_median_ms,
        latency_p95_ms=standing.latency_p95_ms,
    )


def _spread(standing: Row[Any]) -> models.Repeats | None:
    means = standing.repeat_scores
    if means is None or len(means) < 2:
        return None
    return models.Repeats(repeats=len(means), lowest=min(means), highest=max(means), deviation=stdev(means))


def _size_of(run: Row[Any], scope: str, size: Size) -> Size:
    """What a run that is not scored there lacks of a scope; which questions of a template a sample has is not told."""
    if run.public_only and run.sample is None:
        return Size(size.n - size.hidden, size.n - size.hidden)
    if run.sample is None:
        return size
    return Size(run.sample, run.sample) if scope == ALL else Size()


def _row(run: Row[Any], aggregate: Row[Any] | None, size: Size) -> models.Row:
    rotated = is_rotated(run.presentation)
    known = {"rank": None, "name": run.label, "kind": run.kind, "solver": run.solver, "run": run.id}
    known["tools"] = tools_of(run.presentation)
    known |= {
        "status": run.status,
        "rotated": rotated,
        "sample": run.sample,
        "carried_from": run.carried_from,
    }
    known["public_only"] = run.public_only
    if aggregate is None:
        states = States(missing=run.repeats * (size.rotations if rotated else size.n))
        return models.Row(**known, score=None, low=None, high=None, n=size.n, states=states)
    states = States(**aggregate.states)
    known["step"] = step_of_mean(size.hidden, size.n) if aggregate.n == size.n else None
    known["sql"] = None if aggregate.sql is None else models.Sql(**aggregate.sql)
    if run.status != "complete":
        return models.Row(**known, score=None, low=None, high=None, n=aggregate.n, states=states)
    return models.Row(
        **known, score=aggregate.score, low=aggregate.low, high=aggregate.high, n=aggregate.n, states=states
    )


def _expectation(expected: Mapping[tuple[str, str], Row[Any]], scope: str, kind: str, n: int) -> float | None:
    """Only where it stands for every question of the scope: half a data set's chance is no line to compare with."""
    row = expected.get((scope, kind))
    return row.value if row is not None and row.n == n else None


def attribution_of(licences: Sequence[Mapping[str, Any]]) -> str:
    """Whom to name, and under which licence, each once."""
    told = (
        f"{one.get('attribution', '© OpenStreetMap contributors')}, {one.get('name', 'ODbL-1.0').replace('-', ' ')}"
        for one in licences
    )
    return "; ".join(dict.fromkeys(told)) or ATTRIBUTION


def attribution_of_versions(connection: Connection, version_ids: Sequence[int]) -> str:
    """The same of published versions."""
    rows = connection.execute(queries.LICENCES, {"version_ids": list(version_ids)})
    return attribution_of([row.licence for row in rows])
