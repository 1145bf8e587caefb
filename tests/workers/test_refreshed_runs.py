"""A run goes on after a refresh: only prompts that changed are asked, counted at the endpoint; the rest carries over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.settings import Settings
from tests.support.command_line import Done, generate
from tests.support.command_line import trigpoint as run_trigpoint
from tests.support.processes import Scripted, Workers, query
from tests.support.random_edits import Editing
from tests.support.town import TIMESTAMP, import_map, make_town

pytestmark = pytest.mark.long
PROMPTS = """
select q.prompt_hash
from question q join dataset_version v on v.id = q.version_id
where v.number = :number
"""


def edited(folder: Path) -> Path:
    """The town on the next day: places are renamed, moved and deleted."""
    town, later = make_town(), "2024-05-07T07:08:09Z"
    editing = Editing(town.xml().replace(TIMESTAMP, later), later)
    places = editing._tagged("node", having="name")
    for number, place in enumerate(places[::9]):
        if number % 3 == 0:
            editing.root.remove(place)
        elif number % 3 == 1:
            editing._tag(place, "name", f"New {number}")
        else:
            editing._tag(place, "addr:street", "New Street")
    return editing.write(folder / "later.osm")


def test_exactly_the_changed_prompts_are_asked(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], tmp_path: Path
) -> None:
    def trigpoint(*arguments: str) -> Done:
        done = run_trigpoint(quick, *arguments, "--json")
        assert done.status == 0, done.err
        return done

    import_map(quick, make_town().write(tmp_path / "town.osm"), "town")
    generate(quick, "urban_knowledge", "town", "toy", "--per-template", "6", "--bank", "6")
    workers.start()
    server = endpoint("first_option")
    direct = ("--solver", "direct", "--endpoint", server.url, "--temperature", "0")
    first = trigpoint("evaluate", "toy@1", *direct).json
    asked = len(server.requests())
    assert (first["status"], asked) == ("complete", first["total"])

    import_map(quick, edited(tmp_path), "town")
    fates = trigpoint("refresh", "toy", "--snapshot", "town").json
    assert min(fates["kept"], fates["updated"] + fates["replaced"]) > 0
    before, after = ({row[0] for row in query(quick, PROMPTS, number=number)} for number in (1, 2))
    changed = after - before
    second = trigpoint("evaluate", "toy@2", *direct, "--reuse").json
    assert (second["status"], second["total"]) == ("complete", len(after))
    assert second["endpoint_requests"] == len(changed) == len(server.requests()) - asked
    assert 0 < len(changed) < len(after) / 2
    shown = trigpoint("run", "show", str(second["run"])).json
    assert shown["progress"]["reused"] == len(after) - len(changed)
