"""Keys of questions for addresses, and for what is found at one: {text, objects}, options as `alike` writes them."""

import re

from app.core.names import normal_form
from app.questions.alike import one_line
from app.questions.derivations.base import Case, Derived, derivation, refused

_NUMBERED = re.compile(r"\s*[0-9]")


@derivation("address_option")
def address_option(case: Case) -> Derived:
    """The address that the object's own tags say, with a number that starts with a digit."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if not _NUMBERED.match(row["housenumber"] or ""):
        return refused("no_housenumber")
    address = one_line(row["address"])
    if normal_form(row["name"]) in normal_form(address):
        return refused("names_itself")
    return Derived({"text": address, "objects": [row["osm_key"]]})
