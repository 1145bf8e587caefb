"""The tables of tags: which make which class of which layer, and which are never stored. They are the documentation."""

import re


def words(text: str) -> frozenset[str]:
    """The words of a table's cell."""
    return frozenset(text.split())


LAYERS = ("poi", "park", "water", "road", "region", "aoi", "address", "other_place")
NETWORK_LAYERS = ("road_edge", "turn_restriction", "road_barrier")
"""The road network, made of layer road, of ferries, and of nodes and relations: each needs the others."""

LIFECYCLE = ("disused", "abandoned", "demolished", "razed", "removed")

# --- poi: nodes, and areas by a point on their surface --------------------------------------------------------
# key -> values; "*" takes every value but those of NOT_A_VALUE. The order of keys decides an object's main class.
# Left out on purpose: street furniture (bench, waste_basket, post_box, vending_machine, parking_space, fountain…),
# what stands in a private garden (swimming_pool, pitch), and holiday homes (chalet, apartment). No class is made of
# public_transport=station, which ski lifts, buses and ferries have, too: a station of trains has railway=station.
POI: dict[str, str] = {
    "amenity": """
        restaurant cafe fast_food bar pub biergarten food_court ice_cream nightclub
        hospital clinic doctors dentist pharmacy veterinary nursing_home social_facility
        university college school kindergarten library language_school music_school driving_school research_institute
        training dancing_school prep_school
        bank atm bureau_de_change money_transfer payment_terminal
        theatre cinema arts_centre art_gallery museum casino gambling planetarium community_centre social_centre
        events_venue conference_centre exhibition_centre concert_hall music_venue stripclub internet_cafe studio
        place_of_worship monastery townhall courthouse police fire_station post_office embassy prison public_building
        ranger_station customs
        charging_station fuel car_rental car_sharing car_wash bicycle_rental boat_rental vehicle_inspection
        bus_station ferry_terminal taxi parking marketplace
        toilets shower public_bath crematorium grave_yard animal_shelter animal_boarding childcare
        coworking_space scout_hut youth_centre spa sauna dojo gym
    """,
    "tourism": """
        aquarium attraction viewpoint art_gallery theme_park museum bed_and_breakfast gallery zoo hotel
        hostel guest_house motel camp_site caravan_site picnic_site alpine_hut wilderness_hut resort artwork
    """,
    "shop": "*",
    "leisure": """
        park beach_resort golf_course nature_reserve garden stadium sports_centre sports_hall fitness_centre playground
        marina water_park miniature_golf ice_rink bowling_alley dance escape_game amusement_arcade adult_gaming_centre
        horse_riding dog_park sauna hackerspace recreation_ground common bandstand trampoline_park indoor_play
    """,
    "historic": """
        monument memorial castle fort fortress ruins archaeological_site manor palace monastery church chapel
        city_gate citywalls tower tomb battlefield building ship wreck aircraft locomotive mine mill lighthouse
    """,
    "healthcare": "*",
    "office": "*",
    "craft": "*",
    "railway": "station halt",
    "public_transport": "",
    "aeroway": "aerodrome terminal",
    "man_made": "lighthouse observatory windmill watermill",
}
NOT_A_VALUE = words("no none vacant disused abandoned closed")
# Taken only where a second tag says so: (key, value) -> (second key, values that allow).
POI_ONLY_WITH = {("tourism", "information"): ("information", words("office visitor_centre"))}
# Taken only with a name: mostly somebody's garden otherwise.
POI_ONLY_NAMED = frozenset([("leisure", "garden"), ("amenity", "shower"), ("amenity", "public_building")])
POI_NEVER = frozenset([("memorial", "stolperstein"), ("garden:type", "residential")])
# Taken only where access is not private: a whole key, or one class.
POI_PUBLIC_KEYS = words("leisure")
POI_PUBLIC_CLASSES = words("parking toilets")
PRIVATE = words("private no")

# --- other_place: nodes, and areas by a point on their surface -------------------------------------------------
# Whatever has a key of POI, and is no poi: information boards, what is private, what has no name where it needs one.
# With a name, of any value; without one, of a value that makes a poi elsewhere: so that nothing is said not to be there
# which a layer leaves out. And named areas that are neither poi nor aoi, by these keys: others may be taken for them.
OTHER_PLACE_UNNAMED = frozenset().union(*(words(values) for values in POI.values())) - {"*"} | {
    value for _, value in POI_ONLY_WITH
}
OTHER_PLACE_AREAS = ("building", "landuse", "natural")

# --- park: areas and points -----------------------------------------------------------------------------
PARK: dict[str, str] = {
    "leisure": "park garden nature_reserve golf_course sports_centre recreation_ground common marina",
    "boundary": "national_park protected_area",
    "landuse": "recreation_ground village_green",
}

# --- water: areas and lines; never points ---------------------------------------------------------------------
WATER_AREA: dict[str, str] = {
    "natural": "water bay strait",
    "landuse": "reservoir basin",
    "waterway": "riverbank dock",
}
WATER_LINE = words("river stream canal drain ditch tidal_channel wadi brook flowline")
WATER_LINE_NATURAL = frozenset(["bay", "strait"])  # drawn as a line where nobody agrees on the shore

# --- road: lines ----------------------------------------------------------------------------------
DRIVABLE = words(
    """
    motorway motorway_link trunk trunk_link primary primary_link secondary secondary_link tertiary tertiary_link
    unclassified residential living_street service road
    """
)
WALKABLE = words(
    "track path footway cycleway bridleway steps pedestrian busway bus_guideway raceway corridor via_ferrata"
)
ROAD = DRIVABLE | WALKABLE

# --- region: areas --------------------------------------------------------------------------------------
REGION_CLASSES = words("city town village island municipality county neighbourhood suburb state")
REGION_PLACES = {place: place for place in REGION_CLASSES} | {
    "islet": "island",
    "quarter": "neighbourhood",
    "borough": "suburb",
    "province": "state",
    "district": "county",
}
# The class of an administrative area whose tags name none: the commonest meaning of the level in OSM.
ADMIN_LEVEL_CLASSES = {4: "state", 6: "county", 8: "municipality", 9: "suburb", 10: "neighbourhood"}
REGION_UNKNOWN = "administrative"
# Where an administrative area's tags may name its class.
BORDER_KEYS = ("border_type", "admin_type", "designation")

# --- aoi: named areas by land use, first match wins -----------------------------------------------------------
# The 13 land-use classes. Keys of activity (amenity, leisure, tourism, aeroway, railway) are tried before those
# of the ground (landuse, natural), each in the order written here.
LAND_USE: dict[str, dict[str, str]] = {
    "Education": {
        "amenity": "university college school kindergarten library research_institute music_school language_school",
        "landuse": "education",
    },
    "Medical": {
        "amenity": "hospital clinic doctors dentist pharmacy nursing_home veterinary social_facility",
    },
    "Government": {
        "amenity": "townhall courthouse police fire_station prison embassy post_office public_building customs",
        "landuse": "military institutional government civic_admin",
    },
    "Religious": {
        "amenity": "place_of_worship monastery grave_yard",
        "landuse": "religious cemetery churchyard",
    },
    "Culture&Tourism": {
        "amenity": """theatre cinema arts_centre art_gallery museum casino community_centre events_venue planetarium
                      conference_centre exhibition_centre concert_hall""",
        "tourism": """museum gallery art_gallery attraction zoo aquarium theme_park hotel hostel guest_house motel
                      bed_and_breakfast camp_site caravan_site resort alpine_hut viewpoint picnic_site""",
    },
    "Sports&Recreation": {
        "leisure": """stadium sports_centre sports_hall golf_course pitch fitness_centre water_park swimming_area
                      miniature_golf ice_rink horse_riding bowling_alley recreation_ground beach_resort playground""",
        "landuse": "recreation_ground winter_sports",
    },
    "Park&GreenLand": {
        "leisure": "park garden nature_reserve common dog_park",
        "landuse": "grass village_green greenery flowerbed",
        "natural": "grassland scrub heath fell shrubbery tundra",
    },
    "Transport": {
        "amenity": "bus_station ferry_terminal parking fuel charging_station car_rental",
        "aeroway": "aerodrome terminal apron heliport hangar",
        "railway": "station yard depot",
        "landuse": "railway port garages depot",
    },
    "Commercial": {
        "amenity": "marketplace restaurant cafe fast_food bar pub biergarten food_court nightclub bank car_wash",
        "landuse": "commercial retail",
    },
    "Industrial": {
        "landuse": "industrial quarry landfill construction brownfield",
    },
    "Residential": {
        "landuse": "residential",
    },
    "Agriculture&Forest": {
        "landuse": """farmland farmyard forest meadow orchard vineyard allotments plant_nursery
                      greenhouse_horticulture animal_keeping aquaculture""",
        "natural": "wood",
    },
    "Water": {
        "leisure": "marina",
        "landuse": "reservoir basin salt_pond",
        "natural": "water bay strait wetland",
    },
}
ACTIVITY_KEYS = ("amenity", "leisure", "tourism", "aeroway", "railway")
GROUND_KEYS = ("landuse", "natural")

# --- tags that are never stored -------------------------------------------------------------------------
# How to reach a person or a firm. A website stays: it names the place, unless it carries an address.
CONTACT = re.compile(
    r"(?:.*:)?(?:contact|(?:tele)?phone|tel|mobile|(?:tele)?fax|e-?mail)(?::.*|_\d+)?", re.IGNORECASE
)
MAIL_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")

ADDRESS_PARTS: dict[str, tuple[str, ...]] = {
    "housenumber": ("addr:housenumber",),
    "street": ("addr:street", "addr:place"),
    "suburb": ("addr:suburb",),
    "city": ("addr:city",),
    "postcode": ("addr:postcode",),
    "state": ("addr:state", "addr:province"),
    "country": ("addr:country",),
}
