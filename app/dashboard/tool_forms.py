"""Forms of tools, made from the JSON schemas of their arguments, and the arguments that a sent form holds."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.agent_tools.errors import ToolError

MOST_OPTIONS = 40
LONG = 300
"""Characters from which on a text gets an area instead of a line."""


class Field(NamedTuple):
    """One argument in a form."""

    name: str
    about: str
    required: bool
    control: str
    """`line`, `number`, `choice`, `lines` (one value a line), or `json`."""
    value: str
    """What was sent, else the default."""
    options: Sequence[str]
    attributes: Mapping[str, Any]
    """Limits that the browser checks: min, max, step, maxlength."""
    shape: str
    """Of what is written as JSON, how it looks: `[{"place": …}]`."""
    parts: Sequence[tuple[str, str]]
    """Of objects in it, the fields and what they are."""


def fields_of(schema: Mapping[str, Any], sent: Mapping[str, str]) -> list[Field]:
    """The fields of a tool's form, those that must be filled in first; `sent` are the texts of the form that came."""
    required = schema.get("required", ())
    fields = [_field(schema, name, one, name in required, sent) for name, one in schema["properties"].items()]
    return sorted(fields, key=lambda field: not field.required)


def read_arguments(schema: Mapping[str, Any], sent: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a sent form; what was left empty is none. Whether they are right, the tool says.

    Raises ToolError for what is no JSON where JSON belongs.
    """
    found = {}
    for name, one in schema["properties"].items():
        text = sent.get(name, "").strip()
        if text:
            found[name] = _value(schema, name, _plain(schema, one), text)
    return found


def _plain(schema: Mapping[str, Any], one: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of an argument that may also be null, or is defined elsewhere, without that."""
    for part in one.get("anyOf", ()):
        if part.get("type") != "null":
            return _plain(schema, part)
    if "$ref" in one:
        return _plain(schema, schema["$defs"][one["$ref"].rpartition("/")[2]])
    return one


def _field(
    schema: Mapping[str, Any], name: str, whole: Mapping[str, Any], required: bool, sent: Mapping[str, str]
) -> Field:
    plain = _plain(schema, whole)
    default = (
        True if plain.get("type") == "boolean" else whole.get("default")
    )  # a page draws all that there is
    given = "" if default is None else default if isinstance(default, str) else json.dumps(default)
    return Field(
        name=name,
        about=whole.get("description", ""),
        required=required,
        control=_control(plain),
        value=sent.get(name, given),
        options=_options(plain),
        attributes=_limits(plain),
        shape=_shape(schema, plain),
        parts=_parts(schema, plain),
    )


def _control(plain: Mapping[str, Any]) -> str:
    if _options(plain):
        return "choice"
    kind = plain.get("type")
    if kind in ("integer", "number"):
        return "number"
    if kind == "array" and plain.get("items", {}).get("type") in ("string", "integer", "number"):
        return "lines"
    return "line" if kind == "string" else "json"


def _options(plain: Mapping[str, Any]) -> list[str]:
    if plain.get("type") == "boolean":
        return ["true", "false"]
    return [str(one) for one in plain.get("enum", ())][:MOST_OPTIONS]


def _limits(plain: Mapping[str, Any]) -> dict[str, Any]:
    limits = {
        "maxlength": plain.get("maxLength"),
        "min": plain.get("minimum", plain.get("exclusiveMinimum")),
        "max": plain.get("maximum"),
    }
    if plain.get("type") == "number":
        limits["step"] = "any"
    return {name: value for name, value in limits.items() if value is not None}


def _shape(schema: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """How a value looks in JSON: objects with the fields that they must have, `…` for what is plain."""
    plain = _plain(schema, one)
    if plain.get("type") == "array":
        return f"[{_shape(schema, plain.get('items', {}))}, …]"
    if plain.get("type") != "object":
        return "…"
    fields = plain.get("required", ()) or ("…",)
    return "{" + ", ".join(f'"{name}": …' for name in fields) + "}"


def _parts(schema: Mapping[str, Any], one: Mapping[str, Any]) -> list[tuple[str, str]]:
    plain = _plain(schema, one)
    if plain.get("type") == "array":
        return _parts(schema, plain.get("items", {}))
    return [(name, told.get("description", "")) for name, told in plain.get("properties", {}).items()]


def _value(schema: Mapping[str, Any], name: str, plain: Mapping[str, Any], text: str) -> Any:
    control = _control(plain)
    if control == "json":
        try:
            return json.loads(text)
        except ValueError:
            raise ToolError(f'{name} must be JSON, such as {{"cuisine": "pizza"}}.', "bad_argument") from None
    if control == "lines":
        lines = [line.strip() for line in text.splitlines()]
        return [_scalar(plain["items"], line) for line in lines if line]
    return _scalar(plain, text)


def _scalar(plain: Mapping[str, Any], text: str) -> Any:
    """A number or truth value where the schema wants one and the text is one; else the text, which the tool refuses."""
    if plain.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
