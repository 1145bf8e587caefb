"""An agent of rules that sees texts and tools alone answers the nine types of mapqa over Liechtenstein.

Its rules were written from texts, apart from the generator: where it and the gold agree, the texts say enough, and the
tools tell what is asked. By published keys of distances, exact ones are never right (published/test_distances.py).
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.settings import Settings
from tests.app.predictions.test_worker import work
from tests.app.solvers.agents.test_rule_agent_long import MARKS, find_wrong
from tests.support.agent_runs import plan_agent_over
from tests.support.command_line import generate
from tests.support.processes import query
from tests.support.rule_agent_amenities import serving_amenity_agent
from tests.support.scored_runs import score
from tests.support.town import import_map

pytestmark = pytest.mark.long
EACH = 12
TYPES = 9
SILENT = """
select question.template, question.prompt
from prediction
inner join question on question.version_id = prediction.version_id and question.id = prediction.question_id
where prediction.run_id = :id and prediction.state <> 'answered'
"""


def test_it_is_right_on_every_question_of_all_types(
    make_database: Callable[[], Settings], extracts: Path
) -> None:
    settings = make_database()
    import_map(settings, extracts / "liechtenstein-2022-07-24.osm.pbf", "liechtenstein")
    size = str(EACH)
    more = ("--seed", "19", "--bank", size, "--per-template", size, "--register", "mixed")
    done = generate(settings, "mapqa", "liechtenstein", "asked", *more)
    assert done.status == 0, done.err
    with serving_amenity_agent() as endpoint:
        run_id = plan_agent_over(settings, "asked", endpoint.url, "tools")
        assert work(settings) == [run_id]
    score(settings, run_id)
    marks = query(settings, MARKS, id=run_id)
    silent = [(row.template, row.prompt[-1]["text"], None) for row in query(settings, SILENT, id=run_id)]
    wrong = find_wrong(marks) + silent
    assert {row.register for row in marks} == {"precise", "everyday"}
    assert len(marks) + len(silent) == TYPES * EACH
    assert wrong == []
