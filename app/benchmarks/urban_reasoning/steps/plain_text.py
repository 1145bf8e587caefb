"""Responses in one notation: LaTeX, Markdown and typographic signs become the plain signs that the lexer reads.

Every sign of the plain text knows the place in the response that it comes from.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

MOST_SIGNS = 40_000
"""What is read of a response; the rest of a longer one is left out."""
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUBSCRIPT = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SIGNS = {
    **dict.fromkeys("−–‒﹣－", "-"),
    **dict.fromkeys("×·∙⋅✕✖∗＊", "*"),
    **dict.fromkeys("≈≃≅≒∼＝≡", "="),
    **dict.fromkeys("→⟶⇒⟹➜➔⟼↦", "→"),
    **dict.fromkeys("\u00a0\u2009\u202f\u2007\u2002\u2003\u200a\t", " "),
    **dict.fromkeys("\u200b\ufeff\u2060", ""),
    **dict.fromkeys("′’‘´ʹ", "'"),
    **dict.fromkeys("″“”ʺ", '"'),
    "÷": "/",
    "∕": "/",
    "⁄": "/",
    "º": "°",
    "˚": "°",
    "√": " sqrt ",
    "π": " pi ",
    "∆": "Δ",
    "ϕ": "φ",
    "Φ": "φ",
    "Λ": "λ",
    "ϑ": "θ",
    "½": "(1/2)",
    "∣": "|",
}
_WRAPPERS = (
    r"\\(?:text|mathrm|mathbf|mathit|operatorname|textbf|mathsf|textrm|mbox|rm)\s?\*?\s?\{([^{}]{0,80})\}"
)
_SPACING = r"\\(?:left|right|[bB]ig+[lr]?|displaystyle|quad|qquad|[,;:! ()\[\]])|\$\$?|&"
_COMMANDS = {
    "times": "*", "cdot": "*", "approx": "=", "simeq": "=", "sim": "=", "equiv": "=", "circ": "°", "degree": "°",
    "prime": "'", "pi": " pi ", "phi": "φ", "varphi": "φ", "lambda": "λ", "theta": "θ", "Delta": "Δ", "delta": "δ",
    "sigma": "σ", "alpha": "α", "beta": "β", "div": "/", "rightarrow": "→", "Rightarrow": "→", "to": "→",
    "implies": "→", "longrightarrow": "→", "vert": "|", "lvert": "|", "rvert": "|", "mid": "|", "pm": "±",
    "dfrac": " frac", "tfrac": " frac", "frac": " frac", "sqrt": " sqrt", "deg": "°", "gamma": "γ",
    "begin": " ", "end": " ", "item": " ",
}  # fmt: skip


@dataclass(frozen=True)
class Plain:
    """A text, and for each of its signs the place in the response."""

    text: str
    places: tuple[int, ...]

    def place(self, index: int) -> int:
        """Where in the response a sign of the text stands."""
        if index < len(self.places):
            return self.places[index]
        return self.places[-1] + 1 if self.places else 0


class _Text:
    def __init__(self, text: str) -> None:
        self.text, self.places = text, list(range(len(text)))

    def replace(self, pattern: str, by: str | Callable[[re.Match[str]], str]) -> None:
        """Replace each match; all signs of the new text come from where the match began, or its equal part."""
        pieces: list[str] = []
        places: list[int] = []
        last = 0
        for found in re.finditer(pattern, self.text):
            new = by(found) if callable(by) else by
            pieces += [self.text[last : found.start()], new]
            places += self.places[last : found.start()]
            places += self._places_of(found, new)
            last = found.end()
        if pieces:
            pieces.append(self.text[last:])
            places += self.places[last:]
            self.text, self.places = "".join(pieces), places

    def _places_of(self, found: re.Match[str], new: str) -> list[int]:
        if not new:
            return []
        offset = found.group().find(new)
        if offset >= 0:
            return self.places[found.start() + offset : found.start() + offset + len(new)]
        return [self.places[found.start()]] * len(new)


def plain_text(response: str) -> Plain:
    """The first `MOST_SIGNS` of a response in plain notation."""
    text = _Text(response[:MOST_SIGNS])
    text.replace("[" + re.escape("".join(_SIGNS)) + "]", lambda found: _SIGNS[found.group()])
    text.replace("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda found: "^" + found.group().translate(_SUPERSCRIPT))
    text.replace("[₀-₉]+", lambda found: found.group().translate(_SUBSCRIPT))
    text.replace(r"\*\*(?= ?-?\d)(?<=[\w)\]]\*\*)", "^")
    text.replace(r"\*\*|__|`+|~~", "")
    text.replace(r"(?m)^ *(?:\*|-|•|◦|‣|▪) +", "• ")
    text.replace(r"\\\\(?=\s)", "\n")
    text.replace(r"(?<=\d)(?:\{,\}|\\,|\\ |\{\\,\}|,\\!)(?=\d{3}(?!\d))", ",")
    text.replace(_SPACING, " ")
    text.replace(_WRAPPERS, lambda found: found[1])
    text.replace(r"\\boxed ?(?=\{)", "")
    text.replace(r"\\([A-Za-z]+)", lambda found: _COMMANDS.get(found[1], found[1]))
    text.replace(r"\^ ?\{? ?°\}?", "°")
    text.replace(r"(?<=[A-Za-zφλθΔδσ\d])_ ?\{+ ?([A-Za-z\d]{1,12}) ?\}+", lambda found: "_" + found[1])
    text.replace(r"(?<=[a-zA-ZφλθΔδσ])ₐ", "_A")
    text.replace(r"(?<=\d) ?(?:degrees|degree|deg)\b", "°")
    return Plain(text.text, tuple(text.places))
