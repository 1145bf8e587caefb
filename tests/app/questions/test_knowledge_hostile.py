"""A town that tries to make questions unfair: every tuple of every template on it gives a question that keeps the
rules, or a counted reason.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql

from app.core.settings import Settings
from app.questions.accepting import Acceptance, accept_questions
from app.questions.drawing import OptionsWanted
from app.questions.terms import Terms
from tests.support.town import (
    Asker,
    Imported,
    Map,
    Place,
    benchmarks,
    import_map,
    offset,
    rectangle,
    template_of,
)

ALL_EQUAL = {"Compare_POI_Count", "Compare_Type_Diversity"}
"""Areas here hold three places of one kind each; see test_comparing.py."""
TEMPLATES = [name for name in benchmarks()["urban_knowledge"].templates if name not in ALL_EQUAL]
NONE_HERE = {
    "Calculate_Distance_Context",
    "Infer_POI_From_Scene",
    "Find_Nearest_POI",
    "Identify_Connections",
    "Query_Length",
    "Find_Junctions",
}
"""No named place has an address and lies in an area, or four kinds of places around it; neighbours are as near as each
other; roads are as long as each other; too few roads are met for wrong pairs of such.
"""
ANY_LENGTH = {"Landuse_AOI", "Classify_POI", "Infer_POI_From_Scene"}
"""Options are classes, which have the lengths that they have."""
BANK = 60
MIDDLE = (10.0, 50.0)
NAMES = {
    "ARABIC": ("مطعم السلام", "مخبز القدس", "صيدلية الشام", "مكتبة النور", "فندق الأمل"),
    "DEVANAGARI": ("होटल ताज", "राम मिठाई", "गंगा भवन", "शिव औषधि", "सूर्य पुस्तक"),
    "CJK": ("東京タワー", "さくら食堂", "ラーメン横丁", "富士書店", "港薬局"),
    "LATIN": ("Bäckerei Korn", "Metzger Wurst", "Blumen Rosa", "Optik Klar", "Bücher Wort"),
}
STREETS = {"ARABIC": "شارع الملك", "DEVANAGARI": "गांधी मार्ग", "CJK": "銀座通り", "LATIN": "Marktstraße"}
SHOPS = ("bakery", "butcher", "florist", "optician", "books")
GROUNDS = ("retail", "industrial", "residential", "religious", "education")
LONGEST = 1000
"""Files with longer names than 1,024 bytes are refused; these become 2,000 letters long in the database."""
ODD = (
    "Cafe Wolf",
    "Café Wolf",  # an accent apart
    "Ｃａｆｅ Ｗｏｌｆ",  # full width: the same name
    "CAFE  WOLF",
    "Kette",
    "Kette",
    "L" * LONGEST,
    "M" * LONGEST,
    "x",
    "۷",
    "{poi} %s :poi",
    "A, B and C",
    "Zeile\neins",
    "Weiß",
    "WEISS",
)
"""Names of places that are no place's own, too long, too short, or look like something else."""


def make_map() -> Map:
    """Five shops and five areas a script, each with an address; ten nested areas; odd names at odd addresses."""
    made = Map()
    for row, (script, names) in enumerate(NAMES.items()):
        for number, name in enumerate(names):
            address = {"addr__street": STREETS[script], "addr__city": "Stadt"}
            place = offset(offset(MIDDLE, 0, 150 * row), 90, 30 * number)
            house = {"addr__housenumber": str(2 * number + 1)}
            made.node(place, shop=SHOPS[number], name=name, **address, **house)
            area = offset(offset(MIDDLE, 180, 1000 + 400 * row), 90, 300 * number)
            house = {"addr__housenumber": str(100 + number)}
            made.way(
                rectangle(area, 0, 0, 100, 100),
                True,
                landuse=GROUNDS[number],
                name=f"{name} ٢",
                **address,
                **house,
            )
            for stall in range(3):
                made.node(offset(area, 120 * stall, 20), shop="kiosk", name=f"{name} {stall}")
    made.node(
        offset(MIDDLE, 0, 500),
        shop="shoes",
        name="Schuster Leist",
        addr__street="MARKTSTRASSE",
        addr__city="Stadt",
        addr__housenumber="1",
    )
    nested = offset(MIDDLE, 270, 3000)
    for number in range(10):
        side = 100 + 50 * number
        made.way(rectangle(nested, 0, 0, side, side), landuse="forest", name=f"Wald {number}{'o' * number}")
    for stall in range(4):
        made.node(offset(nested, 90 * stall, 20), shop="kiosk", name=f"Waldstand {stall}")
    for number, name in enumerate(ODD):
        made.node(
            offset(offset(MIDDLE, 270, 20), 270, 10 * number),
            shop=("pet", "toys", "wine")[number % 3],
            name=name,
            addr__street="Randweg",
            addr__city="Stadt",
            addr__housenumber=("9", "9a", "1-30", "٣", "20;22", "x", "41", "43", "45")[number % 9],
        )
    made.way(rectangle(offset(MIDDLE, 0, 4000), 0, 0, 100, 100), landuse="retail", name="N" * LONGEST)
    for number, script in enumerate(NAMES):
        add_roads(made, script, offset(offset(MIDDLE, 0, 6000), 90, 1500 * number))
    return made


def add_roads(made: Map, script: str, middle: Place) -> None:
    """A field with a road through it that meets four lanes, passes under a bridge, and never meets three others.

    One lane's name is an accent away from another's, one is of 2,000 letters, one of another script.
    """

    def node(east: float, north: float) -> str:
        up = offset(middle, 0 if north >= 0 else 180, abs(north))
        return made.node(offset(up, 90 if east >= 0 else 270, abs(east)))

    street, *names = STREETS[script], *NAMES[script]
    odd = ["Rue Élan", "Rue Elan", "R" * LONGEST, "улица Мира"][list(NAMES).index(script)]
    made.way(rectangle(middle, 0, 0, 400, 400), landuse="industrial", name=f"{street} ٣")
    crossings = [node(-120 + 60 * number, 0) for number in range(5)]
    made.through([node(-190, 0), *crossings, node(190, 0)], highway="residential", name=f"{street} ٤")
    for number, (name, crossing) in enumerate(zip([*names[:4], odd], crossings, strict=True)):
        made.through([crossing, node(-120 + 60 * number, 150)], highway="residential", name=f"{name} ٥")
    bridge = [node(150, -100), node(150, 100)]
    made.through(bridge, highway="tertiary", bridge="yes", layer="1", name=f"{names[4]} ٥")
    for number, name in enumerate(names[:3]):
        low = -60 - 40 * number
        made.through([node(-100, low), node(100, low)], highway="residential", name=f"{name} ٦")


@pytest.fixture(scope="module")
def hostile(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Imported:
    made = make_map()
    file = made.write(tmp_path_factory.mktemp("hostile") / "hostile.osm")
    settings = make_database()
    schema = import_map(settings, file, "hostile").schema
    with psycopg.connect(superuser_of(settings)) as connection:
        for layer, count in (("poi", 2), ("aoi", 1), ("road", 1)):
            lengthen = sql.SQL("update {} set name = repeat(left(name, 1), 2000) where length(name) >= %s")
            done = connection.execute(lengthen.format(sql.Identifier(schema, layer)), [LONGEST])
            assert done.rowcount == count
    return Imported(settings, "hostile", file, made)


@pytest.fixture(scope="module")
def asker(hostile: Imported) -> Iterator[Asker]:
    with hostile.connect() as connection:
        yield Asker.on(connection, hostile.name)


def everything(
    asker: Asker, template: str, seed: int, bank: int = 10**6, variant: str = "hard"
) -> Acceptance:
    terms = Terms(seed, wanted=OptionsWanted(variant))
    return accept_questions(asker.ground, template_of(template), terms, bank, set())


def bare(text: str) -> str:
    """As a reader sees it who overlooks accents, case and width."""
    parts = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(sign for sign in parts if not unicodedata.combining(sign)).split())


def scripts(text: str) -> set[str]:
    """Every script that a letter of the text is of."""
    found = {
        unicodedata.name(sign).split()[0] for sign in unicodedata.normalize("NFKC", text) if sign.isalpha()
    }
    return {"CJK" if one in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else one for one in found}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_tuple_is_a_fair_question_or_a_counted_reason(asker: Asker, template: str) -> None:
    asked = 0
    for seed in range(2):
        outcome = everything(asker, template, seed, BANK)
        tried = len(outcome.accepted) + sum(outcome.refused.values())
        assert tried == outcome.capacity > 0 or len(outcome.accepted) == BANK
        assert "second_path_disagrees" not in outcome.refused, outcome.refused
        asked += len(outcome.accepted)
        for one in outcome.accepted:
            assert one.options
            assert len({bare(option) for option in one.options}) == 4, one.options
            assert all(option == " ".join(option.split()) for option in one.options)
            assert len({frozenset(scripts(option)) for option in one.options}) == 1, one.options
            assert max(map(len, one.options)) <= 200
            if template not in ANY_LENGTH and "length_ratio" in one.template.header.margins:
                lengths = [len(option) for option in one.options]
                assert max(lengths) <= 2 * min(lengths), one.options
    assert bool(asked) != (template in NONE_HERE)


@pytest.mark.parametrize("template", ["Retrieve_POI_Name", "Find_Instances_By_Type", "Retrieve_AOI_Name"])
def test_names_of_every_script_are_asked_for_among_their_like(asker: Asker, template: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(8):
        for one in everything(asker, template, seed).accepted:
            found.update(scripts(one.gold["text"]))
    assert set(NAMES) <= set(found), found


def test_names_that_differ_by_a_mark_are_never_options_together(asker: Asker) -> None:
    for seed in range(8):
        for one in everything(asker, "Find_Instances_By_Type", seed).accepted:
            assert len({"Cafe Wolf", "Café Wolf"} & set(one.options or ())) < 2


def test_a_name_of_2000_letters_has_no_equals(asker: Asker, hostile: Imported) -> None:
    for template in ("Find_Instances_By_Type", "Retrieve_POI_Name"):
        for seed in range(4):
            for one in everything(asker, template, seed).accepted:
                assert max(map(len, one.options or ())) < 100
    with pytest.raises(KeyError):
        asker.ask("Retrieve_POI_Name", poi=hostile.key("Kette"))  # two of that name


def test_of_ten_nested_areas_only_the_smallest_is_an_option(asker: Asker) -> None:
    for seed in range(8):
        for one in everything(asker, "Find_Cover_AOI_All", seed).accepted:
            nested = [option for option in one.options or () if option.startswith("Wald ")]
            assert set(nested) <= {"Wald 0"}


@pytest.mark.parametrize("template", ["Find_Junctions", "Identify_Connections"])
def test_a_road_under_a_bridge_is_never_met(asker: Asker, template: str) -> None:
    """The bridge is no key, and of the roads that never meet the street any may be a wrong option."""
    wrong = set()
    for seed in range(4):
        for one in everything(asker, template, seed, variant="published").accepted:
            bridges = {f"{names[4]} ٥" for names in NAMES.values()}
            if one.picked.parameters.get("form", "connected") == "connected":
                assert not any(bridge in one.gold["text"] for bridge in bridges)
            wrong |= {option for option in one.options or () if any(bridge in option for bridge in bridges)}
    assert wrong


def test_a_place_in_ten_nested_areas_is_asked_for_the_smallest(asker: Asker, hostile: Imported) -> None:
    for stall in range(4):
        outcome = asker.ask("Find_Cover_AOI", poi=hostile.key(f"Waldstand {stall}"))
        assert isinstance(outcome, str) or outcome.gold["text"] == "Wald 0"
        if not isinstance(outcome, str):
            assert not [option for option in outcome.options or () if option.startswith("Wald ")][1:]
