"""Wikidata's statements as facts: which of an item's claims say one thing, and what. Pure.

The JSON data model: https://www.mediawiki.org/wiki/Wikibase/DataModel/JSON. Of an attribute the preferred statements
count where there are any, else the normal ones; deprecated ones never do. Several that differ are no fact.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.facts.attributes import BY_PROPERTY, Attribute
from app.facts.fact import LICENCES, Fact, is_item
from app.facts.normalising import NoFact, Value, normalise, quantity, read_name, read_year
from app.facts.storing import Item

CREDIT = "Wikidata"
LANGUAGES = ("en", "mul")
_UNITS = {"1": ("", 1.0), "Q11573": ("m", 1.0), "Q828224": ("m", 1000.0), "Q3710": ("m", 0.3048)}
"""Units of quantities: none, metre, kilometre, foot."""
_TIME = re.compile(r"\+0*(?P<year>[1-9]\d{0,3})-\d\d-\d\dT\d\d:\d\d:\d\dZ")
YEAR_PRECISION = 9

Names = Mapping[str, tuple[str, ...]]
"""By item: its label and its aliases in LANGUAGES, the label first; an item without a label is absent."""


def named_items(entity: Mapping[str, Any]) -> set[str]:
    """The items that an entity's usable statements point to, whose labels are needed."""
    return {
        value["id"]
        for attribute in BY_PROPERTY.values()
        for value in _values(entity, attribute)
        if isinstance(value, dict) and is_item(str(value.get("id")))
    }


def read_labels(entity: Mapping[str, Any]) -> tuple[str, ...]:
    """The label and the aliases of an entity; empty where it has no label in LANGUAGES."""
    labels = [_text(entity.get("labels"), language) for language in LANGUAGES]
    label = next(filter(None, labels), None)
    if label is None:
        return ()
    aliases = [_text([alias], 0) for language in LANGUAGES for alias in _aliases(entity, language)]
    return tuple(dict.fromkeys([label, *filter(None, labels), *filter(None, aliases)]))


def read_item(item: str, entity: Mapping[str, Any], names: Names, page: str, read_at: datetime) -> Item:
    """What an entity says of `item`, and which of its statements are no facts; `page` is the item's address."""
    facts, refused = [], []
    for attribute in BY_PROPERTY.values():
        try:
            value = _one_value(attribute, list(_values(entity, attribute)), names)
        except NoFact as reason:
            refused.append(f"{attribute.name}: {reason}")
            continue
        if value is not None:
            facts.append(
                Fact(item, attribute.name, value, "wikidata", CREDIT, page, LICENCES["wikidata"], read_at)
            )
    revision = entity.get("lastrevid")
    return Item(item, True, revision if isinstance(revision, int) else None, tuple(facts), tuple(refused))


def _one_value(attribute: Attribute, said: Sequence[Any], names: Names) -> Value | None:
    values = {value.key: value for value in (_value(attribute, one, names) for one in said)}
    if len(values) > 1:
        raise NoFact(f"several values: {', '.join(sorted(value.value for value in values.values()))}")
    return next(iter(values.values()), None)


def _values(entity: Mapping[str, Any], attribute: Attribute) -> Iterator[Any]:
    """The data values of an attribute's statements that count; None for "unknown" and "no value"."""
    claims = entity.get("claims")
    statements = claims.get(attribute.wikidata) if isinstance(claims, dict) else None
    usable = [one for one in statements or () if isinstance(one, dict) and one.get("rank") != "deprecated"]
    preferred = [one for one in usable if one.get("rank") == "preferred"]
    for statement in preferred or usable:
        snak = statement.get("mainsnak")
        snak = snak if isinstance(snak, dict) else {}
        data = snak.get("datavalue")
        yield data.get("value") if snak.get("snaktype") == "value" and isinstance(data, dict) else None


def _value(attribute: Attribute, said: Any, names: Names) -> Value:
    if said is None:
        raise NoFact("unknown, or none")
    if isinstance(said, str):
        return normalise(attribute, said)
    if not isinstance(said, dict):
        raise NoFact("a value of no known form")
    if attribute.kind == "year":
        return _year(said)
    if attribute.kind == "number":
        return _quantity(said, attribute.unit)
    if isinstance(said.get("text"), str):
        return normalise(attribute, said["text"])
    item = str(said.get("id"))
    if item not in names:
        raise NoFact(f"{item} has no label in {' or '.join(LANGUAGES)}")
    return read_name(*names[item])


def _year(said: Mapping[str, Any]) -> Value:
    match = _TIME.fullmatch(str(said.get("time")))
    precision = said.get("precision")
    if match is None or not isinstance(precision, int) or precision < YEAR_PRECISION:
        raise NoFact(f"{said.get('time')!r} is not known to the year")
    return read_year(match["year"].zfill(3))


def _quantity(said: Mapping[str, Any], unit: str) -> Value:
    told, factor = _UNITS.get(str(said.get("unit")).rpartition("/")[2], ("another unit", 0.0))
    if told != unit:
        raise NoFact(f"its unit ({said.get('unit')!r}) does not fit")
    try:
        amount = float(str(said.get("amount")))
    except ValueError as error:
        raise NoFact(f"{said.get('amount')!r} is not a number") from error
    return quantity(amount * factor, unit)


def _text(holder: Any, key: Any) -> str | None:
    try:
        value = holder[key]["value"]
    except (KeyError, IndexError, TypeError):
        return None
    return value if isinstance(value, str) and value.strip() else None


def _aliases(entity: Mapping[str, Any], language: str) -> list[Any]:
    aliases = entity.get("aliases")
    found = aliases.get(language) if isinstance(aliases, dict) else None
    return found if isinstance(found, list) else []
