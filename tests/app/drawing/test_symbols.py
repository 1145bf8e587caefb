"""Every class of place has one symbol, and every symbol its picture."""

from app.drawing.stamps import ICONS, symbol_stamp
from app.drawing.style import GROUP_COLOURS
from app.drawing.symbols import load_symbols, symbol_of


def test_each_symbol_has_a_picture_of_its_own() -> None:
    names = set(load_symbols())
    assert {path.stem for path in ICONS.glob("*.svg")} == names
    pictures = {symbol_stamp(name).pixels.tobytes() for name in names}
    assert len(pictures) == len(names)
    assert {symbol_stamp(name).size for name in names} == {(18, 18)}


def test_the_table_contradicts_itself_nowhere() -> None:
    symbols = load_symbols()
    classes = [klass for one in symbols.values() for klass in (*one.classes, *one.keys)]
    assert len(classes) == len(set(classes))
    assert {one.group for one in symbols.values()} <= set(GROUP_COLOURS)
    for one in symbols.values():
        for other in one.like:
            assert one.name in symbols[other].like


def test_a_place_takes_the_symbol_of_its_class_then_of_its_key() -> None:
    assert symbol_of(["cafe", "bakery", "amenity"]).name == "cafe"
    assert symbol_of(["optician", "shop"]).name == "shop"
    assert symbol_of(["lawyer", "office"]).name == "office"
    assert symbol_of(["something", "amenity"]).name == "other"
