"""`trigpoint geoflow …`: the ontology, and what is wrong with a graph."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from tests.app.geoflow.test_graphs import ROUTE, changed
from tests.support.command_line import Done, trigpoint
from tests.support.town import Imported


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


def test_a_graph_is_drawn_as_a_page_that_stands_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    hostile = changed(steps__2__inputs__origin=None, concepts__0__name="</svg><script>alert(1)</script>")
    assert geoflow("draw", written(tmp_path, hostile), "--to", str(page)).status == 0
    text = page.read_text()
    assert text.count('class="flow-box ') >= len(hostile["concepts"])
    assert "port origin of directions is bound to nothing" in text
    assert "<script" not in text
    assert "href=" not in text


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


def test_a_graph_is_executed_on_a_map(tmp_path: Path, town: Imported) -> None:
    museum = {"id": "a", "name": "Museum Alpha", "type": "LOCATION", "role": "EXTENT"}
    step = {"id": "s1", "op": "geocode", "inputs": {"place": "a"}, "outputs": ["b"]}
    plan: dict[str, Any] = {
        "concepts": [museum, {"id": "b", "type": "LOCATION", "role": "MEASURE"}],
        "steps": [step],
        "measure": "b",
    }
    done = trigpoint(town.settings, "geoflow", "run", written(tmp_path, plan), "--snapshot", "town", "--json")
    told = json.loads(done.out)
    assert (done.status, told["snapshot"]) == (0, "town@2024-05-06T07:08:09Z")
    assert told["measure"]["id"] == town.key("Museum Alpha")
    assert told["trace"][0]["calls"] == [{"tool": "place_search", "arguments": {"query": "Museum Alpha"}}]
    lost = plan | {"concepts": [museum | {"name": "Atlantis"}, plan["concepts"][1]]}
    done = trigpoint(town.settings, "geoflow", "run", written(tmp_path, lost), "--snapshot", "town")
    assert done.status == 1
    assert "failed" in done.out


def test_half_a_surrogate_is_replaced_and_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    concept = {"id": "m", "type": "FIELD", "role": "MEASURE", "name": "Vaduz\ud800"}
    graph = written(tmp_path, {"concepts": [concept], "steps": [], "measure": "m"})
    checked = geoflow("check", graph, "--json")
    assert checked.status == 1
    assert "no step computes m" in checked.out
    drawn = geoflow("draw", graph, "--to", str(tmp_path / "nowhere" / "page.html"))
    assert drawn.status == 2
    assert "cannot be written: No such file or directory" in " ".join(drawn.err.split())
