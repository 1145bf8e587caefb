"""Capacity of all 28 templates, recounted from the map file by pyosmium alone (tests/support/capacity_count.py), on real maps.

Nothing of osm_import or app has a hand in the recount. Every value that a parameter can take is compared, not counts
alone.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from app.questions.picking import open_space
from app.templates.templates import Template
from tests.support.capacity_count import (
    TEMPLATES,
    Found,
    capacities,
    count_choices,
    may_be_measured_from,
    read_found,
)
from tests.support.capacity_count_facts import read_known
from tests.support.command_line import generate, trigpoint
from tests.support.processes import scalar
from tests.support.town import Asker, Imported, benchmarks, import_map

GSQA = benchmarks()["gsqa"].templates
PICKED = {
    "anchor_poi": "anchor",
    "described_poi": "described",
    "distance_band": "band",
    "fact_attribute": "topic",
    "fact_category": "known_class",
    "place_category": "category",
    "ground": "ground",
    "line": "line",
    "narrowed_category": "filter",
    "region": "region",
    "sector": "sector",
    "surface": "surface",
}
"""What the recount calls the values of a pick; whether parts or wholes count (`semantics`) is given, not picked."""
LISTED = ["liechtenstein-2013-08-03.osm.pbf", "liechtenstein-2022-07-24.osm.pbf", "monaco-2012-07-06.osm.gz"]


@dataclass(frozen=True)
class Counted:
    """A map in a database of its own, and what pyosmium counted in its file."""

    imported: Imported
    choices: dict[str, set[object]]


def write_register(found: Found, path: Path) -> Path:
    """A facts file about all that could be an anchor: shared and own architects, capacities, years (some contradict)."""
    wanted = sorted(place.key for place in found.places if place.name and may_be_measured_from(place))
    facts: list[dict[str, Any]] = []
    for serial, key in enumerate(wanted, 1):
        said = {
            "architect": f"Baumeister {serial // 2}",
            "capacity": 10 + serial,
            "start_year": 1000 + serial,
        }
        facts += [{"subject": key, "attribute": name, "value": value} for name, value in said.items()]
    lines = [json.dumps({**fact, "credit": "the register of anchors"}) + "\n" for fact in facts]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def make_counted(settings: Settings, file: Path, register: Path | None = None) -> Counted:
    """Import and recount a map; with a facts file about its anchors, if asked to write one."""
    found = read_found(file)
    import_map(settings, file, "counted")
    if register is not None:
        done = trigpoint(settings, "facts", "load", str(write_register(found, register)))
        assert done.status == 0, done.err
    choices = count_choices(found, read_known(found, register))
    return Counted(Imported(settings, "counted", file), choices)


@pytest.fixture(scope="module")
def with_register(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Counted:
    register = tmp_path_factory.mktemp("register") / "register.jsonl"
    return make_counted(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", register)


def check_every_value(counted: Counted, templates: Mapping[str, Template] = GSQA) -> None:
    """Each template's parameters, their values, and the product of their numbers are those of the recount."""
    recounted = capacities(counted.choices)
    with counted.imported.connect() as connection:
        asker = Asker.on(connection, counted.imported.name)
        for name, template in templates.items():
            space = open_space(connection, template, 0, asker.snapshot.outline, facts=asker.snapshot.facts)
            picks = [one.pick for one in template.header.parameters.values() if one.pick != "semantics"]
            assert [PICKED[pick] for pick in picks] == TEMPLATES[name].split()
            for parameter, one in template.header.parameters.items():
                values = {pick.value for pick in space.choices[parameter]}
                if one.pick != "semantics":
                    assert values == counted.choices[PICKED[one.pick]], (name, parameter)
            assert space.capacity == recounted[name], name


def test_the_recount_knows_every_template() -> None:
    assert list(TEMPLATES) == list(GSQA)


@pytest.mark.parametrize("file", LISTED)
@pytest.mark.long
def test_capacity_is_what_pyosmium_counts(
    make_database: Callable[[], Settings], extracts: Path, file: str
) -> None:
    """Facts are the withheld tags alone."""
    counted = make_counted(make_database(), extracts / file)
    assert len(counted.choices["anchor"]) > 20
    check_every_value(counted)


@pytest.mark.long
def test_capacity_with_a_facts_file(with_register: Counted) -> None:
    assert len(with_register.choices["described"]) > 100
    assert "architect@the register of anchors" in with_register.choices["topic"]
    check_every_value(with_register)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "pick", "rule", "none"),
    [
        ("T5", "anchor_poi", "shared.bearers = 1 and shared.placed = wanted.bearers", "true"),
        ("T5", "anchor_poi", "wanted.bearers = 1\n", "true\n"),
        ("T6", "narrowed_category", "having count(*) >= 2", "having count(*) >= 1"),
        ("T8", "described_poi", "told.first_bearer = told.last_bearer", "true"),
        ("T8", "described_poi", "told.chosen\n", "true\n"),
        ("T24", "region", "named.known", "named.name = 'Vaduz'"),
    ],
)
def test_a_pick_that_has_another_rule_is_seen(
    with_register: Counted, name: str, pick: str, rule: str, none: str
) -> None:
    body = GSQA[name].picks[pick]
    assert rule in body
    faulty = replace(GSQA[name], picks={**GSQA[name].picks, pick: body.replace(rule, none)})
    with pytest.raises(AssertionError):
        check_every_value(with_register, {name: faulty})


@pytest.mark.long
def test_generate_accounts_for_every_tuple(with_register: Counted) -> None:
    """`generate --bank 1000 --per-template 100`: the recount's capacity, refused or accepted to the last, or 100 of a
    full bank; the same in the stored version; and both paths agree on every question."""
    settings = with_register.imported.settings
    options = ("--bank", "1000", "--per-template", "100")
    done = generate(settings, "gsqa", with_register.imported.name, "whole", *options)
    assert done.status == 0, done.err
    reports = done.json["templates"]
    assert {name: one["capacity"] for name, one in reports.items()} == capacities(with_register.choices)
    for name, one in reports.items():
        tried = one["accepted"] + sum(one["refused"].values())
        assert tried == one["capacity"] or (one["accepted"], one["selected"]) == (1000, 100), (name, one)
        assert one["selected"] == min(100, one["accepted"])
        assert "second_path_disagrees" not in one["refused"], (name, one)
    assert reports == scalar(settings, "select templates from dataset_version where state = 'published'")
    checked = trigpoint(settings, "verify", "whole", "--json").json
    assert checked["questions"] == sum(one["selected"] for one in reports.values())
    assert checked["stored_sql"] == checked["second_path"] == {"agree": checked["questions"], "differ": 0}
    assert checked["failures"] == []
