"""Contexts, pictures, names and stations: both harnesses give each answer our value, and datasets loads what is exported.

On a part of Manhattan, where a seventh of the questions cannot be answered; those for stations on Liechtenstein with
planted ones.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.drawing.engine import say_what_is_missing
from app.exports.exported import Export
from app.exports.formats import FORMATS
from app.exports.tasks.folder import task_name
from app.exports.versions import read_published
from app.exports.writing import write_files
from app.questions.generating import Recipe, generate
from app.questions.pictures.engines import engine_of
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.questions.versions import find_version
from app.routing.apart import RoutersApart
from osm_import.planting import plant
from tests.support.harnesses import LOGS, answers_to, by_inspect, by_lm_eval, ours, submitted, with_worker
from tests.support.peers import ask_peer
from tests.support.routers import own_routers
from tests.support.seeing import is_sight_trial, look
from tests.support.town import benchmarks, import_map
from tests.support.turns_endpoint import Message, serving_turns

pytestmark = pytest.mark.long
TEMPLATES = {
    "mapeval": (
        "Straight_Line_Distance",
        "Direction_From",
        "Closest_Pair",
        "Open_At",
        "Count_Within",
        "Nearest_Of_Type",
        "Not_On_The_Map",
    ),
    "mapeval_visual": ("Kind_In_Picture", "Nearest_In_Picture", "Not_In_Picture"),
    "mapqa": ("Amenity_Of", "Amenities_Around", "Adjacent", "Distance", "Closer_Of_Two", "At_Intersection"),
    "evgeoqa": ("Destination_With_Activity", "Destination_By_Drive"),
}
EACH = {"mapeval": 3, "mapeval_visual": 4, "mapqa": 3, "evgeoqa": 8}
MAPS = {"evgeoqa": "planted"}
"""The map of a benchmark's questions where it is not Manhattan."""
DRIVES = {"evgeoqa"}
"""Benchmarks whose questions are made with a router."""
MEASURES = {"evgeoqa"}
"""Benchmarks whose answers are measured on the earth, for which a task needs pyproj."""
LOAD = """
import json, sys
from datasets import load_dataset
loaded = load_dataset(sys.argv[1])
print(json.dumps({split: [dict(row) for row in rows] for split, rows in loaded.items()}))
"""
KINDS = {"mapeval": {"text", "context"}, "mapeval_visual": {"text", "image"}}
"""Parts of prompts; questions that are text alone need none."""
Runner = Callable[..., tuple[float, dict[str, float]]]


@pytest.fixture(scope="module")
def served(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """A data set of each benchmark, called by its name, and a worker."""
    settings = make_database()
    import_map(settings, extracts / "manhattan-part-2020-01-15.osm.pbf", "manhattan")
    planted = tmp_path_factory.mktemp("planted") / "planted.osm.pbf"
    plant(extracts / "liechtenstein-2022-07-24.osm.pbf", planted, "charging_station", 120, 1)
    import_map(settings, planted, "planted")
    for name, templates in TEMPLATES.items():
        if name != "mapeval_visual" or not say_what_is_missing():
            with own_routers(settings, tmp_path_factory.mktemp("routers")) as own:
                make(own, name, templates)
    with with_worker(settings, tmp_path_factory.mktemp("served")) as own:
        yield own


def make(settings: Settings, name: str, templates: tuple[str, ...]) -> None:
    """Questions of a few templates of a benchmark, as the first version of a data set of its name."""
    whole = benchmarks()[name]
    few = replace(whole, templates={one: whole.templates[one] for one in templates})
    each = EACH[name]
    with connect(settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [MAPS.get(name, "manhattan")])
        routers = RoutersApart(settings, Role.WORKER) if name in DRIVES else None
        recipe = Recipe(
            few,
            maps,
            3,
            each,
            each,
            0.0,
            register="mixed",
            drawing=engine_of(few),
            router=routers.engine if routers else None,
        )
        made = generate(connection, recipe, lambda *told: None, routers)
        assert len(made.records) == each * len(templates)
        store(connection, name, 1, made, SystemClock())
        connection.commit()


def read(settings: Settings, name: str) -> Export:
    """The data set with its gold."""
    if name == "mapeval_visual" and (missing := say_what_is_missing()):
        pytest.skip(f"{missing}: scripts/visual installs it")
    with connect(settings, Role.MAINTAINER) as connection:
        return read_published(connection, find_version(connection, name), True, True)


@pytest.mark.usefixtures("peers")
@pytest.mark.parametrize("name", TEMPLATES)
def test_harnesses_score_as_we_do_and_their_logs_are_submissions(
    served: Settings, tmp_path: Path, name: str
) -> None:
    """Question by question, and in the mean; pictures go to the model, or there is no task."""
    exported = read(served, name)
    runners: dict[str, Runner] = {"inspect": by_inspect, "lm-eval": by_lm_eval}
    if exported.assets:
        with pytest.raises(
            UsageError, match="has questions with pictures, which lm-evaluation-harness does not"
        ):
            FORMATS["lm-eval"](exported)
        del runners["lm-eval"]
    with serving_turns(reader_of(exported)) as model:
        mean, values = ours(served, name, model.url, "turns")
        assert len(values) == len(exported.questions)
        assert 0.2 < mean < 0.9
        assert mean == pytest.approx(fmean(values.values()), abs=1e-9)
        for form, run in runners.items():
            folder = tmp_path / form
            write_files(FORMATS[form](exported), folder)
            assert ("pip install pyproj" in (folder / "README.md").read_text()) == (name in MEASURES)
            got, by_question = run(folder, task_name(exported.version), model.url, "turns")
            assert by_question == pytest.approx(values, abs=1e-9), form
            assert got == pytest.approx(mean, abs=1e-9), form
            (log,) = (folder / "logs").glob(LOGS[form])
            again, as_submitted = submitted(served, name, form, log)
            assert as_submitted == pytest.approx(values, abs=1e-9), form
            assert again == pytest.approx(mean, abs=1e-9), form
    shown = [pictures_in(body) for body in model.asked if not is_sight_trial(body)]
    assert len(shown) == len(exported.questions) * (1 + len(runners))
    assert all(pictures == bool(exported.assets) for pictures in shown)


def reader_of(exported: Export) -> Callable[[dict[str, Any]], Message]:
    """A model that sees, and answers these questions in every way, right ones too."""
    said = list(zip(exported.questions, answers_to(list(exported.questions)), strict=True))

    def say(body: dict[str, Any]) -> Message:
        if is_sight_trial(body):
            return {"content": look(body)}
        prompt = json.dumps(body["messages"], ensure_ascii=False)
        asked = (
            answer
            for one, answer in said
            if all(
                json.dumps(text, ensure_ascii=False)[1:-1] in prompt
                for text in (one.text, *(one.options or ()))
            )
        )
        return {"content": next(asked, "I do not know")}

    return say


def pictures_in(body: dict[str, Any]) -> int:
    """How many pictures a call of the model shows."""
    return sum(
        part["type"] == "image_url"
        for message in body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    )


@pytest.mark.parametrize("name", TEMPLATES)
def test_datasets_loads_what_is_exported_for_it(
    served: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Every question with its context or the file of its picture, options, gold and what leads to it."""
    exported = read(served, name)
    write_files(FORMATS["parquet"](exported), tmp_path / "files")
    for variable, value in {"HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}.items():
        monkeypatch.setitem(os.environ, variable, value)
    (rows,) = ask_peer(LOAD, str(tmp_path / "files")).values()
    assert [row["id"] for row in rows] == [one.id for one in exported.questions]
    for row, one in zip(rows, exported.questions, strict=True):
        told = one.values()
        assert (row["text"], row["options"]) == (told["text"], told["options"])
        parts = [key for key in ("prompt", "gold") if key in told]
        assert {key: json.loads(row[key]) for key in parts} == {key: told[key] for key in parts}
        assert json.loads(row["solutions"]) == told["solutions"]
        shown = [part for part in told.get("prompt", ()) if part["type"] == "image"]
        assert all((tmp_path / "files" / part["file"]).is_file() for part in shown)
    kinds = {part["type"] for row in rows for part in json.loads(row.get("prompt") or "[]")}
    assert kinds == KINDS.get(name, set())
