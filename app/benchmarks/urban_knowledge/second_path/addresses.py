"""Second path of the knowledge templates about addresses of places and of areas, and about what is at one.

An address is what an object's own tags say: `housenumber street, suburb, city, postcode`. Distances are metres.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from app.benchmarks.urban_knowledge.second_path.places_and_areas import Sharers, of_all, of_areas, subject_of
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


def address_from(tags: Mapping[str, str]) -> Address | None:
    """The address that tags say; None without a street, or without a house number that starts with a digit."""
    said = parts_of(tags)
    house = said.get("housenumber", "")
    if "street" not in said or not re.match(r"\s*[0-9]", house):
        return None
    shown = [
        f"{house} {said['street']}",
        *(said[part] for part in ("suburb", "city", "postcode") if part in said),
    ]
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
    poi = layers["poi"]
    position = poi.position[parameters["poi"]]
    bearers = book_of(poi).by_text.get(normal_form(text), [])
    known, why = _is_another(poi, position, bearers, text)
    if not known:
        return False, why
    metres, _ = measure(*poi.coordinates[position].tolist(), *poi.coordinates[bearers].T)
    if float(np.min(metres)) > NEIGHBOURHOOD_METRES + _ROUND:
        return False, f"the nearest place of this address is {float(np.min(metres)):.3f} m away"
    return True, why


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

    def __init__(self, layer: Layer) -> None:
        found = ((position, address_from(layer.rows[position].tags)) for position in layer.named.tolist())
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


def book_of(layer: Layer) -> Book:
    """The addresses of a layer, made once."""
    if layer not in _books:
        _books[layer] = Book(layer)
    return _books[layer]


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
