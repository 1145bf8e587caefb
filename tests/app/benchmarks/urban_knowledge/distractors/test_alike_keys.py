"""Wrong roads that are drawn as keys are: each road of a neighbourhood is right as often as it is due."""

from collections import Counter

from app.benchmarks.urban_knowledge.distractors.alike_keys import AlikeKeys, Asked
from app.questions.alike import COMMON
from app.questions.strategies import TOO_FEW


def asked(value: str, *keys: str, met: str = "") -> Asked:
    return Asked(value, {key: f"w{ord(key[0])}" for key in keys}, frozenset(met.casefold().split()) | {value})


def test_busy_roads_are_wrong_as_often_as_they_are_right() -> None:
    """Road A is a key of half of the questions, and half of the others meet it: where it can be wrong it often is."""
    others = "BCDEFGHIJKLMNOPQRSTU"
    town = [asked(f"a{i}", "A", others[i], met="a") for i in range(6)]
    town += [
        asked(f"b{i}", others[i], others[(7 * i + 3) % 20], met="a" if i % 4 == 0 else "") for i in range(20)
    ]
    right, wrong = Counter[str](), Counter[str]()
    drawing = AlikeKeys(town, 2, 0)
    for turn in range(400):
        for one in town:
            drawn = drawing.draw(one.value, set(), f"{one.value} {turn}")
            if not isinstance(drawn, str):
                right.update(one.keys.keys())
                wrong.update(row["label"] for row in drawn)
                assert not {row["label"].casefold() for row in drawn} & (one.right | set(one.keys))
    assert sum(right.values()) == sum(wrong.values()) > 10_000
    for road, times in right.items():
        assert 0.8 < wrong[road] / times < 1.25, (road, times, wrong[road])


def test_a_road_that_is_met_by_all_is_given_up() -> None:
    """It can nowhere be wrong: who saw other questions would know that it is right."""
    town = [asked(f"a{i}", "A", road, met="a") for i, road in enumerate("BCD")]
    pairs = (("E", "F"), ("G", "H"), ("I", "J"), ("B", "E"))
    town += [asked(f"b{i}", road, other, met="a") for i, (road, other) in enumerate(pairs)]
    drawing = AlikeKeys(town, 2, 0)
    assert {drawing.draw(f"a{i}", set(), "q") for i in range(3)} == {COMMON}
    assert any(not isinstance(drawing.draw(f"b{i}", set(), "q"), str) for i in range(4))


def test_only_what_is_wrong_is_drawn() -> None:
    """Asked which road is not connected, only those that are can be wrong."""
    wrong = {**dict.fromkeys("ABC", frozenset("def")), **dict.fromkeys("DEF", frozenset("abc"))}
    town = [Asked(road, {road: "w1"}, frozenset({road.casefold()}), wrong[road]) for road in wrong]
    drawing = AlikeKeys(town, 2, 0)
    drawn = [drawing.draw("D", set(), f"q{turn}") for turn in range(50)]
    found = {row["label"] for rows in drawn if not isinstance(rows, str) for row in rows}
    assert found == {"A", "B", "C"}


def test_too_few_roads() -> None:
    town = [asked("s", "A", "B"), asked("t", "C", "D"), asked("u", "É", "F", met="c d")]
    drawing = AlikeKeys(town[:2], 2, 0)
    assert drawing.draw("s", {"c"}, "q") == TOO_FEW, "the name of the road itself"
    drawn = drawing.draw("s", set(), "q")
    assert not isinstance(drawn, str)
    assert {(row["label"], row["osm_key"]) for row in drawn} == {("C", "w67"), ("D", "w68")}
    assert AlikeKeys([*town[:1], asked("c", "Ц", "Д")], 2, 0).draw("s", set(), "q") == TOO_FEW, (
        "other letters"
    )
