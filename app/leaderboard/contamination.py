"""Whether a model has seen a data set before: more right on known questions than on fresh ones, and canaries repeated.

Reads runs of two versions as the api role: questions that are hidden by themselves count for nothing here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.leaderboard import queries, queries_contamination
from app.leaderboard.board import LICENCE_URL, ProfileName, attribution_of_versions
from app.leaderboard.setups import differing, setup_of
from app.questions.twins import answerable, pair_twins, read_twinned
from app.questions.versions import PublishedVersion, find_version
from app.scores.aggregating import ALL
from app.scores.comparing import public_values
from app.scores.gaps import METHOD, Gap, Valued, paired_gap, separate_gap
from app.scores.grouping import read_traits
from app.scores.pairs import LEAST_PLACES
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile

Pairing = Literal["twins", "same_questions", "none"]
Shown = Literal["gap", "no_gap", "reverse", "untested"]
SIDES: Mapping[str, tuple[str, str]] = {
    "fresh": ("the public questions", "fresh ones"),
    "permuted": ("the questions of the map as it is", "those of the permuted map"),
}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class SeenRun(_Model):
    """A run, and its mean over the questions that count here."""

    run: int
    name: str
    dataset: str
    version: int
    score: float


class TemplateGap(_Model):
    """The gap of one template, in shares of 1."""

    template: str
    n: int
    known: float
    fresh: float
    gap: float
    low: float | None = Field(description="end of the 95 % interval; null with fewer than six places")
    high: float | None


class FoundCanary(_Model):
    """A canary of a data set version in the completions of a run."""

    run: int
    dataset: str
    version: int
    canary: str
    questions: int = Field(description="public questions with a completion that has the canary")


class CanariesOfRun(_Model):
    """The canaries of data set versions in a run's completions of public questions."""

    run: int
    canaries: list[FoundCanary]


class Contamination(_Model):
    """What of a run shows that its model has seen questions before. Public questions alone."""

    known: SeenRun
    fresh: SeenRun
    profile: str
    pairing: Pairing = Field(
        description="twins: a question and its fresh twin; same_questions: one question on both maps; none: no pairs"
    )
    permuted: bool = Field(description="whether the second run is of a map that `trigpoint permute` wrote")
    n: int = Field(description="pairs, or questions of the first run where there are no pairs")
    unpaired: int = Field(description="public answered questions of the first run that do not count here")
    places: int = Field(description="clusters: questions about one place are not independent")
    gap: float = Field(description="mean of the known questions less that of the fresh ones, in shares of 1")
    low: float | None = Field(description="end of the 95 % interval; null with fewer than six places")
    high: float | None
    shown: Shown
    verdict: str = Field(description="the same in words")
    interval: str = METHOD
    templates: list[TemplateGap]
    differ: list[str] = Field(
        description="parts of the setup in which the runs differ; a gap may come from these"
    )
    canaries: list[FoundCanary]
    attribution: str
    licence_url: str


class _Side(NamedTuple):
    run: Row[Any]
    version: PublishedVersion
    told: Row[Any]
    """The version's recipe and canary."""
    values: dict[str, Valued]
    """By question, in their order."""


def measure_contamination(
    connection: Connection, run: int, fresh_run: int, profile: ProfileName = "trigpoint"
) -> Contamination:
    """The gap between a run on questions that may have been seen, and one on fresh ones.

    Raises NotFound for a run that there is not, UsageError where the runs are of one version or of two benchmarks, or
    stand the wrong way round, Conflict where one is not complete or nothing can be compared.
    """
    known, fresh = _read_sides(connection, run, fresh_run, profile)
    rules = find_profile_for(known.version.benchmark, profile)
    pairing, pairs = _pair(connection, known, fresh)
    gap = (
        paired_gap(pairs) if pairs else separate_gap(list(known.values.values()), list(fresh.values.values()))
    )
    if gap is None:
        raise Conflict(
            f"Runs {run} and {fresh_run} have answered no public questions by the same template: nothing can be "
            "compared."
        )
    permuted = fresh.told.is_permuted and not known.told.is_permuted
    shown = _shown(gap)
    return Contamination(
        known=_seen(known, gap.known),
        fresh=_seen(fresh, gap.fresh),
        profile=rules.name,
        pairing=pairing,
        permuted=permuted,
        n=gap.n,
        unpaired=len(known.values) - gap.n,
        places=gap.places,
        gap=gap.gap,
        low=gap.low,
        high=gap.high,
        shown=shown,
        verdict=say_gap(gap, shown, *SIDES["permuted" if permuted else "fresh"]),
        templates=_by_template(known, fresh, pairs),
        differ=differing(
            setup_of(one.run.model, one.run.sampling, one.run.presentation) for one in (known, fresh)
        ),
        canaries=find_canaries(connection, [run, fresh_run]),
        attribution=attribution_of_versions(connection, [known.version.id, fresh.version.id]),
        licence_url=LICENCE_URL,
    )


def find_canaries(connection: Connection, runs: Sequence[int]) -> list[FoundCanary]:
    """The canaries of published versions that completions of these runs have, those of public questions."""
    return [
        FoundCanary(
            run=row.run,
            dataset=row.dataset,
            version=row.version,
            canary=str(row.canary),
            questions=row.questions,
        )
        for row in connection.execute(queries_contamination.CANARIES, {"runs": list(runs)})
    ]


def canaries_of_run(connection: Connection, run: int) -> CanariesOfRun:
    """The canaries in the completions of a run. Raises NotFound for one that there is not."""
    if not connection.execute(queries_contamination.VERSIONS, {"runs": [run]}).all():
        raise NotFound(f"There is no run {run}; `trigpoint run list` shows all runs.")
    return CanariesOfRun(run=run, canaries=find_canaries(connection, [run]))


def say_gap(gap: Gap, shown: Shown, known: str, fresh: str) -> str:
    """The verdict in words; figures in points, hundredths of the whole."""
    points = f"{100 * abs(gap.gap):.0f} points"
    if gap.low is None or gap.high is None:
        return (
            f"not tested: {known} are about {gap.places} different places, and a test takes {LEAST_PLACES}; the "
            f"difference is {100 * gap.gap:+.0f} points"
        )
    if shown == "no_gap":
        ends = _ends(gap.low, gap.high)
        return f"no gap shown: a difference of {100 * gap.gap:+.0f} points ({ends}), which may be 0"
    if shown == "reverse":
        ends = _ends(-gap.high, -gap.low)
        return f"a gap the other way, of {points} ({ends}): less was right on {known} than on {fresh}"
    return f"a gap of {points} ({_ends(gap.low, gap.high)}): more was right on {known} than on {fresh}"


def _ends(low: float, high: float) -> str:
    return f"{100 * low:.0f} to {100 * high:.0f}"


def _shown(gap: Gap) -> Shown:
    if gap.low is None or gap.high is None:
        return "untested"
    if gap.low > 0:
        return "gap"
    return "reverse" if gap.high < 0 else "no_gap"


def _seen(side: _Side, score: float) -> SeenRun:
    return SeenRun(
        run=side.run.run,
        name=side.run.name,
        dataset=side.version.name,
        version=side.version.number,
        score=score,
    )


def _read_sides(
    connection: Connection, run: int, fresh_run: int, profile: ProfileName
) -> tuple[_Side, _Side]:
    wanted = [run, fresh_run]
    told = {row.run: row for row in connection.execute(queries_contamination.VERSIONS, {"runs": wanted})}
    for one in wanted:
        if one not in told:
            raise NotFound(f"There is no run {one}; `trigpoint run list` shows all runs.")
    if told[run].version_id == told[fresh_run].version_id:
        raise UsageError(
            f"Runs {run} and {fresh_run} are of one version. Name a run on the questions that may have been seen, and "
            "one on fresh ones; `trigpoint compare` compares runs of one version."
        )
    binds = {"runs": wanted, "scope": ALL, "profile": "", "profile_version": 0}
    rows = {row.run: row for row in connection.execute(queries.RUNS_TO_COMPARE, binds)}
    versions = {one: find_version(connection, rows[one].reference) for one in wanted}
    if versions[run].benchmark != versions[fresh_run].benchmark:
        raise UsageError(
            f"Run {run} is of {versions[run].benchmark} and run {fresh_run} of {versions[fresh_run].benchmark}: "
            "questions of one benchmark can be compared."
        )
    for one in wanted:
        if rows[one].status != "complete":
            raise Conflict(f"Run {one} is not complete: only complete runs can be compared.")
    rules = find_profile_for(versions[run].benchmark, profile)
    values = {
        one: _values(connection, versions[one].id, dict(zip(places.tolist(), means.tolist(), strict=True)))
        for one, places, means in public_values(connection, rules, wanted)
    }
    for one in wanted:
        if one not in values:
            raise Conflict(f"Run {one} has answered no public question: nothing can be compared.")
    known, fresh = (_Side(rows[one], versions[one], told[one], values[one]) for one in wanted)
    _check_scored(connection, rules, wanted)
    return known, fresh


def _check_scored(connection: Connection, rules: Profile, runs: Sequence[int]) -> None:
    """Raise Conflict for a run whose answers are not scored yet: they would all count 0."""
    binds = {**rules.version_binds(), "runs": list(runs), "scope": ALL}
    for row in connection.execute(queries.RUNS_TO_COMPARE, binds):
        if row.score is None:
            raise Conflict(
                f"Run {row.run} is not scored yet: a worker will score it, or give `trigpoint run rescore {row.run}`."
            )


def _values(connection: Connection, version_id: int, means: Mapping[int, float]) -> dict[str, Valued]:
    positions = connection.execute(queries.POSITIONS, {"version_id": version_id}).scalars().all()
    return {
        one.id: Valued(means[position], one.place, one.template)
        for position, one in zip(positions, read_traits(connection, version_id), strict=True)
        if position in means
    }


def _pair(connection: Connection, known: _Side, fresh: _Side) -> tuple[Pairing, list[tuple[Valued, Valued]]]:
    """How questions of the runs belong together, and the pairs that both answered."""
    for one, other in ((fresh, known), (known, fresh)):
        twin_of = one.told.recipe.get("twin_of")
        if twin_of is not None and twin_of["canary"] == str(other.told.canary):
            if one is known:
                raise UsageError(
                    f"{known.version.reference} is the fresh one: its questions are the twins of those of "
                    f"{fresh.version.reference}. Name run {fresh.run.run} first."
                )
            if twin_of.get("same_questions"):
                break
            twins = pair_twins(
                *(answerable(read_twinned(connection, side.version)) for side in (known, fresh))
            )
            return "twins", _both(known, fresh, twins)
    same = {question: question for question in known.values if question in fresh.values}
    return ("same_questions", _both(known, fresh, same)) if same else ("none", [])


def _both(known: _Side, fresh: _Side, pairs: Mapping[str, str]) -> list[tuple[Valued, Valued]]:
    return [
        (known.values[one], fresh.values[other])
        for one, other in pairs.items()
        if one in known.values and other in fresh.values
    ]


def _by_template(known: _Side, fresh: _Side, pairs: Sequence[tuple[Valued, Valued]]) -> list[TemplateGap]:
    found = []
    for name in dict.fromkeys(one.template for one in known.values.values()):
        if pairs:
            of_template = [pair for pair in pairs if pair[0].template == name]
            gap = paired_gap(of_template) if of_template else None
        else:
            gap = separate_gap(
                [one for one in known.values.values() if one.template == name],
                [one for one in fresh.values.values() if one.template == name],
            )
        if gap is not None:
            found.append(TemplateGap(template=name, **gap._asdict()))
    return found
