"""Keys of questions about a hidden place: its kind, by what lies around it."""

from dataclasses import replace

from app.core.class_words import class_text, class_word
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.shared_words import SHORT, words_of


@derivation("urban_knowledge", "scene_option")
def scene_option(case: Case) -> Derived:
    """The class of the hidden place, which nothing in the scene says or is of."""
    shown = case.rows[: int(case.limits["shown"])]
    if not shown:
        return refused("no_answer")
    if any(abs(row["distance"] - case.binds["scene_metres"]) <= case.binds["edge_metres"] for row in shown):
        return refused("near_circle")
    if any(row["repaired"] for row in shown):
        return refused("repaired_geometry")
    klass = case.rows[0]["subject_class"]
    if any(klass in row["classes"] for row in shown):
        return refused("in_scene")
    label = class_text(klass)
    if words_of(label, SHORT) & words_of(str(case.facts.get("scene", {}).get("said") or ""), SHORT):
        return refused("names_itself")
    keys = [row["osm_key"] for row in shown]
    gold = {"text": label, "objects": [case.rows[0]["subject_key"]], "scene": sorted(keys)}
    radius = case.binds["clear_metres"] + case.binds["edge_metres"]
    return Derived(gold, None, [("poi", key) for key in keys], {}, radius)


@derivation("urban_knowledge", "kind_in_scene_option")
def kind_in_scene_option(case: Case) -> Derived:
    """As `scene_option`, the class by what people call it."""
    derived = scene_option(case)
    if derived.refusal:
        return derived
    word = class_word(case.rows[0]["subject_class"])
    if words_of(word, SHORT) & words_of(str(case.facts.get("scene", {}).get("said") or ""), SHORT):
        return refused("names_itself")
    return replace(derived, gold={**derived.gold, "text": word})
