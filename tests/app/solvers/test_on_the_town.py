"""Solvers that know the map, on questions of every kind: the oracle is right, and random has something to draw from."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.registry import get_scorer
from app.solvers.oracle import say_gold
from app.solvers.random import distributions
from tests.support.command_line import generate
from tests.support.town import benchmarks, import_map, make_town


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    found = make_database()
    import_map(found, make_town().write(tmp_path_factory.mktemp("town") / "town.osm"), "town")
    done = generate(found, "gsqa", "town", "all", "--bank", "30", "--per-template", "10")
    assert done.status == 0, done.err
    return found


ROWS = text("""
select
    question.id,
    question.template,
    question.answer_type,
    question.scorer,
    gold.value as gold,
    proof.parameters
from question
inner join gold
    on question.version_id = gold.version_id and question.id = gold.question_id and gold.is_default
inner join proof on question.version_id = proof.version_id and question.id = proof.question_id
""")


def test_the_oracle_is_right_and_random_is_not(settings: Settings) -> None:
    with connect(settings, Role.WORKER) as connection:
        rows = connection.execute(ROWS).all()
        (version,) = connection.execute(text("select id from dataset_version")).scalars()
        drawn = distributions(connection, version)
    seen = set()
    for row in rows:
        seen.add(row.template)
        judge = get_scorer(row.scorer).judge
        said = judge(say_gold(row.answer_type, row.gold), row.gold, None)
        assert said.outcome == "correct", row
        assert said.value == pytest.approx(1.0, abs=1e-6), row
        values = [judge(answer, row.gold, None).value for answer in drawn[row.id]]
        assert all(answer for answer in drawn[row.id])
        assert sum(values) / len(values) < 0.9 or len(values) == 1, (row.template, row.parameters)
    assert {"T11", "T12", "T21", "T23", "T25", "T26", "T28"} <= seen <= set(benchmarks()["gsqa"].templates)


def test_what_random_draws_from(settings: Settings) -> None:
    """Distances are hundredths of the range; lengths of all the town's streets; names those of the kind."""
    with connect(settings, Role.WORKER) as connection:
        rows = {row.id: row for row in connection.execute(ROWS)}
        (version,) = connection.execute(text("select id from dataset_version")).scalars()
        drawn = distributions(connection, version)
    by_template = {row.template: row for row in rows.values()}
    ranged = by_template["T25"]
    assert drawn[ranged.id][-1] == f"{round(ranged.parameters['distance'])} m"
    assert len(drawn[ranged.id]) == 100
    (streets,) = (
        row for row in rows.values() if (row.template, row.parameters.get("line")) == ("T28", "residential")
    )
    # Toy Street 700, Long Lane 600, Border Road 1,000, Rand 2,000 and Stub 3,000 m; around Junction Field 600 m of Main
    # Street, 360, 100 and 180 of the lanes that it meets, 51 of Second Hop, twice 60 of those that meet nothing.
    assert float(drawn[streets.id][-1].removesuffix(" m")) == pytest.approx(8711, rel=1e-3)
    (longest,) = (
        row for row in rows.values() if (row.template, row.parameters.get("line")) == ("T12", "residential")
    )
    lanes = {f"{name} Lane" for name in ("First", "Middle", "Last", "Quiet", "Park", "Long")}
    assert set(drawn[longest.id]) == lanes | {
        "Toy Street", "Border Road", "Rand", "Stub", "Main Street", "Second Hop",
    }  # fmt: skip
