"""Keys of questions for addresses, and for what is found at one: {text, objects}, options as `alike` writes them."""

import re
from dataclasses import replace

from app.questions.alike import one_line
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.labels.place_labels import address_label
from app.questions.shared_words import SHORT, words_of

_NUMBERED = re.compile(r"\s*[0-9]")


def _names_its_street(row: Row) -> bool:
    """Whether the name says a word of the street, which tells the address, or what is at it."""
    return bool(words_of(row["name"], SHORT) & words_of(row["street"], SHORT))


def _sharers(case: Case) -> int:
    """How many others may be in the same house, where the pick counts them."""
    return sum(int(facts.get("sharers", 0)) for facts in case.facts.values())


@derivation("urban_knowledge", "address_option")
def address_option(case: Case) -> Derived:
    """The address that the object's own tags say, with a number that starts with a digit."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if not _NUMBERED.match(row["housenumber"] or ""):
        return refused("no_housenumber")
    if _sharers(case):
        return refused("shared_address")
    if _names_its_street(row):
        return refused("names_itself")
    return Derived({"text": one_line(row["address"]), "objects": [row["osm_key"]]})


@derivation("urban_knowledge", "address_in_order_option")
def address_in_order_option(case: Case) -> Derived:
    """As `address_option`, with street and house number in the order of the country."""
    rows = [{**row, "address": address_label(row)} for row in case.rows]
    return address_option(replace(case, rows=rows))


@derivation("urban_knowledge", "name_at_address_option")
def name_at_address_option(case: Case) -> Derived:
    """The name of the one object that an address leads to; rows are all that have it."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if not _NUMBERED.match(row["housenumber"] or ""):
        return refused("no_housenumber")
    if len(case.rows) > 1 or _sharers(case):
        return refused("shared_address")
    if _names_its_street(row):
        return refused("names_itself")
    return Derived({"text": one_line(row["name"]), "objects": [row["osm_key"]]})
