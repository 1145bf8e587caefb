"""T7 and T8 of the tags that real maps withhold: questions there are, and both paths agree on each."""

from dataclasses import replace

import pytest

from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots_with_facts
from tests.support.town import Imported, benchmarks


@pytest.mark.parametrize("place", ["helsinki", "liechtenstein"])
def test_withheld_tags_give_questions(place: str, request: pytest.FixtureRequest) -> None:
    imported: Imported = request.getfixturevalue(place)
    benchmark = benchmarks()["gsqa"]
    only = replace(benchmark, templates={name: benchmark.templates[name] for name in ("T7", "T8")})
    with imported.connect() as connection:
        snapshots = find_snapshots_with_facts(connection, [imported.name])
        made = generate(connection, Recipe(only, snapshots, 1, 40, 20, 0.0), lambda *progress: None)
    for name, report in made.reports.items():
        assert report.accepted > 0, (name, report)
        assert "second_path_disagrees" not in report.refused, (name, report)
        tried = report.accepted + sum(report.refused.values())
        assert tried == report.capacity or report.accepted == 40, (name, report)
    for one in made.records:
        assert one.gold["fact"]["source"] == "osm"
        assert "as given by" not in one.text, "the note says that OpenStreetMap is the source"
        assert "OpenStreetMap" in one.text
        assert "  " not in one.text
