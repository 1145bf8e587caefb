"""Second path of the knowledge templates about addresses of places and of areas, and about what is at one.

An address is what an object's own tags say: `street housenumber, suburb, postcode city` in the order of the country,
and in earlier versions of templates `housenumber street, suburb, city, postcode` everywhere. Distances are metres.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.benchmarks.urban_knowledge.second_path.places_and_areas import Sharers, of_all, of_areas, subject_of
from app.core.countries import country_named, has_number_first, has_postcode_first, state_named
from app.questions.second_path.addresses import parts_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.fairness import spoken
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layer, Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import Row
from app.questions.second_path.verdicts import (
    Verdict,
    look_alike,
    of_like_looks,
    of_one_bearer,
    wrong_rule,
)

NEIGHBOURHOOD_METRES = 500.0
"""How far away the place may be whose address is offered as a wrong one."""
_ROUND = 0.001
_NUMBER = re.compile(r"[0-9]+")


class Address(NamedTuple):
    """An address as it is shown, its parts, and the house numbers that it may cover."""

    text: str
    parts: frozenset[str]
    street: str
    low: int
    high: int


class Order(NamedTuple):
    """What stands first in an address."""

    number: bool = True
    """The house number before the street, else behind it."""
    postcode: bool = False
    """The postcode before the city, else behind it and a comma."""


def address_from(tags: Mapping[str, str], order: Order = Order()) -> Address | None:  # noqa: B008 - it cannot change
    """The address that tags say; None without a street, or without a house number that starts with a digit."""
    said = parts_of(tags)
    house = said.get("housenumber", "")
    if "street" not in said or not re.match(r"\s*[0-9]", house):
        return None
    shown = [f"{house} {said['street']}" if order.number else f"{said['street']} {house}"]
    shown += [said["suburb"]] if "suburb" in said else []
    last = [said[part] for part in ("city", "postcode") if part in said]
    shown += [" ".join(reversed(last))] if order.postcode and last else last
    numbers = [int(number) for number in _NUMBER.findall(house)]
    return Address(
        " ".join(", ".join(shown).split()),
        frozenset(said) & {"suburb", "city", "postcode"},
        normal_form(said["street"]),
        min(numbers),
        max(numbers),
    )


def may_be_one(one: Address, other: Address) -> bool:
    """Whether two addresses may mean one house: the same street, and numbers that meet (5 and 5a, 3-7 and 5)."""
    return one.street == other.street and one.low <= other.high and other.low <= one.high


def _subject_address(layer: Layer, position: int) -> tuple[Address | None, str | None]:
    """The address of the subject, and why it cannot be asked about."""
    row = layer.rows[position]
    address = address_from(row.tags)
    if address is None:
        return None, "no_address"
    told = spoken(row.name or "") & spoken(address.street)
    return address, "names_itself" if told else None


@second_path("urban_knowledge", "Retrieve_POI_Address")
def poi_address(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The address of a POI."""
    poi = layers["poi"]
    position, _, _, unfit = subject_of(layers, parameters)
    address, refusal = _subject_address(poi, position)
    value = {"text": address.text, "objects": [poi.keys[position]]} if address else {}
    return SecondAnswer(value, unfit or refusal)


@wrong_rule("urban_knowledge", "Retrieve_POI_Address", since=2)
def _address_of_another(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    return _is_of_another_nearby(layers, parameters, text, book_of(layers["poi"]))


def _is_of_another_nearby(layers: Layers, parameters: Parameters, text: str, book: "Book") -> Verdict:
    poi = layers["poi"]
    position = poi.position[parameters["poi"]]
    bearers = book.by_text.get(normal_form(text), [])
    known, why = _is_another(poi, position, bearers, text)
    if not known:
        return False, why
    metres, _ = measure(*poi.coordinates[position].tolist(), *poi.coordinates[bearers].T)
    if float(np.min(metres)) > NEIGHBOURHOOD_METRES + _ROUND:
        return False, f"the nearest place of this address is {float(np.min(metres)):.3f} m away"
    return True, why


def orders_of(layers: Layers) -> Callable[[Row], Order]:
    """The order of a row's address: by its own country, else that of the first POI with one."""
    of_map = next((told for row in layers["poi"].rows if (told := _country(row.tags))), None)

    def order_of(row: Row) -> Order:
        state = state_named(row.tags.get("addr:state"))
        country = country_named(_country(row.tags) or of_map) or (state.country if state else None)
        return Order(has_number_first(country), has_postcode_first(country))

    return order_of


def _country(tags: Mapping[str, str]) -> str | None:
    return tags.get("addr:country") or None


def _in_order(layers: Layers, layer: Layer, found: SecondAnswer) -> SecondAnswer:
    """An answer whose text is the address of its object, in the order of the country."""
    if not found.value:
        return found
    address = book_in_order(layers, layer).by_position.get(layer.position[found.value["objects"][0]])
    return replace(found, value={**found.value, "text": address.text}) if address else found


@second_path("urban_knowledge", "Retrieve_POI_Address", since=3)
def poi_address_in_order(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The address of a POI in the order of the country."""
    return _in_order(layers, layers["poi"], poi_address(layers, parameters))


@wrong_rule("urban_knowledge", "Retrieve_POI_Address", since=3)
def _address_of_another_in_order(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    return _is_of_another_nearby(layers, parameters, text, book_in_order(layers, layers["poi"]))


@second_path("urban_knowledge", "Retrieve_POI_Name")
def poi_at_address(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the only POI at an address, which is told by the POI itself."""
    position, _, _, unfit = subject_of(layers, parameters)
    return _at_own_address(layers["poi"], position, unfit)


def _at_own_address(layer: Layer, position: int, unfit: str | None) -> SecondAnswer:
    row = layer.rows[position]
    address, refusal = _subject_address(layer, position)
    if address is None or row.name is None:
        return SecondAnswer({}, unfit or refusal or "unnamed_subject")
    sharers = [layer.keys[one] for one in book_of(layer).sharers(position)]
    value = {"text": " ".join(row.name.split()), "objects": [row.osm_key]}
    return SecondAnswer(
        value, unfit or refusal or ("shared_address" if sharers else None), {"sharers": sharers}
    )


def _elsewhere(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    poi = layers["poi"]
    return _is_elsewhere(poi, poi.position[parameters["poi"]], answer, text)


def _is_elsewhere(layer: Layer, position: int, answer: SecondAnswer, text: str) -> Verdict:
    """Whether every object of a name has an address of its own, which surely is another house."""
    own = address_from(layer.rows[position].tags)
    bearers = layer.by_name.get(normal_form(text), [])
    if not bearers or own is None:
        return False, "nothing bears this name"
    for one in bearers:
        address = book_of(layer).by_position.get(one)
        if address is None:
            return False, f"{layer.keys[one]} of this name has no address: it may be there"
        if may_be_one(own, address):
            return False, f"{layer.keys[one]} of this name may be in the same house, {address.text}"
    return True, f"{', '.join(layer.keys[one] for one in bearers[:3])} of this name at another address"


def area_of(layers: Layers, parameters: Parameters, sharers: Sharers) -> tuple[int, str | None]:
    """The position of the area asked about, and why it may not be; raises Refused where there is none."""
    aoi = layers["aoi"]
    key = parameter(parameters, "aoi", str)
    position = aoi.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="aoi", osm_key=key)
    row = aoi.rows[position]
    return position, first_refusal(
        (row.repaired, "repaired_geometry"),
        (not is_named(row), "unnamed_subject"),
        (sharers(layers, row) > 1, "name_not_unique"),
    )


def area_address(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The address of an area of interest, which shares it with no other."""
    aoi = layers["aoi"]
    position, unfit = area_of(layers, parameters, sharers)
    found = _at_own_address(aoi, position, unfit)
    address = address_from(aoi.rows[position].tags)
    return replace(found, value={**found.value, "text": address.text}) if address and found.value else found


@wrong_rule("urban_knowledge", "Retrieve_AOI_Address", since=3)
def _address_of_another_area(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    aoi = layers["aoi"]
    bearers = book_of(aoi).by_text.get(normal_form(text), [])
    return _is_another(aoi, aoi.position[parameters["aoi"]], bearers, text)


@second_path("urban_knowledge", "Retrieve_AOI_Address", since=4)
def area_address_in_order(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The address of an area of interest in the order of the country."""
    return _in_order(layers, layers["aoi"], area_address(layers, parameters, of_all))


@wrong_rule("urban_knowledge", "Retrieve_AOI_Address", since=4)
def _address_of_another_area_in_order(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    aoi = layers["aoi"]
    bearers = book_in_order(layers, aoi).by_text.get(normal_form(text), [])
    return _is_another(aoi, aoi.position[parameters["aoi"]], bearers, text)


def area_at_address(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The name of the only area of interest at an address, which is told by the area itself."""
    position, unfit = area_of(layers, parameters, sharers)
    return _at_own_address(layers["aoi"], position, unfit)


for _since, _sharers in ((1, of_areas), (2, of_all)):
    second_path("urban_knowledge", "Retrieve_AOI_Address", _since)(partial(area_address, sharers=_sharers))
    second_path("urban_knowledge", "Retrieve_AOI_Name", _since)(partial(area_at_address, sharers=_sharers))


def _area_elsewhere(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    aoi = layers["aoi"]
    return _is_elsewhere(aoi, aoi.position[parameters["aoi"]], answer, text)


wrong_rule("urban_knowledge", "Retrieve_POI_Address")(of_like_looks(_address_of_another))
wrong_rule("urban_knowledge", "Retrieve_AOI_Address")(of_like_looks(_address_of_another_area))
for _template, _rule in (("Retrieve_POI_Name", _elsewhere), ("Retrieve_AOI_Name", _area_elsewhere)):
    wrong_rule("urban_knowledge", _template)(of_like_looks(_rule))
    wrong_rule("urban_knowledge", _template, since=2)(of_like_looks(of_one_bearer(_rule)))
    wrong_rule("urban_knowledge", _template, since=3)(of_one_bearer(_rule))
    look_alike("urban_knowledge", _template, "hard", since=3)
look_alike("urban_knowledge", "Retrieve_POI_Address", "hard", since=2)
look_alike("urban_knowledge", "Retrieve_AOI_Address", "hard", since=3)


class Book:
    """The addresses of a layer's named objects."""

    def __init__(self, layer: Layer, order_of: Callable[[Row], Order] = lambda row: Order()) -> None:
        rows = ((position, layer.rows[position]) for position in layer.named.tolist())
        found = ((position, address_from(row.tags, order_of(row))) for position, row in rows)
        self.by_position: dict[int, Address] = {position: address for position, address in found if address}
        self.by_text: dict[str, list[int]] = {}
        self.by_street: dict[str, list[int]] = {}
        for position, address in self.by_position.items():
            self.by_text.setdefault(normal_form(address.text), []).append(position)
            self.by_street.setdefault(address.street, []).append(position)

    def sharers(self, position: int) -> list[int]:
        """The positions of others that may be in the same house."""
        own = self.by_position[position]
        others = (one for one in self.by_street[own.street] if one != position)
        return [one for one in others if may_be_one(own, self.by_position[one])]


_books: WeakKeyDictionary[Layer, Book] = WeakKeyDictionary()
_books_in_order: WeakKeyDictionary[Layer, Book] = WeakKeyDictionary()


def book_of(layer: Layer) -> Book:
    """The addresses of a layer, made once."""
    if layer not in _books:
        _books[layer] = Book(layer)
    return _books[layer]


def book_in_order(layers: Layers, layer: Layer) -> Book:
    """The same, with street and house number in the order of the country."""
    if layer not in _books_in_order:
        _books_in_order[layer] = Book(layer, orders_of(layers))
    return _books_in_order[layer]


def _is_another(layer: Layer, position: int, bearers: list[int], text: str) -> Verdict:
    """Whether a text is the address of others, says what the subject's says, and surely means another house."""
    own = address_from(layer.rows[position].tags)
    if not bearers or own is None:
        return False, "no named object has this address"
    for one in bearers:
        address = book_of(layer).by_position[one]
        if may_be_one(own, address):
            return False, f"the address of {layer.keys[one]}, which may be the subject's house"
        if address.parts != own.parts:
            return False, f"says {sorted(address.parts)}, the key {sorted(own.parts)}"
    return True, f"the address of {', '.join(layer.keys[one] for one in bearers[:3])}, another house"
