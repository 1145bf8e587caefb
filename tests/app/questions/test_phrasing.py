"""Texts: every phrasing of every template, with every word and with names that look like code."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.core.class_words import class_word
from app.facts.attributes import ATTRIBUTES
from app.questions.grammar import plural, with_article
from app.questions.phrasing import Wording, phrase, tell_points
from app.questions.picking import Pick, Tuple
from app.questions.strategies import find_strategy
from app.templates.catalogue import TEMPLATES_FOLDER
from tests.support.town import EMOJI_NAME, HARD_NAME, RTL_NAME, Asker, Imported, benchmarks

LABELS = ["Museum", HARD_NAME, RTL_NAME, EMOJI_NAME, "{region} {0} {{x}} {", "100 % {anchor!r}", "A\u200fB"]
CASES = [
    (benchmark, template, register, number)
    for benchmark in benchmarks().values()
    for template in benchmark.templates.values()
    for register, texts in template.phrasings["en"].items()
    for number in range(len(texts))
]


NAMED = ("object", "objects", "described", "group", "within")
"""Types whose values are named by the map."""


def words(benchmark: str, parameter: str) -> list[str]:
    return list(benchmarks()[benchmark].file.words["en"].get(parameter, {}))


def picks(template: Any, label: str, choice: int) -> Tuple:
    found: dict[str, list[Pick]] = {}
    for name, parameter in template.header.parameters.items():
        if parameter.type in NAMED:
            found[name] = [Pick("n1", "n1", label)] * parameter.choose
        elif parameter.type == "attribute":
            found[name] = [Pick("start_date", "start_date", "year of opening")]
        elif parameter.type == "metres":
            found[name] = [Pick(450.0, 450.0, "450 m")]
        else:
            values = words(template.benchmark, name) or ["bakery", "petrol station"]
            value = values[choice % len(values)]
            found[name] = [Pick(int(value) if parameter.type == "sector" else value, value, value)]
    return Tuple(found)


@pytest.mark.parametrize(
    ("benchmark", "template", "register", "number"),
    CASES,
    ids=lambda one: getattr(one, "id", None) or str(getattr(one, "name", one)),
)
def test_every_phrasing_renders(
    benchmark: Any, template: Any, register: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = SimpleNamespace(below=lambda *_: number, choose=lambda words, *_: words[number % len(words)])
    monkeypatch.setattr("app.questions.phrasing.seeds", drawn)
    for label in LABELS:
        for choice in range(8 if "sector" in template.header.parameters else 5):
            picked = picks(template, label, choice)
            said, text = phrase(benchmark, template, picked, Wording("en", 0, register), "id")
            assert said == number
            assert register == "everyday" or "OpenStreetMap" in text
            without = text.replace(label, "X")
            assert "{" not in without
            assert "  " not in without
            assert "_" not in without
            for name, parameter in template.header.parameters.items():
                if parameter.type in ("object", "group", "within"):
                    assert label in text, "names stand as they are written"
                if parameter.type == "metres":
                    assert "450 m" in text
                if parameter.type == "sector":
                    value = str(picked.one(name).value)
                    said_of = {**benchmark.file.words["en"][name]}
                    if register == "everyday":
                        said_of |= benchmark.file.everyday_words.get("en", {}).get(name, {})
                    assert said_of[value] in text


def test_texts_count_no_options_where_there_may_be_five() -> None:
    counting, checked = [], []
    for benchmark in benchmarks().values():
        for template in benchmark.templates.values():
            header = template.header
            found = [find_strategy(template.benchmark, one.strategy) for one in header.strategies]
            if any(one is not None and one.may_be_five for one in found):
                texts = [text for of_register in template.phrasings["en"].values() for text in of_register]
                counting += [(header.id, text) for text in texts if "four" in text.split()]
                checked.append(header.id)
    assert {"Find_Nearest_POI", "Find_Instances_By_Type"} <= set(checked)
    assert counting == []


def test_texts_name_the_place_that_a_direction_starts_from() -> None:
    """After "Find the park closest to X", "from there" may be from the park or from X."""
    unclear = [
        text
        for benchmark, template, register, number in CASES
        if "from there" in (text := template.phrasings["en"][register][number]) and "direction" in text
    ]
    assert unclear == []


def test_the_number_of_the_phrasing_is_seeded() -> None:
    benchmark = benchmarks()["gsqa"]
    template = benchmark.templates["T5"]
    picked = picks(template, "Museum", 0)
    said = {seed: phrase(benchmark, template, picked, Wording("en", seed), "id") for seed in range(400)}
    assert {number for number, _ in said.values()} == set(range(len(template.phrasings["en"]["precise"])))
    assert said[3] == phrase(benchmark, template, picked, Wording("en", 3), "id")


ASKED_EVERY_DAY = {
    "food": (
        "a place to eat (restaurant, café or fast food place)",
        "places to eat (restaurants, cafés and fast food places)",
    ),
    "fast_food:cuisine=kebab": ("a kebab shop", "kebab shops"),
    "fast_food:cuisine=burger": ("a fast food place serving burgers", "fast food places serving burgers"),
    "restaurant:cuisine=regional": (
        "a restaurant serving regional food",
        "restaurants serving regional food",
    ),
    "hospital:emergency=yes": (
        "a hospital with an emergency department",
        "hospitals with an emergency department",
    ),
}


def test_english_grammar() -> None:
    said = benchmarks()["gsqa"].file.words["en"]["category"]
    food = {value: class_word(value) for value in ("restaurant", "cafe", "fast_food")} | said
    assert {value: with_article(word) for value, word in food.items()} == {
        "restaurant": "a restaurant",
        "cafe": "a café",
        "fast_food": "a fast food place",
        "food": "an eating place (restaurant, café or fast food place)",
    }
    assert {value: plural(word) for value, word in food.items()} == {
        "restaurant": "restaurants",
        "cafe": "cafés",
        "fast_food": "fast food places",
        "food": "eating places (restaurants, cafés and fast food places)",
    }


def test_everyday_words_have_plurals_and_articles() -> None:
    said = benchmarks()["gsqa"].file.everyday_words["en"]["category"]
    assert {
        value: (with_article(said[value]), plural(said[value])) for value in ASKED_EVERY_DAY
    } == ASKED_EVERY_DAY
    assert plural("place with seats for guests") == "places with seats for guests"


def test_everyday_words_are_of_values_that_there_are() -> None:
    file = benchmarks()["gsqa"].file
    narrowed = (TEMPLATES_FOLDER / "gsqa" / "picks" / "narrowed_category.sql").read_text()
    for name, words in file.everyday_words["en"].items():
        for value in words:
            if ":" in value:
                place, _, tag = value.partition(":")
                assert all(f"'{part}'" in narrowed for part in (place, *tag.split("="))), value
            else:
                assert value in file.words["en"][name]
    assert all(
        value in (ATTRIBUTES if name == "attribute" else file.words["en"][name])
        for name, values in file.precise_only.items()
        for value in values
    )


def test_a_remark_behind_a_noun_keeps_its_number() -> None:
    assert plural("natural history museum") == "natural history museums"
    assert plural("hospital with emergency service") == "hospitals with emergency service"
    assert plural("ice cream café") == "ice cream cafés"
    assert with_article("hospital with emergency service") == "a hospital with emergency service"


def test_kinds_that_are_listed_have_plurals() -> None:
    lake = "body of standing water (lake, pond, basin or the like)"
    assert plural(lake) == "bodies of standing water (lakes, ponds, basins and the like)"
    assert plural("river, stream or canal") == "rivers, streams and canals"
    assert plural("park, garden or other green") == "parks, gardens and other greens"
    assert plural("farm or forest track") == "farm or forest tracks"
    assert plural("path (not mapped as a footway, cycleway or track)").startswith(
        "paths (not mapped as a footway"
    )
    words = benchmarks()["gsqa"].file.words["en"]
    for ground, word in words["ground"].items():
        assert plural(word) == words["surface"][ground]


def test_a_place_that_is_named_by_its_class_has_an_article() -> None:
    benchmark = benchmarks()["urban_knowledge"]
    template = benchmark.templates["Find_Instances_By_Type"]
    picked = picks(template, "arts centre", 0)
    said = {
        phrase(benchmark, template, picked, Wording("en", seed, "everyday"), "id")[1] for seed in range(200)
    }
    assert "Which of these is an arts centre?" in said
    assert all(" an arts centre" in text for text in said)


def test_a_locale_that_is_not_there() -> None:
    benchmark = benchmarks()["gsqa"]
    template = benchmark.templates["T5"]
    with pytest.raises(Exception, match="has no phrasings for locale 'fi'; it has en"):
        phrase(benchmark, template, picks(template, "Museum", 0), Wording("fi", 0), "id")


def test_a_label_tells_the_point_that_is_meant() -> None:
    anchor, other = Pick("n1", "n1", "Park (park, Vaduz)"), Pick("n2", "n2", "Zoo")
    told = tell_points(Tuple({"anchor": [anchor], "towards": [other]}), {"n1": (9.5, 47.25)})
    assert told.one("anchor").label == "Park (park, Vaduz; latitude 47.250000, longitude 9.500000)"
    assert told.one("towards").label == "Zoo"
    told = tell_points(Tuple({"towards": [other]}), {"n2": (-9.5, -47.1234567)})
    assert told.one("towards").label == "Zoo (latitude -47.123457, longitude -9.500000)"


def test_labels_say_class_and_address(town: Imported) -> None:
    with town.connect() as connection:
        asker = Asker.on(connection, town.name)
        one = asker.accepted("T5", anchor=town.key("Museum Alpha"), category="restaurant")
        assert one.picked.one("anchor").label == "Museum Alpha (museum, Ring 5, Toyville, Liechtenstein)"
        region = asker.accepted("T24", region=town.key("Toyville"), category="restaurant")
        assert region.picked.one("region").label == "Toyville (town)"
