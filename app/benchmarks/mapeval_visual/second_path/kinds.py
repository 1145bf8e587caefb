"""Second path of what has a symbol of a kind in a picture."""

from app.benchmarks.mapeval_visual.second_path.seen import four_places, place_named, symbol_name
from app.benchmarks.mapeval_visual.second_path.symbols import read_symbols
from app.questions.second_path.answering import (
    NO_ANSWER,
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
    unanswerable_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.verdicts import Verdict, wrong_rule

BENCHMARK = "mapeval_visual"
MOST = 12


def _symbol(parameters: Parameters) -> str:
    symbol = parameter(parameters, "symbol", str)
    if symbol not in read_symbols():
        raise Refused("bad_parameters", parameter="symbol", found=symbol)
    return str(symbol)


@second_path(BENCHMARK, "Kind_In_Picture")
def kind_in_picture(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only one of four places that has the symbol."""
    poi, symbol, places = layers["poi"], _symbol(parameters), four_places(layers, parameters)
    symbols = {poi.keys[one]: symbol_name(poi.rows[one].classes) for one in places}
    having = [key for key, name in symbols.items() if name == symbol]
    if len(having) != 1:
        return SecondAnswer({}, "not_one_right", {"symbols": symbols})
    row = poi.rows[poi.position[having[0]]]
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, None, {"symbols": symbols})


@wrong_rule(BENCHMARK, "Kind_In_Picture")
def has_another_symbol(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place is compared, and has another symbol."""
    one = place_named(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    symbol = answer.facts["symbols"][layers["poi"].keys[one]]
    return symbol != parameters["symbol"], f"its symbol is {symbol or 'another'}"


@second_path(BENCHMARK, "Symbols_Counted")
def symbols_counted(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many of the places that are drawn have the symbol."""
    poi, symbol, drawn = layers["poi"], _symbol(parameters), parameter(parameters, "drawn", list)
    rows = [poi.rows[poi.position[key]] for key in sorted({*drawn}) if key in poi.position]
    count = sum(symbol_name(row.classes) == symbol for row in rows)
    refusal = first_refusal((count == 0, "zero"), (count > MOST, "too_many_answers"))
    return SecondAnswer({"text": str(count)}, refusal, {"count": count})


@wrong_rule(BENCHMARK, "Symbols_Counted")
def is_another_number(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is another number."""
    if not text.isdecimal():
        return False, "no number"
    return int(text) != answer.facts["count"], f"there are {answer.facts['count']}"


@unanswerable_path(BENCHMARK, "Not_In_Picture")
@second_path(BENCHMARK, "Not_In_Picture")
def not_in_picture(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """That there is no answer, since no place within the picture's edges is of a class with the symbol."""
    poi, symbol, places = layers["poi"], _symbol(parameters), four_places(layers, parameters)
    west, south, east, north = (
        parameter(parameters, name, float) for name in ("west", "south", "east", "north")
    )
    lon, lat = poi.coordinates[:, 0], poi.coordinates[:, 1]
    inside = ((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)).nonzero()[0].tolist()
    classes = {*read_symbols()[symbol]["classes"]}
    told = [poi.keys[one] for one in inside if classes & {*poi.rows[one].classes}]
    facts = {"offered": [poi.keys[one] for one in places], "told": told}
    refusal = first_refusal((bool(told), "map_may_tell"))
    return SecondAnswer({"text": NO_ANSWER, "objects": []}, refusal, facts, kind="unanswerable")


@wrong_rule(BENCHMARK, "Not_In_Picture")
def is_one_of_four(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether it is one of four places, none of which can be nearest to what is not there."""
    found = place_named(layers, text, four_places(layers, parameters)) is not None
    return found, "nothing is nearest to what is not shown" if found else "no such place is offered"
