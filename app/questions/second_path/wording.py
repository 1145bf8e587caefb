"""Second path: how a question may name its objects in English, and whether its text does."""

from app.core.registers import Register
from app.questions.second_path.answering import Parameters, Refused, TemplateVersion, parameter
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.names import normal_form

SUBJECTS = Register[tuple[str, str]]("second_path", "parameter that may be named in English")
"""By template: the parameter and the layer of what it names."""


def may_be_named_in_english(benchmark: str, template: str, parameter: str, layer: str) -> None:
    """Register that a template's questions may name the objects of a parameter, which live in that layer, in English.

    Only for templates of which neither key nor wrong options hold a name.
    """
    SUBJECTS.add(benchmark, template, (parameter, layer))


def named_as(layers: Layers, asked: TemplateVersion, parameters: Parameters, form: str) -> list[str] | None:
    """How the objects are named in a form, `en` or `both`; None where the question must name them by `name`.

    The tag name:en, in one line, which differs from `name`, and which no other object of the layer has as either.
    """
    subject = SUBJECTS.find(asked.benchmark, asked.template)
    if subject is None or form not in ("en", "both"):
        return None
    name, layer = subject
    try:
        value = parameter(parameters, name, (str, list))
    except Refused:
        return None
    words = [_words(layers[layer], key, form) for key in (value if isinstance(value, list) else [value])]
    found = [one for one in words if one is not None]
    return found if found and len(found) == len(words) else None


def wording_fault(
    layers: Layers, asked: TemplateVersion, parameters: Parameters, form: str, text: str
) -> str | None:
    """What is wrong with the names in a question's text; None where nothing is, and for names as `name` has them."""
    if form == "local":
        return None
    words = named_as(layers, asked, parameters, form)
    if words is None:
        return f"names in form {form!r}, which is not proved here"
    absent = [one for one in words if one not in text]
    return f"no {absent[0]!r} in the text" if absent else None


def _words(layer: Layer, key: str, form: str) -> str | None:
    position = layer.position.get(key)
    if position is None:
        return None
    row = layer.rows[position]
    local, english = (" ".join((name or "").split()) for name in (row.name, row.tags.get("name:en")))
    bearers = set(layer.by_english.get(normal_form(english), ())) | set(
        layer.by_name.get(normal_form(english), ())
    )
    if not local or not english or normal_form(english) == normal_form(local) or bearers != {position}:
        return None
    return english if form == "en" else f"{local} ({english})"
