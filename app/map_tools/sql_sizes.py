"""Model-written SQL before it runs: arguments and types that say how large something is to become.

Pure. Such an argument is written out as a number, and no larger than here: what follows from data is bounded by the
data and by the sandbox's memory, what is asked for by a number is bounded by that number alone.
"""

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

LONGEST_TYPE = 10_000
MOST_SEGMENTS = 64
FINEST = 0.01
_PADDED = {exp.DType.CHAR, exp.DType.NCHAR, exp.DType.BPCHAR, exp.DType.BIT, exp.DType.USERDEFINED}
"""Types that fill up to their length; those that sqlglot does not know by their name are taken for such."""
_NO_SIZES = {"geom", "radius", "geom1", "geom2"}
"""Names by which other arguments of these functions may be given."""
_SEGMENTS = re.compile(r"(?:quad_segs|quadrant_segments)\s*=\s*(\S+)", re.IGNORECASE)


def _is_few_segments(argument: exp.Expr) -> bool:
    """The third argument of st_buffer: segments in a quarter of a circle, or a text that may name them."""
    if isinstance(argument, exp.Literal) and argument.is_string:
        given = _SEGMENTS.findall(argument.this)
        return all(number.isdecimal() and int(number) <= MOST_SEGMENTS for number in given)
    return _is_number_within(argument, 0, MOST_SEGMENTS)


def _is_coarse(argument: exp.Expr) -> bool:
    """A share of each segment, the smaller the more points are added; none are where it is not above 0."""
    return _is_number_within(argument, -1.0, 0.0) or _is_number_within(argument, FINEST, 1.0)


def _is_number_within(argument: exp.Expr, least: float, most: float) -> bool:
    sign = 1.0
    while isinstance(argument, exp.Neg | exp.Paren):
        sign = -sign if isinstance(argument, exp.Neg) else sign
        argument = argument.this
    if not isinstance(argument, exp.Literal) or argument.is_string:
        return False
    try:
        return least <= sign * float(argument.this) <= most
    except ValueError:
        return False


_BOUNDED: dict[str, tuple[int, Callable[[exp.Expr], bool], str]] = {
    "st_buffer": (3, _is_few_segments, f"segments in a quarter of a circle, {MOST_SEGMENTS} at most"),
    "st_hausdorffdistance": (3, _is_coarse, f"a share of a segment, from {FINEST:g} to 1"),
    "st_frechetdistance": (3, _is_coarse, f"a share of a segment, from {FINEST:g} to 1"),
}
"""By function: which argument says a size, what it may be, and in words."""


def find_excess(tree: exp.Expr) -> Iterator[str]:
    """What in a statement asks for more than it may, each as a sentence."""
    for node in tree.walk():
        if isinstance(node, exp.DataType):
            yield from _excess_of_type(node)
        elif isinstance(node, exp.Func):
            yield from _excess_of_call(node)


def _excess_of_type(kind: exp.DataType) -> Iterator[str]:
    if kind.this not in _PADDED:
        return
    for parameter in kind.find_all(exp.DataTypeParam):
        if not _is_number_within(parameter.this, 0, LONGEST_TYPE):
            yield f"a type that pads may be {LONGEST_TYPE} long: {kind.sql()[:63]}"


def _excess_of_call(call: exp.Func) -> Iterator[str]:
    name = call.name.lower() if isinstance(call, exp.Anonymous) else call.sql_name().lower()
    if name not in _BOUNDED:
        return
    place, is_small, words = _BOUNDED[name]
    given = call.expressions[place - 1 :]
    for argument in call.expressions:
        if isinstance(argument, exp.Kwarg | exp.PropertyEQ):
            given = [one for one in given if one is not argument]
            given += [argument.expression] if argument.name.lower() not in _NO_SIZES else []
    if not all(map(is_small, given)):
        yield f"argument {place} of {name} must be written out: {words}"
