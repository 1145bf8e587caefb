"""Keys of questions about kinds: the land use of an area, the category of a place, a place of a category."""

from app.core.class_words import class_text, class_word
from app.questions.alike import one_line
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.shared_words import SHORT, words_of


@derivation("urban_knowledge", "landuse_option")
def landuse_option(case: Case) -> Derived:
    """The land-use class of an area, which one tag says once."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if row["uses"] != 1:
        return refused("several_uses")
    if words_of(row["class"], SHORT) & words_of(row["name"], SHORT):
        return refused("names_itself")
    return Derived({"text": row["class"], "objects": [row["osm_key"]]})


@derivation("urban_knowledge", "class_option")
def class_option(case: Case) -> Derived:
    """The category of a place that has one, which the text does not say."""
    unfit = _unfit(case, f"{case.rows[0]['name']} {case.rows[0]['street'] or ''}" if case.rows else "")
    row = case.rows[0] if case.rows else {}
    return refused(unfit) if unfit else Derived({"text": _label(row), "objects": [row["osm_key"]]})


@derivation("urban_knowledge", "kind_option")
def kind_option(case: Case) -> Derived:
    """What people call the category of a place that has one, which the text says neither so nor as its tag does."""
    derived = class_option(case)
    if derived.refusal:
        return derived
    row = case.rows[0]
    word = class_word(row["class"])
    if words_of(word, SHORT) & words_of(f"{row['name']} {row['street'] or ''}", SHORT):
        return refused("names_itself")
    return Derived({"text": word, "objects": [row["osm_key"]]})


@derivation("urban_knowledge", "instance_option")
def instance_option(case: Case) -> Derived:
    """The name of a place of a category, which the name does not say."""
    unfit = _unfit(case, case.rows[0]["name"] if case.rows else "")
    row = case.rows[0] if case.rows else {}
    return refused(unfit) if unfit else Derived({"text": one_line(row["name"]), "objects": [row["osm_key"]]})


def _unfit(case: Case, said: str) -> str | None:
    """Why a place's category cannot be asked for, or asked by, in a text that holds what is `said`."""
    if not case.rows:
        return "no_answer"
    row = case.rows[0]
    if len(row["classes"]) > 1:
        return "several_classes"
    if case.facts.get("poi", {}).get("vague"):
        return "vague_class"
    return "names_itself" if words_of(_label(row), SHORT) & words_of(said, SHORT) else None


def _label(row: Row) -> str:
    """The words of a class's tag."""
    return class_text(row["class"])
