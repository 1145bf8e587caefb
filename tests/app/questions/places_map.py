"""A map for the questions that ask for a place: a quay with directions, a dock with filters; truth by hand.

Every place is put down by metres and degrees from its museum or gallery. Around the quay the goals lie just east and
just west of north, so that differences of angles wrap there.
"""

from tests.support.town import BOX, Map, Place, offset

QUAY = (10.0, 50.0)
DOCK = offset(QUAY, 90, 15_000)
FAR = offset(QUAY, 270, 15_000)
GOAL_AZIMUTH = 5.0
WEST_GOAL_AZIMUTH = 352.0


def make_places() -> Map:
    """The map."""
    made = Map()
    made.node(QUAY, tourism="museum", name="Museum Quay")
    made.node(offset(QUAY, GOAL_AZIMUTH, 3000), tourism="gallery", name="Gallery Goal")
    made.node(offset(QUAY, WEST_GOAL_AZIMUTH, 3000), tourism="gallery", name="Gallery West Goal")
    made.node(offset(QUAY, 45, 590), tourism="gallery", name="Gallery Close")
    made.node(offset(QUAY, 135, 610), tourism="gallery", name="Gallery Just Far Enough")
    made.node(offset((BOX[0], BOX[1]), 45, 2000), tourism="museum", name="Museum Corner")
    made.node(offset((BOX[2], BOX[3]), 225, 2000), tourism="museum", name="Museum Other Corner")
    for metres in (4000, 5000):
        made.node(offset(QUAY, 225, metres), tourism="gallery", name="Gallery Twin")
    # Anchors that are restaurants too.
    made.node(offset(QUAY, 90, 700), amenity="hospital;restaurant", name="Hospital Quay")
    made.node(offset(QUAY, 270, 1500), amenity="hospital;restaurant", name="Hospital West")
    _restaurants(made)
    _cafes(made)
    _filters(made)
    # A map has addresses everywhere: the nearest to the quay's places without one stands 30 m off one of them.
    made.node(offset(QUAY, 90, 530), addr__street="Long Road", addr__housenumber="7", addr__city="Portville")
    for number in range(60):
        made.eat(FAR, 6 * number, 100 + 20 * number, f"Far Inn {number}")
        made.eat(FAR, 6 * number + 3, 100 + 20 * number, f"Far Cafe {number}", "cafe")
    return made


def _restaurants(made: Map) -> None:
    """Within 1 km of the quay, in all directions."""
    address = {"addr__street": "Quay", "addr__housenumber": "1", "addr__city": "Portville"}
    made.eat(QUAY, 350, 250, "North by West", "restaurant;bar", **address)
    made.eat(QUAY, 10, 400, None)
    made.eat(QUAY, 15, 450, "North by East", addr__street="Pier")
    made.eat(QUAY, 22.0, 300, "Edge Inn")
    made.eat(QUAY, 90, 500, "East Inn")
    made.eat(QUAY, 2, 996, "Rim Inn")
    made.eat(QUAY, 180, 15, "Door Inn")
    made.eat(QUAY, 182, 800, "South Inn")


def _cafes(made: Map) -> None:
    """Nearest ones: 355 degrees, and 12 behind it; one on an edge, with nothing else near it."""
    made.eat(QUAY, 355, 200, "Cafe North", "cafe")
    made.eat(QUAY, 12, 300, "Cafe North Two", "cafe")
    made.eat(QUAY, 90, 240, "Cafe East", "cafe")
    made.eat(QUAY, 200, 340, None, "cafe")
    made.eat(QUAY, 225, 600, "Cafe South-West", "cafe")
    # half a degree inside the south's edge, to its west
    made.eat(QUAY, 202.0, 250, "Snack Edge", "fast_food")
    made.eat(QUAY, 180, 400, "Snack South", "fast_food")
    made.eat(QUAY, 90, 260, "Snack East", "fast_food")


def _filters(made: Map) -> None:
    made.node(DOCK, tourism="gallery", name="Gallery Dock")
    made.node(offset(DOCK, 90, 5), tourism="museum", name="Museum Dock", museum="history")
    made.node(offset(DOCK, 90, 900), tourism="museum", name="Museum of Old Boats", museum="history;local")
    made.node(offset(DOCK, 180, 500), tourism="museum", name="Museum of Paint", museum="art")
    made.node(offset(DOCK, 180, 1500), tourism="museum", name="Museum of Ink", museum="art")
    made.node(offset(DOCK, 0, 400), amenity="hospital", name="Day Clinic", emergency="no")
    made.node(offset(DOCK, 0, 700), amenity="hospital", name="Dock Hospital", emergency="yes")
    made.node(offset(DOCK, 180, 9000), amenity="hospital", name="Far Hospital", emergency="yes")
    made.eat(DOCK, 270, 100, "Roma", cuisine="italian", takeaway="no")
    made.eat(DOCK, 270, 200, "Kebab Corner", cuisine="kebab; pizza", takeaway="only")
    made.eat(DOCK, 90, 300, "Pizza Two", cuisine="pizza", takeaway="yes", outdoor_seating="terrace")
    made.eat(DOCK, 90, 600, "Pizza Three", cuisine="pizza", start_date="1900", capacity="40")
    made.eat(DOCK, 270, 20_000, "Pizza Four", cuisine="pizza")
    for number in range(8):
        corner: Place = offset(FAR, 45 * number, 3000)
        made.eat(corner, 0, 0, f"Pizza Far {number}", cuisine="pizza", takeaway="yes", capacity="40")
