"""Which question is the twin of which: by template and popularity, rather about other objects, and found again."""

from typing import Any

from app.questions.twins import Twinned, describe, pair_twins

KNOWN = [{"wikidata": True, "tags": 9}]
UNKNOWN = [{"wikidata": False, "tags": 9}]


def question(identity: str, template: str = "T1", popularity: Any = KNOWN, **parameters: Any) -> Twinned:
    return describe(identity, template, "value", popularity, parameters)


def test_objects_are_told_from_other_parameters() -> None:
    one = question("a", anchor="n12", pair=["w1", "w2"], area="r5 operator", kind="amenity,bar", metres=450.0)
    assert one.objects == {"n12", "w1", "w2", "r5"}
    assert one.others == {'["kind","amenity,bar"]', '["metres",450.0]'}


def test_a_twin_is_as_well_known_and_of_the_same_template() -> None:
    offered = [
        question("other template", "T2", anchor="n2"),
        question("not known", popularity=UNKNOWN, anchor="n3"),
        question("twin", anchor="n4"),
    ]
    assert pair_twins([question("a", anchor="n1")], offered) == {"a": "twin"}
    assert pair_twins([question("a", anchor="n1")], offered[:2]) == {}


def test_other_objects_come_before_like_parameters() -> None:
    originals = [question("a", anchor="n1", kind="bar"), question("b", anchor="n2", kind="bank")]
    offered = [
        question("same object", anchor="n2", kind="bar"),
        question("other kind", anchor="n3", kind="bank"),
        question("alike", anchor="n4", kind="bar"),
    ]
    assert pair_twins(originals, offered) == {"a": "alike", "b": "other kind"}


def test_tags_count_by_quarters_of_the_originals() -> None:
    counts = (1, 2, 3, 4)
    originals = [
        question(str(tags), popularity=[{"wikidata": False, "tags": tags}], anchor=f"n{tags}")
        for tags in counts
    ]
    offered = [
        question(f"twin {tags}", popularity=[{"wikidata": False, "tags": tags}], anchor=f"n1{tags}")
        for tags in (40, 4, 2)
    ]
    assert pair_twins(originals, offered) == {"2": "twin 2", "4": "twin 4"}


def test_the_pairs_are_found_again_among_what_was_picked() -> None:
    originals = [question(f"o{i}", f"T{i % 3}", anchor=f"n{i}", metres=i % 5) for i in range(60)]
    bank = [
        question(f"b{i * 37 % 200:03}", f"T{i % 3}", anchor=f"n{40 + i}", metres=i % 5) for i in range(200)
    ]
    pairs = pair_twins(originals, bank)
    assert len(pairs) == len(set(pairs.values())) == 60
    picked = [one for one in bank if one.id in pairs.values()]
    assert pair_twins(originals, picked) == pairs
