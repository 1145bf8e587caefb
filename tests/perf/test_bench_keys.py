"""Attackers who draw again and who learn: they find keys that give themselves away, and none that a secret drew."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.benchmarks.urban_knowledge.distractors.alike_keys import AlikeKeys, Asked
from app.benchmarks.urban_knowledge.distractors.roads import junction_grid
from app.core.seeds import Seed, below
from app.questions.alike import Candidate, Offer, draw_alike
from app.questions.distractors import order_of_options
from app.scores.intervals import wilson_of
from app.scores.registry import get_scorer
from perf import cluster
from perf.bench_attacks import BESIDE
from perf.bench_keys import main
from perf.copies import DEFAULT
from perf.learning import Known, guess_hidden
from perf.learning_stations import Stop, name_any, name_nearest
from perf.learning_values import Open, score_hidden
from perf.replaying import Posed, guess_again

SEED, RATIO = 3, 2.0
Keyed = tuple[Posed, int]


def pose(template: str, number: int, key: str, wrong: list[str]) -> Keyed:
    id_ = f"{template} {number}"
    texts = [key, *wrong]
    order = order_of_options(texts, SEED, id_)
    return Posed(id_, template, [texts[i] for i in order]), order.index(0)


def name_questions(drawn_from: Seed) -> Iterator[Keyed]:
    """Names of 4 to 40 letters, each the key of a question, the others out of a window of lengths."""
    names = [f"{'x' * below(33, 1, 'length', i)}{i:04}" for i in range(600)]
    candidates = [Candidate(name, name) for name in names]
    offer = Offer(candidates)
    for number, key in enumerate(candidates):
        id_ = f"Find_Nearest_POI {number}"
        window = offer.window(key, RATIO, drawn_from, id_)
        wrong = draw_alike(key, window, 3, drawn_from, id_, lambda one: False)
        if not isinstance(wrong, str):
            yield pose("Find_Nearest_POI", number, key.text, [one.text for one in wrong])


def road_questions(drawn_from: Seed, template: str) -> Iterator[Keyed]:
    """Roads of one neighbourhood, each the key of a question; or pairs of them."""
    width = 2 if template == "Find_Junctions" else 1
    roads = [
        [f"Road {'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in (i, (7 * i + 3) % 100)][:width]
        for i in range(100)
    ]
    asked = [
        Asked(str(i), {name: f"w{name}" for name in names}, frozenset()) for i, names in enumerate(roads)
    ]
    alike = AlikeKeys(asked, 2 if width == 2 else 3, drawn_from)
    for number, names in enumerate(roads):
        for turn in range(5):
            id_ = f"{template} {number * 5 + turn}"
            drawn = alike.draw(str(number), set(), id_)
            if isinstance(drawn, str) or len(set(names)) < width:
                continue
            if width == 2:
                wrong = [one["text"] for one in junction_grid(names, drawn)]
                yield pose(template, number * 5 + turn, " and ".join(sorted(names)), wrong)
            else:
                yield pose(template, number * 5 + turn, names[0], [row["label"] for row in drawn])


def share_found(questions: list[Keyed]) -> float:
    assert len(questions) > 100
    return sum(guess_again(posed, SEED, RATIO) == key for posed, key in questions) / len(questions)


@pytest.mark.parametrize(
    ("template", "least"),
    [("Find_Nearest_POI", 0.45), ("Identify_Connections", 0.7), ("Find_Junctions", 0.7)],
)
def test_who_draws_again_finds_keys_unless_they_come_from_a_secret(template: str, least: float) -> None:
    def questions(drawn_from: Seed) -> list[Keyed]:
        if template == "Find_Nearest_POI":
            return list(name_questions(drawn_from))
        return list(road_questions(drawn_from, template))

    assert share_found(questions(SEED)) > least
    secretly = questions("a secret that nobody knows")
    assert wilson_of(share_found(secretly), len(secretly)).low < 0.25
    assert share_found(secretly) < 0.35


def known(number: int, options: list[str], key: int, is_hidden: bool, objects: set[str]) -> Known:
    return Known(f"q{number}", "Landuse_AOI", options, key, is_hidden, frozenset(objects), "here")


def test_a_rule_is_learnt_from_questions_about_other_objects() -> None:
    """The key is the second longest."""
    questions = []
    for i in range(160):
        lengths = [4 + below(3, 1, i), 9 + below(3, 2, i), 14 + below(3, 3, i), 19 + below(3, 4, i)]
        turn = below(4, 5, i)
        options = ["x" * lengths[(place + turn) % 4] + str(i) for place in range(4)]
        questions.append(known(i, options, (2 - turn) % 4, i % 2 == 0, {f"n{i}"}))
    guesses = guess_hidden(questions, SEED, 0.0, 2)
    assert len(guesses) == 80
    assert sum(guesses[one.id] == one.key for one in questions if one.is_hidden) > 70


def test_nothing_is_learnt_from_questions_that_share_an_object() -> None:
    """All questions about an object show the same four names, of which a hash makes one the key."""
    questions = []
    for i in range(240):
        about, turn = i // 4, below(4, 6, i)
        names = [f"{word} {about:02}" for word in ("one", "two", "six", "ten")]
        key = (below(4, 7, about) + turn) % 4
        shown = [names[(place - turn) % 4] for place in range(4)]
        questions.append(known(i, shown, key, i % 4 == 0, {f"n{about}"}))
    apart = guess_hidden(questions, SEED, 0.0, 6)
    together = guess_hidden([one._replace(objects=frozenset({one.id})) for one in questions], SEED, 0.0, 6)
    hidden = [one for one in questions if one.is_hidden]
    assert sum(together[one.id] == one.key for one in hidden) > 50
    assert sum(apart[one.id] == one.key for one in hidden) < 28


def count_question(number: int, metres: int, count: int) -> Open:
    text = f"How many cafés are within {metres} m of the museum?"
    gold: dict[str, Any] = {"count": count}
    return Open(
        f"q{number}",
        text,
        "count",
        gold,
        get_scorer("count"),
        number % 2 == 0,
        frozenset({f"n{number}"}),
        "here",
    )


def test_numbers_are_learnt_from_texts() -> None:
    questions = [count_question(i, 100 * (1 + i // 2 % 8), 10 * (1 + i // 2 % 8)) for i in range(240)]
    scores = score_hidden(questions, 2)
    assert len(scores) == 120
    assert sum(scores.values()) / len(scores) > 0.9
    unlike = [count_question(i, 100 * (1 + i // 2 % 8), 10 ** (1 + below(6, 7, i))) for i in range(240)]
    assert sum(score_hidden(unlike, 2).values()) / 120 < 0.4


def run_main(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(arguments)
    return status, json.loads(capsys.readouterr().out.splitlines()[-1])


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not DEFAULT.is_file() or not BESIDE.is_file():
        pytest.skip(f"{DEFAULT} or {BESIDE} is absent: scripts/extract fetches the second")
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)


@pytest.mark.long
def test_hidden_answers_stay_hidden(own_folder: None, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = run_main(capsys)
    whole = found["urban_knowledge"]["all"]
    assert status == 0
    assert whole["n"] >= 4000
    assert max(whole["replayed"], whole["learnt"]) <= whole["free"] + 5
    assert len(found["urban_knowledge"]["templates"]) == 20
    for template, one in found["urban_knowledge"]["templates"].items():
        assert wilson_of(one["replayed"] / 100, one["n"]).low <= 0.30, template
    values = found["gsqa"]["all"]
    assert values["learnt"] <= values["free"] + 5


@pytest.mark.long
def test_options_drawn_in_public_are_found(own_folder: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The attack is one: without a secret it finds many keys."""
    status, found = run_main(
        capsys, "--public-draws", "--copies", "1", "--each", "60", "--benchmarks", "urban_knowledge"
    )
    assert status == 1
    assert found["urban_knowledge"]["all"]["replayed"] > 35
    roads = found["urban_knowledge"]["templates"]["Identify_Connections"]
    assert roads["replayed"] > 65


def test_stations_of_public_keys_tell_those_of_hidden_ones() -> None:
    """A row of stations, each tenth of a degree; a public question in the middle of each pair, hidden ones at its end."""
    stations = [{"osm_key": f"n{number}", "lon": number / 10, "lat": 47.0} for number in range(12)]
    stops = [
        Stop(f"public {number}", (number / 10, 47.0), "cafe", stations[number : number + 2], False)
        for number in range(0, 8, 2)
    ]
    stops += [Stop("public bank", (1.0, 47.0), "bank", stations[10:], False)]
    hidden = Stop("hidden", (0.31, 47.0), "cafe", stations[3:8], True)
    unlike = Stop("unlike", (0.31, 47.0), "museum", stations[:5], True)
    answers = name_nearest([*stops, hidden, unlike])
    assert json.loads(answers["hidden"]) == [{"station_id": one} for one in ("n3", "n4", "n2")]
    assert answers["unlike"] == answers["hidden"], "any station where none has that activity"
    for_nothing = {
        json.loads(name_any([*stops, hidden], seed)["hidden"])[0]["station_id"] for seed in range(40)
    }
    assert len(for_nothing) > 5
    assert "n8" not in for_nothing, "no public key has it"
