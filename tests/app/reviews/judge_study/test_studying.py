"""A study from the pages to the report: two people, two judges, hidden questions, files with faults."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.reviews.judge_study.marks import read_file
from app.reviews.judge_study.models import JudgeStudy, Pair
from app.reviews.judge_study.report import as_markdown
from app.reviews.judge_study.responses import Response, StudiedRun, draw_responses, read_run
from app.reviews.judge_study.sheets import write_pages
from app.reviews.judge_study.studying import study
from tests.support.checked_reasoning import CROSSING
from tests.support.command_line import trigpoint
from tests.support.factories import make_run, make_version
from tests.support.judged_runs import judged_question, make_verdicts, verdicts_by

TASKS = ["DS"] * 6 + ["NV"] * 5
HIDDEN = "RC"


class Made(NamedTuple):
    settings: Settings
    run: int
    judges: list[int]

    def read(self) -> StudiedRun:
        with connect(self.settings, Role.MAINTAINER) as connection:
            return read_run(connection, self.run)

    def study(self, *files: Path) -> JudgeStudy:
        with connect(self.settings, Role.MAINTAINER) as connection:
            return study(connection, self.run, [read_file(path) for path in files])


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    """The first judge takes off more from each response than from the one before, the second the same from all."""
    settings = make_database()
    questions = [judged_question(task, place) for place, task in enumerate(TASKS)]
    version = make_version(settings, [*questions, judged_question(HIDDEN, 99, "hidden")])
    run = make_run(settings, version, [*(["2"] * len(TASKS)), "planted"])
    asked = [*TASKS, HIDDEN]
    judges = [
        make_verdicts(
            settings,
            version,
            run,
            verdicts_by(asked, lambda place, _: {"clarity": 0.15 * place + 0.2}),
            "one",
        ),
        make_verdicts(settings, version, run, verdicts_by(asked, lambda place, _: {"answer": 4.0}), "same"),
    ]
    return Made(settings, run, judges)


def marks(response: Response, points: Mapping[str, float]) -> dict[str, Any]:
    """Full marks but for these."""
    full = {part: response.rubric.maximum_of(part) for part in response.rubric.parts()}
    return {"item": response.key.text, "marks": {**full, **points}}


def write_marks(path: Path, run: int, items: list[Any], **other: Any) -> Path:
    path.write_text(json.dumps({"run": run, "seed": 5, "per_task": 4, "items": items, **other}))
    return path


def pair(found: JudgeStudy, first: str, second: str, measure: str = "total") -> Pair:
    (one,) = [one for one in found.pairs if (one.first, one.second, one.measure) == (first, second, measure)]
    return one


def test_the_sample_is_stratified_public_and_the_same_again(made: Made) -> None:
    run = made.read()
    assert len(run.responses) == len(TASKS)
    sample = draw_responses(run.responses, 4, 5)
    assert [one.rubric.task for one in sample] == ["DS"] * 4 + ["NV"] * 4
    assert sample == draw_responses(run.responses, 4, 5)
    assert sample != draw_responses(run.responses, 4, 6)
    assert len(draw_responses(run.responses, 100, 5)) == len(TASKS)


def test_pages_show_the_rubric_and_no_judges_mark(made: Made, tmp_path: Path) -> None:
    run = made.read()
    sample = draw_responses(run.responses, 4, 5)
    paths = write_pages(tmp_path / "new", run, sample, 2, 4, 5)
    pages = [path.read_text() for path in paths]
    orders = [re.findall(r'data-item="([^"]+)"', page) for page in pages]
    assert orders[0] != orders[1]
    assert {*orders[0]} == {*orders[1]} == {one.key.text for one in sample}
    for page in pages:
        assert page.count('data-part="formula"') == 4
        assert "2-3: right formula with a slip in its steps" in page
        assert "planted" not in page
        assert "examiner" not in page
        assert "a fault" not in page
    with pytest.raises(UsageError, match="is there already and may hold marks"):
        write_pages(tmp_path / "new", run, sample, 3, 4, 5)


def test_people_and_judges_are_compared(made: Made, tmp_path: Path) -> None:
    """Ann sees what the first judge sees, twice as hard; Ben sees it halfway round; the second judge marks all alike."""
    run = made.read()
    sample = draw_responses(run.responses, 4, 5)
    place = {one.key: number for number, one in enumerate(run.responses)}

    def by(scale: float, turned: bool) -> list[Any]:
        return [
            marks(one, {"clarity": 2.0 - scale * ((10 - place[one.key]) if turned else place[one.key]) / 10})
            for one in sample
        ]

    ann = write_marks(tmp_path / "ann.json", made.run, by(2.0, False))
    ben = write_marks(tmp_path / "ben.json", made.run, by(1.0, True)[:6])
    found = made.study(ann, ben)
    first, second = (
        f"run {number} ({name})" for number, name in zip(made.judges, ("one", "same"), strict=True)
    )
    assert [(one.name, one.kind, one.responses) for one in found.raters] == [
        ("ann", "person", 8),
        ("ben", "person", 6),
        (first, "judge", 11),
        (second, "judge", 11),
        ("people", "people", 8),
    ]
    assert found.sampled == {"DS": 4, "NV": 4}
    people = pair(found, "ann", "ben")
    assert (people.among, people.pearson.n) == ("people", 6)
    assert people.pearson.value is not None
    assert people.pearson.value < 0.5
    judged = pair(found, "ann", first, "reason")
    assert judged.pearson.n == 8
    assert judged.spearman.value is not None
    assert judged.spearman.value > 0.7
    assert judged.spearman.low is not None
    alike = pair(found, first, second, "reason")
    assert alike.pearson.value is None, "the second judge's marks of reasoning do not vary"
    (own, other) = found.methods
    # The answers are right: NV's answer is the judge's own under both methods, so only DS of the second judge differs.
    assert own.mean_difference == pytest.approx(0.0)
    assert other.mean_difference == pytest.approx(-(6 * 4 / 25) / 11)
    report = as_markdown(found)
    assert "not defined" in report
    assert "nan" not in report.lower().replace("ann", "")
    assert "People marked a sample of 8 (seed 5): DS 4, NV 4." in report
    assert json.loads(found.model_dump_json()) == found.model_dump(mode="json")


def test_judges_alone_can_be_compared(made: Made) -> None:
    found = made.study()
    assert [one.kind for one in found.raters] == ["judge", "judge"]
    assert found.raters[1].mean == pytest.approx((6 * 21 / 25 + 5 * 26 / 30) / 11)
    assert found.raters[0].between_levels == 11
    assert (found.seed, found.sampled) == (None, {})


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda items: [{**items[0], "item": "x:0:0"}], "item 1: 'x:0:0' is not in the sample"),
        (lambda items: [items[0], items[0]], "item 2: .* stands twice"),
        (
            lambda items: [{**items[0], "marks": {**items[0]["marks"], "clarity": 3}}],
            "clarity: 3 is not a number from 0",
        ),
        (
            lambda items: [{**items[0], "marks": {**items[0]["marks"], "clarity": "2"}}],
            "clarity: 2 is not a number",
        ),
        (
            lambda items: [{**items[0], "marks": {**items[0]["marks"], "clarity": None}}],
            "clarity has no points",
        ),
        (lambda items: [{**items[0], "marks": {**items[0]["marks"], "charm": 1}}], "has no 'charm'"),
        (lambda items: [{**items[0], "marks": {}}], "no response has marks"),
        (lambda items: ["x"], "an item is"),
    ],
)
def test_a_file_with_a_fault_is_refused(made: Made, tmp_path: Path, spoil: Any, said: str) -> None:
    sample = draw_responses(made.read().responses, 4, 5)
    path = write_marks(tmp_path / "ann.json", made.run, spoil([marks(sample[0], {})]))
    with pytest.raises(UsageError, match=said):
        made.study(path)


def test_files_of_others_are_refused(made: Made, tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("[")
    with pytest.raises(UsageError, match="is no JSON file of marks"):
        made.study(tmp_path / "text.json")
    with pytest.raises(UsageError, match="it needs the keys run, seed, per_task and items"):
        made.study(write_marks(tmp_path / "more.json", made.run, [], more=1))
    with pytest.raises(UsageError, match="it is of run 999"):
        made.study(write_marks(tmp_path / "other.json", 999, []))
    sample = draw_responses(made.read().responses, 4, 5)
    ann = write_marks(tmp_path / "ann.json", made.run, [marks(sample[0], {})])
    ben = write_marks(tmp_path / "ben.json", made.run, [], seed=6)
    with pytest.raises(UsageError, match="its seed or number of responses differs"):
        made.study(ann, ben)
    with pytest.raises(UsageError, match="rename it: 'ann' is the name of several"):
        made.study(ann, ann)


def test_runs_that_cannot_be_studied(made: Made, database: Settings) -> None:
    with connect(made.settings, Role.MAINTAINER) as connection:
        with pytest.raises(NotFound, match="no run 999"):
            read_run(connection, 999)
        with pytest.raises(UsageError, match="is a judge's"):
            read_run(connection, made.judges[0])
    version = make_version(database, [judged_question("DS")])
    waiting = make_run(database, version, ["2"], status="running")
    silent = make_run(database, version, [None])
    unjudged = make_run(database, version, ["2"])
    with connect(database, Role.MAINTAINER) as connection:
        with pytest.raises(Conflict, match="needs a complete run"):
            read_run(connection, waiting)
        with pytest.raises(UsageError, match="nothing to mark"):
            read_run(connection, silent)
        with pytest.raises(UsageError, match="No judge has marked run"):
            study(connection, unjudged, [])


def test_from_pages_to_a_report_by_the_command_line(made: Made, tmp_path: Path) -> None:
    run, folder = str(made.run), tmp_path / "pages"
    wanted = ("--people", "2", "--per-task", "4", "--seed", "5", "--to", str(folder), "--json")
    pages = trigpoint(made.settings, "run", "judge-study", run, *wanted)
    assert pages.status == 0, pages.err
    assert (pages.json["responses"], len(pages.json["files"])) == (8, 2)
    sample = draw_responses(made.read().responses, 4, 5)
    file = write_marks(tmp_path / "ann.json", made.run, [marks(one, {}) for one in sample])
    report = tmp_path / "study.md"
    told = trigpoint(
        made.settings, "run", "judge-study", run, "--marks", str(file), "--report", str(report), "--json"
    )
    assert told.status == 0, told.err
    assert told.json == made.study(file).model_dump(mode="json")
    assert report.read_text() == as_markdown(made.study(file))
    assert "| ann | 8 | 100.00 | 0 |" in report.read_text()
    both = trigpoint(made.settings, "run", "judge-study", run, "--marks", str(file), "--to", str(folder))
    assert both.status == 2
    assert "give one" in both.err


def test_checks_of_steps_are_compared_with_the_judges_marks(make_database: Callable[[], Settings]) -> None:
    """Three of four answers are wrong; the judge takes analysis off two of them, and clarity off the right one."""
    settings = make_database()
    questions = [
        replace(judged_question("RE", place), template="Relation_Of_Roads", text=f"{CROSSING}\n{place}")
        for place in range(4)
    ]
    version = make_version(settings, questions, "relations", "urban_reasoning")
    run = make_run(
        settings, version, [f"<answer>{term}</answer>" for term in ("Intersecting", *["Parallel"] * 3)]
    )
    lost = [{"clarity": 1.0}, {"analysis": 4.0}, {"analysis": 8.0}, {}]
    verdicts = verdicts_by(["RE"] * 4, lambda place, _: lost[place])
    found = Made(settings, run, [make_verdicts(settings, version, run, verdicts)]).study()
    assert [(one.task, one.checked, one.broken) for one in found.steps] == [
        ("RE", 4, {"topological blindness": 3})
    ]
    (told,) = found.checks
    assert (told.both_broken, told.both_fine, told.only_check, told.only_judge) == (2, 1, 1, 0)
    assert (told.share, told.kappa) == (0.75, 0.5)
    assert "| 4 | 2 | 1 | 1 | 0 | 75.0 | 0.50 |" in as_markdown(found)
