"""Keys of questions with options: {text, objects}; the index is known once the options are shuffled."""

from dataclasses import replace

from app.core.names import normal_form
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.nearest import nearest_of


def coordinates_text(lon: float, lat: float) -> str:
    """`(lon, lat)` with five decimals, about a metre."""
    lon, lat = (round(degrees, 5) + 0.0 for degrees in (lon, lat))  # + 0.0: no -0.00000 at Greenwich
    return f"({lon:.5f}, {lat:.5f})"


@derivation("urban_knowledge", "coordinates_option")
def coordinates_option(case: Case) -> Derived:
    """Where the place is."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    return Derived({"text": coordinates_text(row["lon"], row["lat"]), "objects": [row["osm_key"]]})


@derivation("urban_knowledge", "nearest_option")
def nearest_option(case: Case) -> Derived:
    """The nearest named place, as an option."""
    found = nearest_of(case, case.rows)
    if found.refusal:
        return found
    first = case.rows[0]
    return replace(found, gold={"text": first["name"], "objects": [first["osm_key"]]})


@derivation("urban_knowledge", "cover_option")
def cover_option(case: Case) -> Derived:
    """The smallest named area around the place, or around all places; rows come smallest first."""
    if any(row["doubtful"] for row in case.rows):
        return refused("near_area_edge")
    covering = [row for row in case.rows if row["covers"]]
    if not covering:
        return refused("no_answer")
    if any(row["repaired"] for row in covering):
        return refused("repaired_geometry")
    subjects = [name for facts in case.facts.values() for name in facts.get("names", [facts["name"]])]
    if {normal_form(name) for name in subjects} & {normal_form(row["name"]) for row in covering}:
        return refused("names_itself")
    if any(facts.get("shared_name") for facts in case.facts.values()):
        return refused("shared_name")
    first = covering[0]
    wanted = max(case.margins["square_metres"], case.margins["ratio"] * first["area"])
    behind = covering[1]["area"] - first["area"] if len(covering) > 1 else None
    if behind is not None and behind < wanted:
        return refused("margin")
    evidence = [("aoi", row["osm_key"]) for row in covering]
    gold = {"text": first["name"], "objects": [first["osm_key"]]}
    return Derived(gold, None, evidence, {"behind": behind, "wanted": wanted}, names=subjects)
