"""Read phrasings: texts by locale and register, each checked to name its template's parameters.

Errors name file and line.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

from app.core.errors import TemplateError
from app.templates.header import Header
from app.templates.templates import Lines, read_yaml

PRECISE, EVERYDAY = "precise", "everyday"
REGISTERS = (PRECISE, EVERYDAY)
"""The registers of text: with every definition that is needed, and as somebody would ask."""
NOTE = "note"
"""The key of the sentences that follow every precise text of a locale: the definitions that the answer stands on."""


def read_phrasings(path: Path, header: Header) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The texts of a template by locale and register. Raises TemplateError at the first that cannot be asked.

    A text names every parameter of the template, as `{name}`, or `{a_name}` or `{name_plural}` for a class. A set of
    objects needs no name, since its options show it; nor does the frame of a picture, which is seen; nor a choice in an
    everyday text, which is asked only where the choice changes nothing. Every locale has precise texts. Its note, if it
    has one, follows each of them.
    """
    texts, lines = read_yaml(path)
    if not isinstance(texts, dict) or not texts:
        raise TemplateError(f"{path}:1: lists of texts for each locale are wanted.")
    return {
        locale: _registers_of(path, lines, str(locale), registers, header)
        for locale, registers in texts.items()
    }


def _registers_of(
    path: Path, lines: Lines, locale: str, registers: Any, header: Header
) -> Mapping[str, Sequence[str]]:
    where = f"{path}:{lines[locale,]}: {locale}"
    if not isinstance(registers, dict) or PRECISE not in registers or not {*registers} <= {*REGISTERS, NOTE}:
        raise TemplateError(
            f"{where}: a list of texts is wanted under {PRECISE}, and may stand under {EVERYDAY}."
        )
    note = registers.get(NOTE)
    if note is not None and (not isinstance(note, str) or not note):
        raise TemplateError(f"{path}:{lines[locale, NOTE]}: {locale}.{NOTE}: a text is wanted.")
    return {
        register: _texts_of(
            path, lines, (locale, register), ones, note if register == PRECISE else None, header
        )
        for register, ones in registers.items()
        if register != NOTE
    }


def _texts_of(
    path: Path, lines: Lines, key: tuple[str, str], ones: Any, note: str | None, header: Header
) -> Sequence[str]:
    if not isinstance(ones, list) or not ones or not all(isinstance(text, str) for text in ones):
        raise TemplateError(f"{path}:{lines[key]}: {'.'.join(key)}: a list of texts is wanted.")
    texts = [text if note is None else f"{text} {note}" for text in ones]
    for number, text in enumerate(texts):
        _check_text(f"{path}:{lines[*key, str(number)]}", key[1], text, header)
    return texts


def _check_text(where: str, register: str, text: str, header: Header) -> None:
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise TemplateError(f"{where}: braces that do not pair: {error}.") from error
    fields = {str(field) for _, field, _, _ in parts}
    names = {
        name: {name, f"a_{name}", f"{name}_plural"} if parameter.has_nouns else {name}
        for name, parameter in header.parameters.items()
    }
    for _, field, form, conversion in parts:
        if field not in set().union(*names.values()) or form or conversion:
            raise TemplateError(f"{where}: {{{field}}} is not a parameter of {header.id}, written plainly.")
    for name, forms in names.items():
        unnamed = ("objects", "frame", "choice") if register == EVERYDAY else ("objects", "frame")
        if header.parameters[name].type not in unnamed and not fields & forms:
            raise TemplateError(f"{where}: the text does not name {{{name}}}, so it asks something else.")
    if "  " in text or text != text.strip():
        raise TemplateError(f"{where}: two blanks follow one another, or one stands at an end.")
