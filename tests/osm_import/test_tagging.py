"""Which tags make which layer and class: every table of tag_tables.py, with what it must leave out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osm_import import tag_tables, tagging
from osm_import.tagging import ContactKeys, Form, Shape, find_matches, way_form


def tags(text: str) -> dict[str, str]:
    """`a=b c=d` as tags."""
    return dict(pair.split("=", 1) for pair in text.split())


def layers(text: str, form: Form) -> dict[str, tuple[str, Shape]]:
    return {match.layer: (match.klass, match.shape) for match in find_matches(tags(text), form)}


@pytest.mark.parametrize(
    ("text", "classes", "category"),
    [
        ("amenity=restaurant", ("restaurant",), "amenity"),
        ("amenity=cafe;bar", ("cafe", "bar"), "amenity"),
        ("tourism=hotel amenity=restaurant", ("restaurant", "hotel"), "amenity"),
        ("shop=yes", ("shop",), "shop"),
        ("shop=Mens_Wear", ("shop",), "shop"),
        ("shop=bakery craft=bakery", ("bakery",), "shop"),
        ("office=lawyer", ("lawyer",), "office"),
        ("historic=castle tourism=museum", ("museum", "castle"), "tourism"),
        ("amenity=charging_station", ("charging_station",), "amenity"),
        ("tourism=information information=office", ("information",), "tourism"),
        ("leisure=garden name=Rosarium", ("garden",), "leisure"),
        ("railway=station public_transport=station", ("station",), "railway"),
        ("amenity=bus_station public_transport=station", ("bus_station",), "amenity"),
    ],
)
def test_poi_classes(text: str, classes: tuple[str, ...], category: str) -> None:
    match = next(match for match in find_matches(tags(text), Form.NODE) if match.layer == "poi")
    assert (match.classes, match.klass, match.category, match.shape) == (
        classes,
        classes[0],
        category,
        Shape.POINT,
    )


@pytest.mark.parametrize(
    "text",
    [
        "amenity=bench",
        "amenity=waste_basket",
        "amenity=parking_space",
        "amenity=post_box",
        "shop=vacant",
        "office=no",
        "building=house addr:street=X",
        "leisure=garden",
        "leisure=garden name=Ours garden:type=residential",
        "leisure=swimming_pool access=private",
        "leisure=sports_centre access=private",
        "amenity=parking access=private",
        "tourism=information information=board",
        "tourism=apartment",
        "historic=memorial memorial=stolperstein",
        "amenity=restaurant disused=yes",
        "disused:amenity=restaurant",
        "natural=tree",
        "aerialway=station public_transport=station name=Gipfel",
    ],
)
def test_no_poi(text: str) -> None:
    assert "poi" not in layers(text, Form.NODE)


@pytest.mark.parametrize(
    ("text", "klass"),
    [
        ("tourism=information information=board", "information"),
        ("tourism=information information=guidepost name=Gaflei", "information"),
        ("leisure=garden", "garden"),
        ("leisure=sports_centre access=private", "sports_centre"),
        ("amenity=parking access=private", "parking"),
        ("historic=memorial memorial=stolperstein", "memorial"),
        ("amenity=bench;shower", "shower"),
        ("amenity=bench name=Aussicht", "bench"),
        ("leisure=cafe", "cafe"),
        ("aerialway=station public_transport=station name=Gipfel", "station"),
    ],
)
@pytest.mark.parametrize("form", [Form.NODE, Form.RING, Form.RELATION])
def test_places_that_are_no_poi_are_kept_apart(text: str, klass: str, form: Form) -> None:
    shape = Shape.POINT if form is Form.NODE else Shape.AREA
    assert layers(text, form)["other_place"] == (klass, shape)
    assert "poi" not in layers(text, form)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("amenity=restaurant", Form.NODE),
        ("amenity=bench", Form.NODE),
        ("shop=vacant name=Leer", Form.NODE),
        ("tourism=information information=office", Form.NODE),
        ("tourism=information disused=yes", Form.NODE),
        ("tourism=information information=board", Form.LINE),
        ("natural=tree name=Linde", Form.NODE),
    ],
)
def test_what_is_no_other_place(text: str, form: Form) -> None:
    assert "other_place" not in layers(text, form)


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("leisure=park", Form.RING, ("park", Shape.AREA)),
        ("leisure=park", Form.NODE, ("park", Shape.POINT)),
        ("leisure=park", Form.LINE, ("park", Shape.REFUSED)),
        ("boundary=protected_area", Form.RELATION, ("protected_area", Shape.AREA)),
        ("boundary=protected_area", Form.LINE, None),
        ("leisure=garden access=private", Form.RING, None),
        ("leisure=pitch", Form.RING, None),
    ],
)
def test_park(text: str, form: Form, expected: tuple[str, Shape] | None) -> None:
    assert layers(text, form).get("park") == expected


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("natural=water", Form.RING, ("water", Shape.AREA)),
        ("natural=water water=lake", Form.RELATION, ("lake", Shape.AREA)),
        ("natural=water", Form.LINE, ("water", Shape.REFUSED)),
        ("natural=water", Form.NODE, None),
        ("natural=bay", Form.LINE, ("bay", Shape.LINE)),
        ("landuse=reservoir", Form.RING, ("reservoir", Shape.AREA)),
        ("water=pond", Form.RING, ("pond", Shape.AREA)),
        ("waterway=river", Form.LINE, ("river", Shape.LINE)),
        ("waterway=river", Form.RING, ("river", Shape.LINE)),
        ("waterway=river area=yes", Form.RING, ("river", Shape.AREA)),
        ("waterway=riverbank", Form.RING, ("riverbank", Shape.AREA)),
        ("waterway=dam", Form.LINE, None),
        ("waterway=stream natural=water", Form.LINE, ("stream", Shape.LINE)),
        ("leisure=swimming_pool", Form.RING, None),
    ],
)
def test_water(text: str, form: Form, expected: tuple[str, Shape] | None) -> None:
    assert layers(text, form).get("water") == expected


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("highway=residential", Form.LINE, ("residential", Shape.LINE)),
        ("highway=pedestrian area=yes", Form.RING, None),
        ("highway=service", Form.RELATION, None),
        ("highway=bus_stop", Form.NODE, None),
        ("highway=proposed", Form.LINE, None),
        ("highway=construction construction=primary", Form.LINE, None),
    ],
)
def test_road(text: str, form: Form, expected: tuple[str, Shape] | None) -> None:
    assert layers(text, form).get("road") == expected


@pytest.mark.parametrize(
    ("text", "drivable"),
    [
        ("highway=residential", True),
        ("highway=service access=private", True),
        ("highway=residential motor_vehicle=no", False),
        ("highway=track", False),
        ("highway=footway", False),
    ],
)
def test_drivable(text: str, drivable: bool) -> None:
    assert tagging.is_drivable(tags(text)) is drivable


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("boundary=administrative admin_level=8 name=Vaduz", Form.RELATION, "municipality"),
        ("boundary=administrative admin_level=8 place=village", Form.RELATION, "village"),
        ("boundary=administrative admin_level=8 border_type=county", Form.RELATION, "county"),
        ("boundary=administrative admin_level=2", Form.RELATION, "administrative"),
        ("boundary=administrative admin_level=eight", Form.RELATION, "administrative"),
        ("boundary=administrative", Form.RELATION, "administrative"),
        ("boundary=administrative admin_level=8", Form.RING, None),
        ("boundary=administrative admin_level=8", Form.LINE, None),
        ("place=island name=Seurasaari", Form.RING, "island"),
        ("place=village", Form.NODE, None),
        ("place=square name=X", Form.RING, None),
        ("boundary=political name=X", Form.RELATION, None),
    ],
)
def test_region(text: str, form: Form, expected: str | None) -> None:
    assert layers(text, form).get("region", (None,))[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("landuse=residential", "Residential"),
        ("landuse=retail", "Commercial"),
        ("amenity=school landuse=residential", "Education"),
        ("amenity=hospital", "Medical"),
        ("landuse=industrial", "Industrial"),
        ("amenity=townhall", "Government"),
        ("tourism=museum", "Culture&Tourism"),
        ("landuse=cemetery", "Religious"),
        ("leisure=stadium", "Sports&Recreation"),
        ("leisure=park natural=wood", "Park&GreenLand"),
        ("aeroway=aerodrome", "Transport"),
        ("railway=station amenity=restaurant", "Commercial"),
        ("landuse=forest", "Agriculture&Forest"),
        ("natural=water", "Water"),
        ("building=yes", None),
    ],
)
def test_land_use(text: str, expected: str | None) -> None:
    assert tagging.land_use_class(tags(text)) == expected
    assert layers(text + " name=N", Form.RING).get("aoi", (None,))[0] == expected
    assert "aoi" not in layers(text, Form.RING), "an area of interest has a name"
    assert "aoi" not in layers(text + " name=N", Form.NODE)


def test_there_are_thirteen_land_uses() -> None:
    assert len(tag_tables.LAND_USE) == 13


def test_no_land_use_value_is_in_two_classes() -> None:
    for key in (*tag_tables.ACTIVITY_KEYS, *tag_tables.GROUND_KEYS):
        values = [value for keys in tag_tables.LAND_USE.values() for value in keys.get(key, "").split()]
        assert len(values) == len(set(values)), key


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("addr:housenumber=1 addr:street=X", Form.NODE, "node"),
        ("addr:housenumber=1 building=yes", Form.RING, "building"),
        ("addr:housenumber=1 amenity=school", Form.RING, "area"),
        ("addr:street=X", Form.NODE, None),
        ("addr:interpolation=odd addr:housenumber=1-9", Form.LINE, None),
    ],
)
def test_address(text: str, form: Form, expected: str | None) -> None:
    assert layers(text, form).get("address", (None,))[0] == expected


@pytest.mark.parametrize(
    ("text", "closed", "form"),
    [
        ("leisure=park", True, Form.RING),
        ("leisure=park", False, Form.LINE),
        ("leisure=park area=no", True, Form.LINE),
        ("highway=pedestrian", True, Form.LINE),
        ("highway=pedestrian area=yes", True, Form.RING),
        ("barrier=fence leisure=park", True, Form.RING),
    ],
)
def test_closed_ways(text: str, closed: bool, form: Form) -> None:
    assert way_form(tags(text), closed) is form


@pytest.mark.parametrize(
    "key",
    ["phone", "contact:phone", "contact:email", "contact:facebook", "fax", "email", "mobile", "telephone", "operator:phone",
     "phone:2", "Phone", "contact", "e-mail", "phone_1"],
)  # fmt: skip
def test_ways_to_reach_a_person_are_dropped(key: str) -> None:
    assert ContactKeys().without({key: "1", "name": "N"}) == {"name": "N"}


def test_mail_addresses_are_dropped_from_any_tag() -> None:
    kept = {
        "website": "https://example.org",
        "maxspeed:conditional": "30 @ (Mo-Fr)",
        "mobile_phone:repair": "yes",
    }
    assert (
        ContactKeys().without(kept | {"website:2": "mailto:jo@example.org", "note": "ask jo@example.org"})
        == kept
    )


def test_address_parts_fall_back_to_place() -> None:
    parts = tagging.address_parts({"addr:housenumber": "3", "addr:place": "Dorf", "addr:city": ""})
    assert parts == {
        "housenumber": "3", "street": "Dorf", "suburb": None, "city": None, "postcode": None, "state": None, "country": None
    }  # fmt: skip


def test_numbers_are_read_only_where_they_are_numbers() -> None:
    assert tagging.region_columns({"population": "35 881"})["population"] == 35881
    assert tagging.region_columns({"population": "about 300"})["population"] is None
    assert tagging.road_columns({"lanes": "2"})["lanes"] == 2
    assert tagging.road_columns({"lanes": "2;3"})["lanes"] is None
    assert tagging.road_columns({"bridge": "viaduct", "tunnel": "no"}) | {"drivable": None} == {
        "ref": None, "oneway": None, "maxspeed": None, "surface": None, "lanes": None,
        "bridge": True, "tunnel": False, "drivable": None,
    }  # fmt: skip


KEYS = st.sampled_from(
    [
        *tagging.object_keys(tag_tables.LAYERS),
        "name",
        "access",
        "area",
        "water",
        "admin_level",
        "addr:housenumber",
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        sorted(
            {
                v
                for table in (tag_tables.POI, tag_tables.PARK)
                for cell in table.values()
                for v in cell.split()
            }
        )
    ),
    st.text(max_size=8),
)


@given(st.dictionaries(KEYS, VALUES, max_size=6), st.sampled_from(Form))
def test_matches_depend_on_tags_alone(some: dict[str, str], form: Form) -> None:
    """The order of tags plays no part, a layer comes once, and only its own shapes come out."""
    matches = find_matches(some, form)
    assert matches == find_matches(dict(reversed(some.items())), form)
    names = [match.layer for match in matches]
    assert names == [layer for layer in tag_tables.LAYERS if layer in names]
    for match in matches:
        assert match.klass
        assert (match.shape is Shape.POINT) <= (form is Form.NODE)
        assert (match.shape is Shape.REFUSED) <= (form is Form.LINE)
        if match.layer == "poi":
            assert match.classes[0] == match.klass
            assert len(set(match.classes)) == len(match.classes)


MORE_KEYS = st.one_of(
    KEYS,
    st.sampled_from(
        ["building", "border_type", "garden:type", "memorial", "information", "disused", "addr:interpolation"]
    ),
    st.text(max_size=5),
)


@given(st.dictionaries(MORE_KEYS, VALUES, max_size=6), st.sampled_from(Form))
def test_tags_that_decide_nothing_may_be_left_out(some: dict[str, str], form: Form) -> None:
    """What is remembered by the deciding tags holds for every object that has them."""
    deciding = {
        key: value if isinstance(value, str) else "x" * value for key, value in tagging.deciding_tags(some)
    }
    assert find_matches(deciding, form) == find_matches(some, form)
    assert all(way_form(deciding, closed) == way_form(some, closed) for closed in (True, False))


@given(st.dictionaries(MORE_KEYS, VALUES, max_size=6), st.sampled_from(Form))
def test_objects_without_the_keys_of_a_layer_are_not_in_it(some: dict[str, str], form: Form) -> None:
    for match in find_matches(some, form):
        layers = (match.layer,)
        keys = {*tagging.object_keys(layers), *(tagging.named_keys(layers) if "name" in some else ())}
        assert keys.intersection(some), match
        assert form is not Form.NODE or set(some).intersection(tagging.node_keys((match.layer,))), match
