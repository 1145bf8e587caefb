"""Which quantity a wrong number was meant to be, by the words before it, in responses about two places."""

import re
from collections.abc import Callable, Iterable

from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number

REACH = 70
_SYMBOLS = (
    (r"cos.{1,40}sin ?\^ ?2|longitude (?:term|part)", {"lon_term"}),
    (r"sin ?\^ ?2|sin2|squared?|whose square|\bhav", {"sin2_half_d{axis}"}),
    (r"\bsin\w*|(?<!co)sine", {"sin_lat1", "sin_lat2", "sin_dlon", "sin_half_d{axis}"}),
    (r"sqrt.{0,40}\b(?:asin|atan2)|(?:asin|atan2).{0,12}sqrt|\bc ?[=:|≈]|\bc\b(?! )|central|angular", {"c"}),
    (r"\bcos\w*", {"cos_lat1", "cos_lat2", "cos_dlon", "cos_product"}),
    (r"\bsqrt|root", {"sqrt_a", "sqrt_one_minus_a"}),
    (r"theta|θ|bearing|azimuth|atan2", {"theta_rad", "theta_deg", "bearing"}),
    (r"distance|\bd\b|\bkm\b", {"distance_km"}),
    (r"(?-i:\ba ?[=:|≈]|\ba is|value a|\bh\b)", {"a"}),
    (r"(?-i:\b[xN]\b)|denominator|second argument|north", {"x", "x_first", "x_second"}),
    (r"(?-i:\b[yE]\b)|numerator|first argument|east", {"y"}),
    (r"(?:Δ|\bd_?(?:lat|lon|phi|lam)|delta|difference|subtract)|minus", {"d{axis}_deg", "d{axis}_rad"}),
    (r"lat|φ|phi|lon|λ|lam", {"{axis}1_deg", "{axis}2_deg", "{axis}1_rad", "{axis}2_rad"}),
)
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), names) for pattern, names in _SYMBOLS]
_AXES = (
    ("lat", re.compile(r"lat|φ|phi", re.IGNORECASE)),
    ("lon", re.compile(r"lon|λ|lng|lam", re.IGNORECASE)),
)


_LETTER = re.compile(r"[^\W\d_]{2}|(?<![^\W\d_])[a-zθφλ](?![^\W\d_])", re.IGNORECASE)
_RESULT_OF = {
    "sin2_": re.compile(
        r"squar\w*(?: [\w']+){0,4} ?$|sin ?\([^()\n]{1,20}\) ?\^ ?2 ?[=:] ?-?$"
        r"|(?:sin ?\^ ?2|sin2|(?<![a-z])hav(?!e))(?:(?!\d[.]\d|[=:|\n;] ?[^ \d-]).){0,40}$",
        re.IGNORECASE,
    ),
    "c": re.compile(
        r"(?<![a-zA-Z\d])(?:c|sigma|σ|angle) ?(?:[=:|][^\n;]{0,60}|is about|is)? ?$|\b[Tt]wice [^.\n\d]{0,50}$"
    ),
}
_NO_RESULT = re.compile(r" ?(?:[*/^+(]|rad \*|-)")
_OPERAND = re.compile(r"[*/^+(,] ?-? ?$")


_FUNCTION = re.compile(
    r"(?<!arc)\b(?P<function>sin|cos)(?:e|ine)? ?\(? ?(?:of )?(?:φ|lat|phi)\w*(?: ?[12AB])?\)? ?(?:[=:|]|is) ?-?$",
    re.IGNORECASE,
)
_EAST = re.compile(
    r"(?:\beast\w*(?: (?:component|part|displacement|offset|term))?(?: y)?|\by(?: component| term)?|(?-i:\bE\b))"
    r" ?(?:[=:|]|is|of|equals|comes to|amounts to)? ?-?$",
    re.IGNORECASE,
)


def narrow_direction(graph: Graph) -> Callable[[Plain, Number], Callable[[str], bool] | None]:
    """A number behind a sine or cosine of a latitude is one; an eastward part is no bare difference of longitudes."""

    def narrow(plain: Plain, number: Number) -> Callable[[str], bool] | None:
        if number.digits < 2 or _NO_RESULT.match(plain.text, number.end):
            return None
        if (function := _function_of(plain, number)) is not None:
            return function
        line = plain.text.rfind("\n", 0, number.start) + 1
        if not _EAST.search(plain.text[max(line, number.start - REACH) : number.start]):
            return None
        bare = (graph.exact("dlon_deg") or 0.0, graph.exact("dlon_rad") or 0.0)
        is_bare = any(abs(abs(number.value) - abs(one)) <= 2 * number.half for one in bare)
        return (lambda name: name == "y") if is_bare and number.digits >= 3 else None

    return narrow


def _function_of(plain: Plain, number: Number) -> Callable[[str], bool] | None:
    line = plain.text.rfind("\n", 0, number.start) + 1
    found = _FUNCTION.search(plain.text[max(line, number.start - REACH) : number.start])
    if found is None or abs(number.value) > 1:
        return None
    function = found["function"].lower()
    return lambda name: not name.startswith("cos" if function == "sin" else "sin")


def narrow_distance(plain: Plain, number: Number) -> Callable[[str], bool] | None:
    """A number behind sin² is a square, one behind c no half angle."""
    if number.digits < 2 or _NO_RESULT.match(plain.text, number.end):
        return None
    line = plain.text.rfind("\n", 0, number.start) + 1
    near = plain.text[max(line, number.start - REACH) : number.start]
    if _OPERAND.search(near):
        return None
    if (function := _function_of(plain, number)) is not None:
        return function
    if _RESULT_OF["sin2_"].search(near):
        return lambda name: not name.startswith(("sin_half", "half_d", "dlat", "dlon"))
    chunk = re.split(r"[=:]", near.rstrip(" =:|-"))[-1]
    if "sqrt" in chunk and not re.search("a(?:rc)?(?:sin|tan)", chunk):
        return None
    if _RESULT_OF["c"].search(near) and not re.search("half|/ ?2", near):
        return lambda name: name not in ("half_c", "sqrt_a") and not name.startswith(("half_", "sin_half"))
    return None


def named_by(graph: Graph) -> Callable[[Plain, Number], Iterable[str]]:
    """The function from a wrong number to the quantities that the words before it can mean."""

    def named(plain: Plain, number: Number) -> Iterable[str]:
        line = plain.text.rfind("\n", 0, number.start) + 1
        near = re.split(r"\d[.,]\d|[;.] ", plain.text[max(line, number.start - REACH) : number.start])[-1]
        if not _LETTER.search(near):
            near = _label_of_line(plain, line, number)
        axis = max(_AXES, key=lambda one: _last(one[1], near))[0]
        if all(_last(pattern, near) < 0 for _, pattern in _AXES):
            axis = ""
        for pattern, names in _PATTERNS:
            meant = {name.format(axis=axis) for name in names}
            found = [name for name in graph.quantities if name in meant]
            if found and pattern.search(near):
                return found
        return ()

    return named


def _label_of_line(plain: Plain, line: int, number: Number) -> str:
    """What a line or the row of a table begins with, for its result; nothing for what it is computed from."""
    before, behind = plain.text[line : number.start].rstrip(" -"), plain.text[number.end : number.end + 9]
    if before.endswith(("*", "/", "+", "^", "(", ",")) or _NO_RESULT.match(behind):
        return ""
    sentence = re.split(r"[.;] ", before)[-1]
    label = before.split("|")[1] if before.startswith("|") else re.split(r"\d[.,]\d|[=:]", sentence)[0]
    return "" if "sin" in label and "cos" in label else label


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((found.end() for found in pattern.finditer(text)), default=-1)
