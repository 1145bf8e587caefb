"""What the map tells of a place: a value of a tag, in words."""

from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import call, found, members, plan, result, search

VAGUE = frozenset(
    "asian european fusion international local mediterranean multi regional western other various traditional".split()
) | {"fine dining"}
"""Values beside which others may be right, too."""


def words_of_value(value: str) -> str:
    """A tag's value as people read it: `ice cream`."""
    return " ".join(value.replace("_", " ").split())


@derivation("mapeval", "attribute_of")
def attribute_of(case: Case) -> Derived:
    """The only value of the attribute."""
    value: str = (case.rows[0]["value"] if case.rows else None) or ""
    if not value.strip():
        return refused("no_answer")
    text = words_of_value(value)
    if ";" in text:
        return refused("several_values")
    if text.casefold() in VAGUE:
        return refused("vague_value")
    row = case.rows[0]
    if text.casefold() in row["name"].casefold():
        return refused("names_itself")
    told = result(1, "attributes", row["attribute"])
    answer = {"text": {"$only": members([text], [told]), "equals": " ".join(value.split())}}
    calls = search(row["name"]), call("place_details", place=found(0, name=row["name"]))
    return Derived({"text": text}, solutions=plan(answer, *calls))
