"""Second path of the knowledge templates about kinds: Landuse_AOI, Classify_POI, Find_Instances_By_Type.

Classes are the layers' own; what is asked about has one only, and its name does not say it. Texts and options say a
class by the word that people have for it, in earlier versions of templates by its tag.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from app.benchmarks.urban_knowledge.second_path.addresses import area_of
from app.benchmarks.urban_knowledge.second_path.places_and_areas import Sharers, of_all, of_areas, subject_of
from app.core.class_words import LAND_USES as USE_WORDS
from app.core.class_words import class_word, land_use_word
from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.fairness import is_said_by_tags, says_the_same, spoken
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import Row
from app.questions.second_path.verdicts import Verdict, look_alike, of_like_looks, wrong_rule

LAND_USES = frozenset(
    "Residential Commercial Education Park&GreenLand Industrial Medical Government Culture&Tourism Religious"
    " Sports&Recreation Transport Agriculture&Forest Water".split()
)
_USE_KEYS = ("amenity", "leisure", "tourism", "aeroway", "railway", "landuse", "natural")
SAYING_NOTHING = frozenset(
    "shop office craft healthcare tourism historic amenity leisure attraction company building yes other".split()
)
"""Classes that half of all places could be called by."""


_OTHER_USES: Mapping[str, Mapping[str, str]] = {
    "building": {
        "Agriculture&Forest": "barn cowshed farm farm_auxiliary greenhouse stable",
        "Commercial": "commercial kiosk office retail supermarket",
        "Culture&Tourism": "castle hotel museum theatre",
        "Education": "college kindergarten school university",
        "Government": "civic fire_station government public townhall",
        "Industrial": "industrial manufacture warehouse",
        "Medical": "hospital",
        "Religious": "cathedral chapel church monastery mosque religious synagogue temple",
        "Residential": "apartments detached dormitory house residential",
        "Sports&Recreation": "sports_centre sports_hall stadium",
        "Transport": "hangar parking train_station transportation",
    },
    "boundary": {"Park&GreenLand": "national_park protected_area"},
    "man_made": {"Industrial": "works"},
    "office": {"Government": "government"},
}
"""What other tags say of an area's use: key, class, values."""
_USES_BY_KEY: Mapping[str, str] = {
    "Agriculture&Forest": "crop produce",
    "Commercial": "craft office shop",
    "Culture&Tourism": "historic museum",
    "Education": "school",
    "Government": "government military",
    "Industrial": "craft industrial power",
    "Medical": "healthcare",
    "Park&GreenLand": "landcover",
    "Religious": "religion",
    "Residential": "residential",
    "Sports&Recreation": "sport",
    "Transport": "highway public_transport",
    "Water": "water waterway wetland",
}
"""Class, and keys that say it by any value but no."""


def other_uses(tags: Mapping[str, str]) -> set[str]:
    """The land uses that tags say besides those by which areas are classed."""
    said = {(key, value) for key in tags for value in tags[key].split(";") if value != "no"}
    keys = {key for key, _ in said}
    found = {use for use, told in _USES_BY_KEY.items() if keys.intersection(told.split())}
    return found | {
        use
        for key, value in said
        for use, values in _OTHER_USES.get(key, {}).items()
        if value in values.split()
    }


def _uses(row: Row) -> int:
    """How many values the tags have that could say a land use."""
    return sum(len(row.tags[key].split(";")) for key in _USE_KEYS if key in row.tags)


def land_use(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The land-use class of an area of interest."""
    position, unfit = area_of(layers, parameters, sharers)
    row = layers["aoi"].rows[position]
    refusal = first_refusal(
        (row.klass not in LAND_USES, "unknown_class"),
        (_uses(row) != 1, "several_uses"),
        (bool(spoken(row.klass) & spoken(row.name or "")), "names_itself"),
    )
    return SecondAnswer({"text": row.klass, "objects": [row.osm_key]}, unfit or refusal, {"uses": _uses(row)})


for _since, _sharers in ((1, of_areas), (2, of_all)):
    second_path("urban_knowledge", "Landuse_AOI", _since)(partial(land_use, sharers=_sharers))


@second_path("urban_knowledge", "Landuse_AOI", since=4)
def land_use_in_words(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The land-use class of an area of interest, in words."""
    found = land_use(layers, parameters, of_all)
    klass = found.value["text"]
    row = layers["aoi"].rows[layers["aoi"].position[parameters["aoi"]]]
    words = land_use_word(klass)
    told = "names_itself" if spoken(words) & spoken(row.name or "") else None
    return replace(found, value={**found.value, "text": words}, refusal=found.refusal or told)


@wrong_rule("urban_knowledge", "Landuse_AOI")
def _another_use(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    if text not in LAND_USES:
        return False, "none of the 13 classes"
    return text != answer.value["text"], f"the area is {answer.value['text']}, by the one tag that says a use"


@wrong_rule("urban_knowledge", "Landuse_AOI", since=2)
def _another_use_by_all_tags(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    row = layers["aoi"].rows[layers["aoi"].position[parameters["aoi"]]]
    if text in other_uses(row.tags):
        return False, "another tag of the area says so"
    return _another_use(layers, parameters, answer, text)


@wrong_rule("urban_knowledge", "Landuse_AOI", since=4)
def _another_use_in_words(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    by_words = {words: klass for klass, words in USE_WORDS.items()}
    if text not in by_words:
        return False, "none of the 13 classes in words"
    by_class = replace(answer, value={**answer.value, "text": by_words[answer.value["text"]]})
    return _another_use_by_all_tags(layers, parameters, by_class, by_words[text])


def in_words(klass: str) -> str:
    """A class in the words of its tag."""
    return klass.replace("_", " ")


def _classified(
    layers: Layers, parameters: Parameters, said: tuple[str, ...], worded: Callable[[str], str] = in_words
) -> tuple[Row, str | None]:
    """The subject and why its class cannot be asked for, in a text that says the subject's `name` or `street` too."""
    position, _, _, unfit = subject_of(layers, parameters)
    row = layers["poi"].rows[position]
    told = {"name": row.name, "street": row.tags.get("addr:street") or row.tags.get("addr:place")}
    words = {word for part in said for word in spoken(told[part] or "")}
    refusal = first_refusal(
        (len(row.classes) != 1, "several_classes"),
        (row.klass in SAYING_NOTHING, "vague_class"),
        (bool(words & (spoken(in_words(row.klass)) | spoken(worded(row.klass)))), "names_itself"),
    )
    return row, unfit or refusal


@second_path("urban_knowledge", "Classify_POI")
def category(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The class of a POI in words."""
    row, refusal = _classified(layers, parameters, ("name", "street"))
    return SecondAnswer({"text": in_words(row.klass), "objects": [row.osm_key]}, refusal)


@second_path("urban_knowledge", "Classify_POI", since=4)
def category_by_its_word(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """What people call the class of a POI."""
    row, refusal = _classified(layers, parameters, ("name", "street"), class_word)
    return SecondAnswer({"text": class_word(row.klass), "objects": [row.osm_key]}, refusal)


@wrong_rule("urban_knowledge", "Classify_POI")
def _another_category(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    poi = layers["poi"]
    row = poi.rows[poi.position[parameters["poi"]]]
    meant = [klass for klass in poi.of_class if in_words(klass) == text]
    if not meant:
        return False, "no POI is of this class"
    if set(meant) & {*row.classes, *SAYING_NOTHING}:
        return False, "a class of the place, or one that says nothing"
    if says_the_same(text, answer.value["text"]):
        return False, f"says the same as {answer.value['text']!r}"
    return True, f"the place is {', '.join(row.classes)} and nothing else"


@wrong_rule("urban_knowledge", "Classify_POI", since=2)
def _another_category_by_all_tags(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    """No tag of the place says it, whatever layer heeds that tag, nor one of anything else of its name."""
    for row in layers.rows_called(layers["poi"].rows[layers["poi"].position[parameters["poi"]]].name or ""):
        if is_said_by_tags(row.tags, text):
            return False, f"a tag of {row.osm_key} says so"
    return _another_category(layers, parameters, answer, text)


@wrong_rule("urban_knowledge", "Classify_POI", since=4)
def _another_category_by_its_word(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    """None of the classes that people call so is the place's, by any tag of whatever has its name."""
    poi = layers["poi"]
    own = poi.rows[poi.position[parameters["poi"]]].klass
    by_tag = replace(answer, value={**answer.value, "text": in_words(own)})
    meant = [klass for klass in poi.of_class if class_word(klass) == text]
    verdicts = [_another_category_by_all_tags(layers, parameters, by_tag, in_words(one)) for one in meant]
    wrong = (verdict for verdict in verdicts if not verdict[0])
    return next(wrong, verdicts[0]) if verdicts else (False, "no POI is of this class")


@second_path("urban_knowledge", "Find_Instances_By_Type")
def instance(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of a POI of a class, which is told by the POI itself."""
    row, refusal = _classified(layers, parameters, ("name",))
    value = {"text": " ".join((row.name or "").split()), "objects": [row.osm_key]}
    return SecondAnswer(value, refusal, {"class": row.klass})


def _of_other_categories(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    poi = layers["poi"]
    asked = in_words(answer.facts["class"])
    bearers = poi.by_name.get(normal_form(text), [])
    if not bearers:
        return False, "no POI bears this name"
    if spoken(text) & spoken(asked):
        return False, f"the name says {asked!r}"
    for klass in _classes_of(poi, bearers):
        if says_the_same(in_words(klass), asked):
            return False, f"a POI of this name is {klass}"
    return True, f"of this name there is {', '.join(sorted(_classes_of(poi, bearers)))}"


@wrong_rule("urban_knowledge", "Find_Instances_By_Type", since=3)
def _of_other_categories_by_all_tags(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    """No tag of anything of this name says the category, whether it is a POI or not."""
    for row in layers.rows_called(text):
        if is_said_by_tags(row.tags, in_words(answer.facts["class"])):
            return False, f"a tag of {row.osm_key} of this name says so"
    return _of_other_categories(layers, parameters, answer, text)


wrong_rule("urban_knowledge", "Find_Instances_By_Type")(of_like_looks(_of_other_categories))
wrong_rule("urban_knowledge", "Find_Instances_By_Type", since=2)(
    of_like_looks(_of_other_categories_by_all_tags)
)
look_alike("urban_knowledge", "Find_Instances_By_Type", "hard", since=3)


def _classes_of(layer: Layer, positions: list[int]) -> set[str]:
    return {klass for position in positions for klass in layer.rows[position].classes}
