"""Reads a study: people's files, the judges' runs over the same answers, and how far they agree."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.reviews.judge_study import queries
from app.reviews.judge_study.comparing import (
    PEOPLE,
    Rated,
    compare,
    compare_methods,
    describe,
    means_of,
    with_mean_of_people,
)
from app.reviews.judge_study.marks import Marks, MarksFile, fail, marks_of
from app.reviews.judge_study.models import JudgeStudy
from app.reviews.judge_study.responses import Key, Response, StudiedRun, draw_responses, read_run
from app.reviews.judge_study.steps import check_run, compare_with_judge, count_broken
from app.scores.verdicts import HYBRID, PURE
from app.solvers.judging.rubrics import ANSWER
from app.solvers.run_kinds import JUDGEMENT


class Judged(NamedTuple):
    """A judge's run over the studied answers: its pure marks, and its hybrid totals."""

    name: str
    pure: Mapping[Key, Marks]
    hybrid: Mapping[Key, float]


def study(connection: Connection, run_id: int, files: Sequence[MarksFile]) -> JudgeStudy:
    """What people's files and the judges' complete runs say of a run's answers.

    Raises what `read_run` does, and UsageError for files of another run or sample, or where nobody marked anything.
    """
    run = read_run(connection, run_id)
    sample = _sample(run, files)
    people = [Rated(file.person, "person", marks_of(file, sample)) for file in files]
    judges = read_judges(connection, run)
    if not people and not judges:
        raise UsageError(
            f"No judge has marked run {run_id}, and no marks of people are given: `trigpoint run judge {run_id} "
            "--endpoint URL` asks a judge, and --to writes pages for people."
        )
    raters = with_mean_of_people([*people, *(Rated(one.name, "judge", one.pure) for one in judges)])
    pairs = compare(raters)
    checked = check_run(connection, run)
    compared = [compare_with_judge(one.name, one.pure, checked) for one in judges]
    return JudgeStudy(
        run=run.run,
        label=run.label,
        dataset=run.dataset,
        seed=files[0].seed if files else None,
        per_task=files[0].per_task if files else None,
        sampled=dict(sorted(Counter(one.rubric.task for one in sample).items())),
        judged=len(run.responses),
        raters=[describe(one) for one in raters],
        means=means_of(pairs),
        pairs=pairs,
        methods=[compare_methods(one.name, one.pure, one.hybrid) for one in judges],
        steps=count_broken(run, checked),
        checks=[one for one in compared if one is not None],
    )


def _sample(run: StudiedRun, files: Sequence[MarksFile]) -> list[Response]:
    """The sample that the files are of; the first of them says which."""
    if not files:
        return []
    first, names = files[0], Counter(file.person for file in files)
    for file in files:
        if file.run != run.run:
            fail(file.path, "the file", f"it is of run {file.run}, not {run.run}")
        if (file.seed, file.per_task) != (first.seed, first.per_task):
            fail(file.path, "the file", f"its seed or number of responses differs from that of {first.path}")
        if names[file.person] > 1 or file.person == PEOPLE:
            fail(file.path, "the file", f"rename it: {file.person!r} is the name of several raters")
    return draw_responses(run.responses, first.per_task, first.seed)


def read_judges(connection: Connection, run: StudiedRun) -> list[Judged]:
    """The complete judges' runs over the run's answers."""
    found = connection.execute(queries.JUDGES, {"run_id": run.run, "kind": JUDGEMENT}).all()
    rubrics = {one.key: one.rubric for one in run.responses}
    pure: dict[int, dict[Key, Marks]] = defaultdict(dict)
    hybrid: dict[int, dict[Key, float]] = defaultdict(dict)
    profiles = (PURE, HYBRID)
    binds = {
        "runs": [row.id for row in found],
        "profiles": [one.name for one in profiles],
        "versions": [one.version for one in profiles],
    }
    for row in connection.execute(queries.MARKS, binds):
        key = Key(row.question_id, row.rotation, row.repeat)
        if key not in rubrics:
            continue
        if row.profile == HYBRID.name:
            hybrid[row.run_id][key] = row.value
            continue
        rubric = rubrics[key]
        points = {part: float(row.components[part]["value"]) for part in rubric.parts()}
        pure[row.run_id][key] = Marks(
            rubric, float(row.components["reason"]["value"]), points[ANSWER], points
        )
    return [Judged(f"run {row.id} ({row.model or row.label})", pure[row.id], hybrid[row.id]) for row in found]
