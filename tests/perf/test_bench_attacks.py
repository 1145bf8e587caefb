"""Attacks on options: they find keys that give themselves away and no others, bounds count subjects, and the command."""

import json
import math
from pathlib import Path

import pytest

from app.core.seeds import below
from app.scores.intervals import wilson_of
from perf import cluster
from perf.attacks import (
    MEASURES,
    Shown,
    chi_square_tail,
    guess_by_each,
    guess_by_more,
    guess_ten,
    halves_of,
    hits_of,
    hits_of_best,
    position_p_value,
    rate_of,
)
from perf.bench_attacks import digits_of, main, original_of
from perf.copies import DEFAULT


def make_shown(number: int, keyed: str | None = None) -> list[Shown]:
    """Questions whose options are numbers by hash; the key by hash too, or that with the most of a measure."""
    shown = []
    for i in range(number):
        options = [f"{below(9000, 1, i, place) + 1000} m" for place in range(4)]
        values = list(MEASURES[keyed](options) or ()) if keyed else []
        key = values.index(max(values)) if values else below(4, 2, i)
        shown.append(Shown(str(i), "", options, key, str(i), str(i)))
    return shown


def best_of_all(shown: list[Shown]) -> tuple[float, list[str]]:
    halves = halves_of(shown)
    guesses = {**guess_by_each(shown, halves), **guess_by_more(shown, halves)}
    hits, names = hits_of_best({name: hits_of(shown, one) for name, one in guesses.items()}, halves)
    return sum(hits) / len(hits), names


@pytest.mark.parametrize("measure", ["alphabet", "number", "third number", "gap"])
def test_a_key_with_the_most_of_something_is_found(measure: str) -> None:
    shown = make_shown(400, measure)
    assert best_of_all(shown)[0] > 0.95


def test_keys_by_hash_are_found_by_nobody() -> None:
    shown = make_shown(2000)
    error = math.sqrt(0.25 * 0.75 / len(shown))
    assert best_of_all(shown)[0] == pytest.approx(0.25, abs=4 * error)
    guesses, used = guess_ten(shown)
    assert sum(hits_of(shown, guesses)) / len(shown) == pytest.approx(0.25, abs=4 * error)
    assert sum(used.values()) == len(shown)


def test_weights_find_what_no_single_measure_does() -> None:
    """The key is never the smallest or the largest, and of the two others the one that is later in the alphabet."""
    shown = []
    for i in range(600):
        numbers = sorted({below(900, 3, i, place) + 100 for place in range(4)})
        if len(numbers) < 4:
            continue
        ends = ["mu", "nu", "alpha", "omega"]
        options = [f"{ends[(place * 3 + i) % 4]} {number}" for place, number in enumerate(numbers)]
        key = max((1, 2), key=lambda place: options[place])
        shown.append(Shown(str(i), "", options, key, str(i), str(i)))
    halves = halves_of(shown)
    guesses = guess_by_more(shown, halves)
    rates = {name: sum(hits_of(shown, one)) / len(shown) for name, one in guesses.items()}
    assert rates["learnt weights"] > 0.9
    assert max(rate for name, rate in rates.items() if name != "learnt weights") < 0.9


def test_nobody_learns_from_a_questions_own_copies() -> None:
    """Each key has a name of its own that all copies show; the wrong options are others in each copy."""
    shown = [
        Shown(
            f"{i} {copy}",
            "",
            [f"Key {i}", *(f"Other{i}x{copy}x{n} Name" for n in range(3))],
            0,
            str(i),
            str(i),
        )
        for i in range(40)
        for copy in range(20)
    ]
    shown = [
        one._replace(options=[*one.options[1:], one.options[0]], key=3) if below(2, 5, one.id) else one
        for one in shown
    ]
    learnt = guess_by_each(shown, [below(2, 6, one.id) for one in shown])["class_prior"]
    apart = guess_by_each(shown, halves_of(shown))["class_prior"]
    assert sum(hits_of(shown, learnt)) / len(shown) > 0.95
    halves = halves_of(shown)
    assert len({(one.asked, half) for one, half in zip(shown, halves, strict=True)}) == 40
    assert len(apart) == len(shown)


def test_popular_names_are_seen_without_keys() -> None:
    shown = [
        Shown(str(i), "", ["Adler", f"Krone {i}", f"Linde {i}", f"Bohne {i}"], 0, str(i), str(i))
        for i in range(50)
    ]
    guesses = guess_by_more(shown, halves_of(shown))
    assert hits_of(shown, guesses["most popularity"]) == [1.0] * 50
    assert hits_of(shown, guesses["least popularity"]) == [0.0] * 50


def test_an_attack_that_does_not_apply_has_chance() -> None:
    shown = [Shown("1", "", ["Adler", "Krone", "Linde", "Bohne"], 0, "1", "1")]
    guesses = guess_by_more(shown, halves_of(shown))
    assert guesses["most number"] == [None]
    assert hits_of(shown, guesses["most number"]) == [0.25]


def test_copies_of_a_question_are_worth_one() -> None:
    hits = [float(i % 4 == 0) for i in range(400)]
    apart = rate_of(hits, [str(i) for i in range(400)])
    assert apart.bound == wilson_of(0.25, 400).high
    assert apart.effective == pytest.approx(400, rel=0.02)
    copies = rate_of(hits * 10, [str(i) for i in range(400)] * 10)
    assert copies.bound == wilson_of(0.25, 4000).high
    assert copies.effective == pytest.approx(400, rel=0.02)
    assert copies.clustered_bound > copies.bound
    mixed = rate_of(hits * 10, [str(i // 10) for i in range(4000)])
    assert mixed.effective > 3000


def test_rates_without_variance_and_of_one_subject() -> None:
    assert rate_of([0.0] * 100, [str(i // 2) for i in range(100)]).effective == 50
    assert rate_of([0.0, 1.0], ["1", "1"]).effective == 1


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    [
        (7.815, 3, 0.05),
        (16.266, 3, 0.001),
        (9.488, 4, 0.05),
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (15.086, 5, 0.01),
    ],
)
def test_the_tail_equals_published_quantiles(value: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=1e-3)


def test_positions() -> None:
    even = [Shown(str(i), "", ["a", "b", "c", "d"], i % 4, "", "") for i in range(400)]
    assert position_p_value(even) == pytest.approx(1)
    assert position_p_value([one._replace(key=0) for one in even]) < 1e-9


def test_a_copy_is_traced_to_its_original() -> None:
    assert original_of("n10000000123", 10) == "n123"
    assert original_of("w129876543210", 10) == "w9876543210"


@pytest.mark.long
def test_the_command_attacks_two_templates_on_one_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not DEFAULT.is_file():
        pytest.skip(f"{DEFAULT} is absent")
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    small = ["--alone", "--questions", "60", "--seeds", "2", "--variant", "published"]
    assert main([*small, "--templates", "Retrieve_Coordinates,Landuse_AOI", "--above", "0.25"]) == 1
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])["templates"]
    corners, uses = figures["Retrieve_Coordinates"], figures["Landuse_AOI"]
    assert (corners["n"], corners["seeds"], corners["subjects"]) == (60, 1, 60)
    assert corners["best_of_ten"]["by"] == ["corner_centre", "corner_centre"]
    assert corners["options_only"]["by"] == {"corner_centre": 60}
    assert corners["best_of_ten"]["rate"] == 1
    assert corners["passes"] is False
    assert uses["passes"] is True
    assert uses["best_of_ten"]["upper_95"] < 0.5
    assert set(uses["ten"]) >= {"min", "longest", "class_prior"}
    assert sum(uses["positions"].values()) == uses["n"]


def test_an_extract_that_is_absent_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--beside", str(tmp_path / "none.osm.pbf")]) == 2
    assert "none.osm.pbf. Fetch it with scripts/extract" in capsys.readouterr().err


def test_a_template_that_is_none_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--templates", "T1"]) == 2
    assert "urban_knowledge has no template T1" in capsys.readouterr().err


def test_digits_are_read_from_the_copies(tmp_path: Path) -> None:
    file = tmp_path / "two.osm"
    file.write_text(
        '<osm version="0.6"><node id="1042" version="1" lat="47" lon="9"/>'
        '<node id="2042" version="1" lat="47" lon="9"/></osm>'
    )
    assert digits_of(file) == 3
    assert original_of("n2042", 3) == "n42"
