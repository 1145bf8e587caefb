"""Why a wrong option is wrong, in a sentence, from what its proof holds of it and of the key."""

from collections.abc import Mapping
from typing import Any

from app.core.names import normal_form
from app.published.inspected import QuestionMap

NARROW = "\u202f"


def metres(value: float) -> str:
    """A length such as 81.3 m or 1 234 m."""
    shown = f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"
    return f"{shown.replace(',', NARROW)}{NARROW}m"


def square_metres(value: float) -> str:
    """An area such as 9 983.6 m²."""
    return f"{value:,.1f}".replace(",", NARROW) + f"{NARROW}m²"


def why_wrong(
    wrong: Mapping[str, Any],
    gold: Mapping[str, Any],
    facts: Mapping[str, Any],
    drawn: QuestionMap | None,
    not_found: str | None = None,
) -> str:
    """The sentence; where nothing more is known, that both paths found it wrong.

    `not_found` is what to say of an option that is wrong because the map does not give it.
    """
    keys = [str(key) for key in wrong.get("osm_keys") or [wrong.get("osm_key")] if key]
    counts = facts.get("counts", {})
    right = next((str(key) for key in gold.get("objects", []) if isinstance(key, str)), "")
    if "distance" in wrong and "distance" in gold:
        return f"Measured on the map it is {metres(gold['distance'])}."
    if "length" in wrong and "length" in gold:
        return f"Measured on the map it is {metres(gold['length'])}."
    if "area" in wrong and right in facts.get("areas", {}):
        return (
            f"Its area is {square_metres(wrong['area'])}; "
            f"that of the answer is {square_metres(facts['areas'][right])}."
        )
    if keys and keys[0] in counts and right in counts:
        return f"It counts {counts[keys[0]]}; the answer counts {counts[right]}."
    said = _from_roads(wrong, facts) or not_found
    if said is None:
        said = _from_map(wrong, keys, drawn, facts.get("class"))
    if said is None and not keys and "text" in gold:
        said = f"The map says {gold['text']}."
    return said or "Neither the statement of the proof nor the second path gives it."


def _from_roads(wrong: Mapping[str, Any], facts: Mapping[str, Any]) -> str | None:
    """Which roads a road meets first and last, or whether it meets this one."""
    if facts.get("junctions"):
        first, last = facts["junctions"][0][1], facts["junctions"][-1][1]
        return f"The road meets {first} and {last} first and last."
    if "met" not in facts:
        return None
    met = {normal_form(name) for name in facts["met"]}
    return (
        "The road meets it." if normal_form(wrong["text"]) in met else "It shares no junction with the road."
    )


def _from_map(
    wrong: Mapping[str, Any], keys: list[str], drawn: QuestionMap | None, asked: str | None
) -> str | None:
    """How far it lies from what is asked about, whose it is, or that it is of another class than the one asked for."""
    marks = [shape.properties for shape in drawn.features] if drawn else []
    if "lon" in wrong and "lat" in wrong:
        place = (wrong["lon"], wrong["lat"])
        far = next((mark.metres for mark in marks if mark.point == place), None)
        return None if far is None else f"That point lies {metres(far)} from the place."
    its = next((mark for mark in marks if keys and mark.osm_key == keys[0]), None)
    gold = next((mark for mark in marks if mark.role == "gold"), None)
    if its is None:
        return None
    if its.metres is not None and gold is not None and gold.metres is not None:
        return f"It lies {metres(its.metres)} away; the answer lies {metres(gold.metres)} away."
    if its.name is not None and its.name != wrong.get("text"):
        return f"It is taken from {its.name} ({its.osm_key}), another object of the map."
    if asked is not None and its.klass is not None and its.klass != asked:
        return f"The map says {its.klass.replace('_', ' ')}, and not {asked.replace('_', ' ')}."
    return None
