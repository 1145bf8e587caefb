"""`trigpoint geoflow …`: the ontology, and what is wrong with a graph."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from tests.app.geoflow.test_graphs import ROUTE, changed
from tests.support.command_line import Done, trigpoint


def geoflow(*arguments: str) -> Done:
    return trigpoint(Settings.load(), "geoflow", *arguments)


def written(folder: Path, plan: Any) -> str:
    file = folder / "graph.json"
    file.write_text(plan if isinstance(plan, str) else json.dumps(plan))
    return str(file)


def test_the_ontology_is_shown() -> None:
    shown = json.loads(geoflow("ontology", "--json").out)
    assert [len(shown[part]) for part in ("concepts", "roles")] == [7, 6]
    available = {one["name"]: one["available"] for one in shown["operators"]}
    assert available["directions"]
    assert not available["transit_directions"]
    assert "opening_hours" in geoflow("ontology").out


def test_a_well_formed_graph_passes_and_a_broken_one_is_explained(tmp_path: Path) -> None:
    assert geoflow("check", written(tmp_path, ROUTE)).status == 0
    done = geoflow("check", written(tmp_path, changed(steps__2__inputs__origin=None)), "--json")
    assert done.status == 1
    (fault,) = [one for one in json.loads(done.out)["violations"] if one["constraint"] == "G4"]
    assert fault["edge"] == "s3.origin"
    assert fault["mend"] == "bind it to a concept of type LOCATION"


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ("{", "is not JSON"),
        ([], "a graph is an object"),
        ("[" * 100_000, "is not JSON"),
        (" " * 200_000, "longer"),
    ],
)
def test_what_is_no_graph_gets_one_sentence(tmp_path: Path, plan: Any, says: str) -> None:
    done = geoflow("check", written(tmp_path, plan))
    assert (done.status, done.out) == (2, "")
    assert says in " ".join(done.err.split())
    assert "Traceback" not in done.err
