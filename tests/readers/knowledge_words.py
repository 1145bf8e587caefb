"""What the words of multiple-choice questions mean on a map, stated by hand: points of interest, kinds, uses of land.

Nothing here is taken from the templates, their statements or the tables of the import.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Tags = Mapping[str, str]
KIND_KEYS = (
    "amenity",
    "tourism",
    "shop",
    "leisure",
    "historic",
    "healthcare",
    "office",
    "craft",
    "railway",
    "public_transport",
    "aeroway",
    "man_made",
)
"""Keys that say what a place is: those that the notes name, and those of stations, airports and sights."""
NAMED_KEYS = KIND_KEYS[:8]
"""Keys that the notes name."""
NOTHING = frozenset({"no", "none", "vacant", "disused", "abandoned", "closed"})
NOT_COUNTED: Mapping[str, str] = {
    "benches": "amenity=bench,lounger leisure=picnic_table",
    "waste baskets": "amenity=waste_basket,waste_disposal,recycling,grit_bin,ashtray",
    "street furniture": """amenity=bicycle_parking,motorcycle_parking,vending_machine,drinking_water,fountain,post_box,clock,
        telephone,shelter,hunting_stand,parking_space,parking_entrance,loading_dock,water_point,watering_place,bbq,
        give_box,public_bookcase,trolley_bay,life_ring,compressed_air,sanitary_dump_station,luggage_locker
        leisure=firepit,outdoor_seating""",
    "pitches": "leisure=pitch,track,fitness_station",
    "pools": "leisure=swimming_pool amenity=swimming_pool",
    "slipways": "leisure=slipway",
    "boards": "tourism=information",
    "holiday flats": "tourism=chalet,apartment",
    "wayside crosses": "historic=wayside_cross,wayside_shrine,boundary_stone,sign,yes",
}
"""By a noun of the notes: the tags that are no points of interest, where a note says so of that noun."""
PRIVATE = re.compile(r"\bprivate\b")
"""What a note says where car parks, toilets, gardens and the like do not count if not everybody may enter."""


def _pairs(told: str) -> Iterator[tuple[str, str]]:
    """The pairs of key and value in "key=value,value key=value"."""
    for part in re.sub(r",\s+", ",", told).split():
        key, _, values = part.partition("=")
        yield from ((key, value) for value in values.split(","))


UNCOUNTED = {noun: frozenset(_pairs(told)) for noun, told in NOT_COUNTED.items()}
ALL_UNCOUNTED = frozenset().union(*UNCOUNTED.values())


@dataclass(frozen=True)
class Counted:
    """Which tags make a point of interest; by default those that somebody would go to who lives there."""

    without: frozenset[tuple[str, str]] = ALL_UNCOUNTED
    private: bool = False
    """Whether a car park, toilets or a place of leisure counts that not everybody may enter."""
    stations: bool = True
    """Whether stations and airports count."""

    def takes(self, tags: Tags) -> bool:
        """Whether the tags are those of a point of interest."""
        if not self.private and tags.get("access") in ("private", "no") and _may_be_closed(tags):
            return False
        if {"office", "visitor_centre"} & set(values_of(tags, "information")):
            return True
        keys = KIND_KEYS if self.stations else NAMED_KEYS
        return any(
            (key, value) not in self.without
            and value not in NOTHING
            and (key in NAMED_KEYS or (value in STATIONS and key != "public_transport"))
            for key in keys
            for value in values_of(tags, key)
        )


def _may_be_closed(tags: Tags) -> bool:
    return "leisure" in tags or tags.get("amenity") in ("parking", "toilets")


STATIONS = frozenset({"station", "halt", "aerodrome", "terminal"})
BY_DEFAULT = Counted()


def counted_by(note: str) -> Counted:
    """What counts by a note: the nouns of all that does not count stand in it before "do not"."""
    said = re.search(r"([^.;]*)\bdo not\b", note)
    if not said:
        return BY_DEFAULT
    without = (tags for noun, tags in UNCOUNTED.items() if noun in said[1].lower())
    return Counted(frozenset().union(*without), private=not PRIVATE.search(note), stations="stations" in note)


def values_of(tags: Tags, key: str) -> list[str]:
    """The values of a tag, of which there may be several."""
    return [part.strip() for part in tags.get(key, "").split(";") if part.strip()]


def kinds(tags: Tags) -> Iterator[str]:
    """What a place is, in plain words, the main tag first: the value of the tag; its key where the value says nothing."""
    for key in KIND_KEYS:
        for value in values_of(tags, key):
            if value not in NOTHING:
                yield (key if value == "yes" else value).replace("_", " ").lower()


def street_of(tags: Tags) -> str:
    """The street of the own address, or the place that stands for it."""
    return " ".join((tags.get("addr:street") or tags.get("addr:place") or "").split())


def street_lines(tags: Tags) -> Iterator[str]:
    """Street and house number, in both orders."""
    street, number = street_of(tags), " ".join(tags.get("addr:housenumber", "").split())
    if street and number:
        yield f"{number} {street}"
        yield f"{street} {number}"


def fits_address(tags: Tags, text: str) -> bool:
    """Whether a text "number street, …" is an object's own address; parts that the text leaves out do not matter."""
    line = next((one for one in street_lines(tags) if f"{text}, ".startswith(f"{one}, ")), None)
    own = {" ".join(tags.get(f"addr:{part}", "").split()) for part in ("suburb", "city", "postcode")}
    own.add(" ".join(f"{tags.get('addr:postcode', '')} {tags.get('addr:city', '')}".split()))
    return line is not None and set(text[len(line) + 2 :].split(", ")) <= {*own, ""}


def address_in(tags: Tags, text: str) -> bool:
    """Whether a text speaks of an object's own street and number, and of no postcode that is not its own."""
    said = any(re.search(rf"(?<![\w-]){re.escape(line)}(?![\w-])", text) for line in street_lines(tags))
    own = tags.get("addr:postcode", "")
    return said and (not own or own in text or not re.search(r", \d{4,5}\b", text))


# --- uses of land -----------------------------------------------------------------------------------------

USES: Mapping[str, str] = {
    "Residential": "landuse=residential building=residential,apartments,house",
    "Commercial": """shop=* office=* craft=* landuse=commercial,retail amenity=restaurant,cafe,fast_food,bar,pub,bank,
        marketplace,car_wash,car_rental,biergarten,ice_cream,food_court,nightclub""",
    "Industrial": """landuse=industrial,quarry,landfill,brownfield,construction man_made=works,wastewater_plant,water_works
        power=plant,substation,generator""",
    "Education": """amenity=school,college,university,kindergarten,library,music_school,language_school,research_institute,
        childcare
        landuse=education""",
    "Medical": "amenity=hospital,clinic,doctors,dentist,nursing_home,pharmacy,social_facility,veterinary healthcare=*",
    "Government": """amenity=townhall,courthouse,police,fire_station,prison,embassy,public_building,ranger_station,post_office
        office=government landuse=military""",
    "Culture&Tourism": """tourism=hotel,hostel,motel,guest_house,apartment,chalet,camp_site,caravan_site,alpine_hut,museum,
        gallery,attraction,zoo,theme_park,artwork,viewpoint,aquarium amenity=theatre,cinema,casino,planetarium,arts_centre,community_centre,
        concert_hall,events_venue,conference_centre historic=*""",
    "Religious": "amenity=place_of_worship,monastery,grave_yard landuse=religious,cemetery",
    "Sports&Recreation": """leisure=sports_centre,pitch,stadium,playground,golf_course,swimming_pool,ice_rink,
        fitness_centre,track,sports_hall,water_park,horse_riding,miniature_golf,recreation_ground
        landuse=recreation_ground,winter_sports""",
    "Park&GreenLand": """leisure=park,garden,nature_reserve,common,dog_park landuse=grass,village_green,greenfield,flowerbed
        boundary=protected_area natural=heath,scrub,grassland""",
    "Transport": """amenity=parking,bus_station,ferry_terminal,fuel,charging_station,taxi aeroway=*
        railway=station,halt,yard landuse=railway,garages,depot,port public_transport=station""",
    "Agriculture&Forest": """landuse=farmland,farm,farmyard,forest,meadow,orchard,vineyard,allotments,greenhouse_horticulture,
        plant_nursery natural=wood""",
    "Water": "leisure=marina natural=water,bay,wetland landuse=reservoir,basin waterway=riverbank,dock",
}
"""Of the 13 classes: the tags that a reader would take for it."""
FIRST = (
    "shop",
    "amenity",
    "leisure",
    "tourism",
    "historic",
    "office",
    "craft",
    "healthcare",
    "aeroway",
    "railway",
)
"""Keys that say what an area is; the note puts them before the tags of the land."""
USE_OF_TAG = {pair: use for use, told in USES.items() for pair in _pairs(told)}
ALSO: Mapping[tuple[str, str], str] = {
    ("amenity", "post_office"): "Government",
    ("amenity", "veterinary"): "Medical",
    ("leisure", "marina"): "Water",
}
"""A second class that a tag could mean."""


def uses(tags: Tags) -> Iterator[str]:
    """The classes that the tags of an area could mean, the likeliest first."""
    pairs = [
        (key, value)
        for key in sorted(tags, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST))
        for value in values_of(tags, key)
        if value != "no"
    ]
    yield from (
        use for key, value in pairs if (use := USE_OF_TAG.get((key, value), USE_OF_TAG.get((key, "*"))))
    )
    yield from (ALSO[pair] for pair in pairs if pair in ALSO)
