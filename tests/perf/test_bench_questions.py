"""How fast questions are made: the report's arithmetic, stages without those inside them, plans, and the command."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.questions import verifying
from perf import cluster
from perf.bench_questions import Forms, Measured, growth, main
from perf.copies import DEFAULT
from perf.plans import faults_of
from perf.stages import ALL, WATCHED, Stages


def make_stages() -> Stages:
    ticks: Iterator[int] = iter(range(100))
    return Stages(clock=lambda: float(next(ticks)))


def test_a_stage_leaves_out_what_runs_inside_it() -> None:
    stages = make_stages()
    with stages.working_for({"T1": 1}), stages.stage("derivation"), stages.stage("asking"):
        pass
    assert stages.of("T1") == {"asking": 1.0, "derivation": 2.0}
    assert stages.of("T2") == {}


def test_what_several_templates_share_is_divided_by_their_questions() -> None:
    stages = make_stages()
    with stages.working_for({"T1": 3, "T2": 1}), stages.stage("asking again"):
        pass
    with stages.stage("assembling"):
        pass
    assert stages.of("T1") == {"asking again": 0.75}
    assert stages.of("T2") == {"asking again": 0.25}
    assert stages.of(ALL) == {"assembling": 1.0}


def watched() -> list[Any]:
    return [getattr(place, name) for place, name, _ in WATCHED] + [verifying._ask_again]


def test_the_code_is_as_it_was_once_nobody_watches() -> None:
    before = watched()
    with suppress(KeyError), Stages().watching():
        assert not any(one is other for one, other in zip(watched(), before, strict=True))
        raise KeyError
    assert watched() == before


def make_measured(copies: int, making: float) -> Measured:
    stages = Stages()
    stages.seconds["T1", "asking"] = making
    stages.seconds["T1", "asking again"] = making
    report = {"version": 1, "capacity": 30, "accepted": 20, "selected": 10, "refused": {"margin": 10}}
    verified = {"questions": 10, "failures": []}
    walls = {"import": 9.0, "generate": making, "verify": making}
    return Measured(copies, walls, stages, {"T1": report}, verified)


def test_rates_count_making_and_proving() -> None:
    measured = make_measured(1, 0.5)
    measured.forms["T1"] = Forms(4, [0.4, 0.2, 0.3], [0.1, 0.1, 0.2])
    figures = measured.as_json()
    assert figures["seconds"] == 1.0
    one = figures["templates"]["T1"]
    assert one["accepted_a_second"] == 40
    assert one["proved_a_second"] == 10
    assert one["forms"] == {
        "tuples": 4,
        "one_by_one_ms": 75.0,
        "batch_ms": 25.0,
        "ratio": {"median": 2.0, "min": 1.5, "rounds": [4.0, 2.0, 1.5]},
    }


def test_growth_is_of_a_question() -> None:
    assert growth([make_measured(1, 0.5), make_measured(30, 1.5)]) == {"T1": {"1": 100.0, "30": 300.0}}


def test_a_failure_or_a_plan_that_reads_a_layer_whole_is_not_sound() -> None:
    assert make_measured(1, 1.0).sound
    failed, planned = make_measured(1, 1.0), make_measured(1, 1.0)
    failed.verified = {"questions": 10, "failures": [{}]}
    planned.plans["T1"] = {"one": ["no index"]}
    assert not failed.sound
    assert not planned.sound


def test_plans_are_read_to_their_leaves() -> None:
    scan: dict[str, Any] = {"Node Type": "Seq Scan", "Relation Name": "poi"}
    index: dict[str, Any] = {"Node Type": "Index Scan", "Index Name": "poi_geog", "Relation Name": "poi"}
    picked: dict[str, Any] = {"Node Type": "Function Scan"}
    assert faults_of({"Node Type": "Nested Loop", "Plans": [picked, index]}) == []
    assert faults_of({"Node Type": "Nested Loop", "Plans": [picked, scan]}) == ["reads poi whole", "no index"]
    below = {"Node Type": "Sort", "Plans": [scan]}
    assert faults_of({"Node Type": "Nested Loop", "Plans": [index, below]}) == ["reads poi whole"]


def test_a_template_that_is_none_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--templates", "T1,T99"]) == 2
    assert "no template T99" in capsys.readouterr().err


@pytest.mark.long
def test_the_command_measures_two_templates_on_one_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not DEFAULT.is_file():
        pytest.skip(f"{DEFAULT} is absent")
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    small = ["--bank", "5", "--per-template", "5", "--rounds", "2", "--tuples", "5"]
    assert main(["--copies", "1", "--templates", "T5,T8", *small]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    one = figures["copies"]["1"]
    assert one["questions"] == 10
    assert one["failures"] == 0
    assert one["seconds"] == pytest.approx(sum(one["steps"].values()) - one["steps"]["import"], abs=0.01)
    for name in ("T5", "T8"):
        template = one["templates"][name]
        assert template["accepted"] == 5
        assert template["forms"]["tuples"] == 5
        assert len(template["forms"]["ratio"]["rounds"]) == 2
        assert {"asking", "second path", "asking again", "second path again"} <= template["seconds"].keys()
        assert figures["growth_ms"][name]["1"] > 0
