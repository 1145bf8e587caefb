"""Worked reasoning about distances and bearings in several styles, right or with one planted fault. Seeded.

Values are worked out in full and printed rounded. A planted value replaces the right one, and all that follows is
worked out from it, or not, as the case says.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.benchmarks.urban_reasoning.truth.sphere import wind_of

Values = dict[str, float]
MARK = "\x01"
"""Stands before a planted number until the text is done."""


@dataclass(frozen=True)
class Worked:
    """A response, and the quantity in which its fault lies; None where it is right."""

    task: str
    context: str
    question: str
    response: str
    fault: str | None
    kind: str | None = None
    style: str = ""
    place: int | None = None
    """Where the fault stands; None where it is no number."""


@dataclass
class Chain:
    """Quantities that are worked out one after the other; one of them may be spoilt."""

    spoil: str | None
    how: Callable[[float, Values], float] | None
    propagates: bool
    values: Values = field(default_factory=dict)
    shown: Values = field(default_factory=dict)

    def set(self, name: str, value: float) -> None:
        """Work out a quantity."""
        self.values[name] = self.shown[name] = value
        if name == self.spoil and self.how:
            self.shown[name] = self.how(value, self.values)
            if self.propagates:
                self.values[name] = self.shown[name]


def swap_digits(value: float, decimals: int, chance: random.Random) -> float:
    """The number with two neighbouring digits swapped that differ."""
    text = f"{abs(value):.{decimals}f}"
    places = [
        at
        for at in range(text.index(".") - 1, len(text) - 2)
        if text[at] != text[at + 1] and "." not in text[at : at + 2]
    ]
    if not places:
        return value + 10.0
    at = chance.choice(places[: max(1, len(places) - 1)])
    swapped = f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"
    return math.copysign(float(swapped), value)


def drift(value: float, chance: random.Random) -> float:
    """The number, wrong by 2 to 60 %."""
    return value * (1 + chance.choice((-1, 1)) * chance.uniform(0.02, 0.6))


def _points(chance: random.Random) -> tuple[tuple[float, float], tuple[float, float]]:
    lat, lon = chance.choice(
        ((47.14, 9.52), (60.17, 24.94), (40.75, -73.98), (-33.86, 151.2), (51.51, -0.12))
    )
    one = round(lat + chance.uniform(-0.05, 0.05), 5), round(lon + chance.uniform(-0.05, 0.05), 5)
    size = chance.uniform(0.006, 0.08)
    angle = chance.uniform(0, 2 * math.pi)
    return one, (round(one[0] + size * math.cos(angle), 5), round(one[1] + size * math.sin(angle), 5))


def work_out(task: str, one: tuple[float, float], other: tuple[float, float], chain: Chain) -> Chain:
    """All quantities of a distance (DS) or a bearing (DR)."""
    v = chain.values
    for name, value in zip(("lat1_deg", "lon1_deg", "lat2_deg", "lon2_deg"), (*one, *other), strict=True):
        chain.set(name, value)
    for name in ("lat1", "lon1", "lat2", "lon2"):
        chain.set(f"{name}_rad", math.radians(v[f"{name}_deg"]))
    chain.set("dlat_rad", v["lat2_rad"] - v["lat1_rad"])
    chain.set("dlon_rad", v["lon2_rad"] - v["lon1_rad"])
    for place in "12":
        chain.set(f"sin_lat{place}", math.sin(v[f"lat{place}_rad"]))
        chain.set(f"cos_lat{place}", math.cos(v[f"lat{place}_rad"]))
    if task == "DS":
        chain.set("sin_half_dlat", math.sin(v["dlat_rad"] / 2))
        chain.set("sin2_half_dlat", v["sin_half_dlat"] ** 2)
        chain.set("sin_half_dlon", math.sin(v["dlon_rad"] / 2))
        chain.set("sin2_half_dlon", v["sin_half_dlon"] ** 2)
        chain.set("lon_term", v["cos_lat1"] * v["cos_lat2"] * v["sin2_half_dlon"])
        chain.set("a", v["sin2_half_dlat"] + v["lon_term"])
        chain.set("c", 2 * math.atan2(math.sqrt(abs(v["a"])), math.sqrt(1 - abs(v["a"]))))
        chain.set("distance_km", 6371.0088 * v["c"])
    else:
        chain.set("sin_dlon", math.sin(v["dlon_rad"]))
        chain.set("cos_dlon", math.cos(v["dlon_rad"]))
        chain.set("y", v["sin_dlon"] * v["cos_lat2"])
        chain.set("x_first", v["cos_lat1"] * v["sin_lat2"])
        chain.set("x_second", v["sin_lat1"] * v["cos_lat2"] * v["cos_dlon"])
        chain.set("x", v["x_first"] - v["x_second"])
        chain.set("theta_rad", math.atan2(v["y"], v["x"]))
        chain.set("theta_deg", math.degrees(v["theta_rad"]))
        chain.set("bearing", v["theta_deg"] % 360)
    return chain


SPOILS: Mapping[str, Mapping[str, tuple[tuple[str, ...], str]]] = {
    "DS": {
        "digits": (("lat1_deg", "lon1_deg", "lat2_deg", "lon2_deg"), "digits"),
        "radian": (("lat1_rad", "lon1_rad", "lat2_rad", "lon2_rad"), "drift"),
        "difference": (("dlat_rad", "dlon_rad"), "drift"),
        "sine": (("sin_half_dlat", "sin_half_dlon"), "drift"),
        "square": (("sin2_half_dlat", "sin2_half_dlon"), "unsquared"),
        "cosine": (("cos_lat1", "cos_lat2"), "other"),
        "term": (("lon_term",), "drift"),
        "a": (("a",), "drift"),
        "c": (("c",), "halved"),
        "distance": (("distance_km",), "drift"),
    },
    "DR": {
        "digits": (("lat1_deg", "lon1_deg", "lat2_deg", "lon2_deg"), "digits"),
        "radian": (("lat1_rad", "lon1_rad", "lat2_rad", "lon2_rad"), "drift"),
        "sign": (("dlon_rad",), "sign"),
        "difference": (("dlon_rad",), "drift"),
        "sine": (("sin_lat1", "sin_lat2"), "drift"),
        "cosine": (("cos_lat1", "cos_lat2"), "drift"),
        "y": (("y",), "drift"),
        "x": (("x",), "sign"),
        "swapped": (("theta_rad",), "swapped"),
        "normalised": (("bearing",), "turned"),
        "direction": (("direction",), "direction"),
    },
}


def worked(task: str, seed: int, fault: str | None = None) -> Worked:
    """A response to a question about two places, in a style that prints what is spoilt."""
    chance = random.Random(f"{task} {seed} {fault}")
    one, other = _points(chance)
    names = chance.choice(
        (("Old Mill", "City Library"), ("Café Nord", "St Mary's Church"), ("Harbour Gate", "Opera"))
    )
    spoil, how = _spoiling(task, fault, chance)
    chain = work_out(task, one, other, Chain(spoil, how, chance.random() < 0.7))
    context = "Coordinates are latitude, then longitude.\n" + "\n".join(
        f"- {name}: ({at[0]:.5f}, {at[1]:.5f})" for name, at in zip(names, (one, other), strict=True)
    )
    question = (
        f"How far is it in a straight line from {names[0]} to {names[1]}? Give kilometres with two decimals."
        if task == "DS"
        else f"In which direction does {names[1]} lie from {names[0]}? Give the bearing in degrees with two decimals."
    )
    shown = {**chain.shown, "wind_off": 1.0 if fault == "direction" else 0.0}
    printing = Printing(shown, chance.choice((5, 6, 7)), chance, spoil=spoil)
    style, text = "", ""
    while not text or spoil not in (None, "direction", *printing.printed):
        style = chance.choice(sorted(STYLES))
        text = STYLES[style](task, names, printing)
    text, place = unmarked(text)
    return Worked(task, context, question, text, spoil, fault, style, place)


def unmarked(text: str) -> tuple[str, int | None]:
    """A text without the marks at its fault, and where the first of them stood."""
    return text.replace(MARK, ""), text.find(MARK) if MARK in text else None


def _spoiling(
    task: str, fault: str | None, chance: random.Random
) -> tuple[str | None, Callable[[float, Values], float] | None]:
    if fault is None:
        return None, None
    names, kind = SPOILS[task][fault]
    hows: dict[str, Callable[[float, Values], float]] = {
        "digits": lambda value, _: swap_digits(value, 5, chance),
        "drift": lambda value, _: drift(value, chance),
        "unsquared": lambda value, _: math.sqrt(value),
        "other": lambda value, _: math.sqrt(1 - value * value),
        "halved": lambda value, _: value / 2,
        "sign": lambda value, _: -value,
        "swapped": lambda value, values: math.atan2(values["x"], values["y"]),
        "turned": lambda value, _: (value + 180) % 360 if value < 180 else value - 90,
        "direction": lambda value, _: value,
    }
    return chance.choice(names), hows[kind]


@dataclass
class Printing:
    """Prints values: `p` plain, `e` with a power of ten where they are small."""

    values: Values
    digits: int
    chance: random.Random
    printed: set[str] = field(default_factory=set)
    spoil: str | None = None

    def p(self, name: str, decimals: int | None = None) -> str:
        """A number with its decimals."""
        value = self.values[name]
        self.printed.add(name)
        if abs(value) < 1e-3:
            return self.e(name)
        return self.mark(name) + f"{value:.{self.digits if decimals is None else decimals}f}"

    def e(self, name: str) -> str:
        """A number with a power of ten."""
        self.printed.add(name)
        mantissa, _, power = f"{self.values[name]:.{self.digits - 2}e}".partition("e")
        form = self.chance.choice(("e", "times", "super"))
        if form == "e":
            return self.mark(name) + f"{mantissa}e{int(power)}"
        if form == "times":
            return self.mark(name) + f"{mantissa} × 10^{int(power)}"
        return (
            self.mark(name)
            + f"{mantissa}×10{str(int(power)).translate(str.maketrans('0123456789-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'))}"
        )

    def deg(self, name: str) -> str:
        """A coordinate."""
        self.printed.add(name)
        return self.mark(name) + f"{self.values[name]:.5f}"

    def mark(self, name: str) -> str:
        """What stands before a number: a mark if it is the planted one."""
        return MARK if name == self.spoil else ""

    def wind(self) -> str:
        """The direction of the bearing, or one beside it."""
        return wind_of(self.values["bearing"] + 45 * self.values["wind_off"])

    def answer(self, task: str) -> str:
        """The answer's section."""
        if task == "DS":
            return f"<answer>{self.values['distance_km']:.2f} km</answer>"
        return f"<answer>Bearing: {self.values['bearing']:.2f} degrees, Cardinal direction: {self.wind()}</answer>"


def _latex(task: str, names: tuple[str, str], t: Printing) -> str:
    lines = [
        "**Step 1: Coordinates**",
        rf"- {names[0]}: $\phi_1 = {t.deg('lat1_deg')}^\circ$, $\lambda_1 = {t.deg('lon1_deg')}^\circ$",
        rf"- {names[1]}: $\phi_2 = {t.deg('lat2_deg')}^\circ$, $\lambda_2 = {t.deg('lon2_deg')}^\circ$",
        "**Step 2: Radians**",
        rf"\[\phi_1 = {t.deg('lat1_deg')} \times \frac{{\pi}}{{180}} \approx {t.p('lat1_rad')} \text{{ rad}}\]",
        rf"\[\lambda_1 \approx {t.p('lon1_rad')}, \quad \phi_2 \approx {t.p('lat2_rad')}, \quad \lambda_2 \approx {t.p('lon2_rad')}\]",
        "**Step 3: Differences**",
        rf"\[\Delta\phi = \phi_2 - \phi_1 = {t.p('dlat_rad')} \text{{ rad}}\]",
        rf"\[\Delta\lambda = \lambda_2 - \lambda_1 = {t.p('dlon_rad')} \text{{ rad}}\]",
    ]
    if task == "DS":
        lines += [
            rf"\[\sin\left(\frac{{\Delta\phi}}{{2}}\right) = {t.p('sin_half_dlat')}, \quad \sin^2\left(\frac{{\Delta\phi}}{{2}}\right) = {t.e('sin2_half_dlat')}\]",
            rf"\[\sin\left(\frac{{\Delta\lambda}}{{2}}\right) = {t.p('sin_half_dlon')}, \quad \sin^2\left(\frac{{\Delta\lambda}}{{2}}\right) = {t.e('sin2_half_dlon')}\]",
            rf"\[\cos\phi_1 = {t.p('cos_lat1')}, \cos\phi_2 = {t.p('cos_lat2')}\]",
            rf"\[a = \sin^2\left(\frac{{\Delta\phi}}{{2}}\right) + \cos\phi_1\cos\phi_2\sin^2\left(\frac{{\Delta\lambda}}{{2}}\right) = {t.e('a')}\]",
            rf"\[c = 2\arctan2(\sqrt{{a}}, \sqrt{{1-a}}) \approx {t.p('c')}\]",
            rf"\[d = R \cdot c = 6371.0088 \times {t.p('c')} \approx {t.p('distance_km', 3)} \text{{ km}}\]",
        ]
    else:
        lines += [
            rf"\[y = \sin(\Delta\lambda)\cos(\phi_2) = {t.p('sin_dlon')} \times {t.p('cos_lat2')} = {t.p('y')}\]",
            rf"\[x = \cos\phi_1\sin\phi_2 - \sin\phi_1\cos\phi_2\cos\Delta\lambda = {t.p('x_first')} - {t.p('x_second')} = {t.p('x')}\]",
            rf"\[\theta = \operatorname{{atan2}}(y, x) = {t.p('theta_rad')} \text{{ rad}} = {t.p('theta_deg', 2)}^\circ\]",
            rf"Normalised: \({t.p('bearing', 2)}^\circ\), which lies in the sector {t.wind()}.",
        ]
        cosines = rf"\(\sin\phi_1 = {t.p('sin_lat1')}\), \(\cos\phi_1 = {t.p('cos_lat1')}\), \(\sin\phi_2 = {t.p('sin_lat2')}\), \(\cos\phi_2 = {t.p('cos_lat2')}\)"
        lines.insert(9, cosines)
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer(task)


def _prose(task: str, names: tuple[str, str], t: Printing) -> str:
    one, other = names
    text = (
        f"{one} has the latitude {t.deg('lat1_deg')}° and the longitude {t.deg('lon1_deg')}°; {other} lies at latitude"
        f" {t.deg('lat2_deg')}° and longitude {t.deg('lon2_deg')}°. In radians the latitude of {one} is"
        f" {t.p('lat1_rad')} and its longitude is {t.p('lon1_rad')}, while {other} has a latitude of {t.p('lat2_rad')}"
        f" and a longitude of {t.p('lon2_rad')} radians. The difference in latitude is therefore {t.p('dlat_rad')} rad,"
        f" and the difference in longitude is {t.p('dlon_rad')} rad. "
    )
    if task == "DS":
        text += (
            f"The sine of half the latitude difference is {t.p('sin_half_dlat')}, and squared this gives"
            f" {t.e('sin2_half_dlat')}. The sine of half the longitude difference is {t.p('sin_half_dlon')}, whose square"
            f" is {t.e('sin2_half_dlon')}. The cosine of the first latitude is {t.p('cos_lat1')}, and that of the second"
            f" latitude {t.p('cos_lat2')}. Multiplying them with the longitude part yields a longitude term of"
            f" {t.e('lon_term')}. Adding the two terms, the haversine value a is {t.e('a')}. The central angle c is"
            f" {t.p('c')} radians. With a radius of 6371.0088 km the distance comes to {t.p('distance_km', 3)} km."
        )
    else:
        text += (
            f"The sine of the first latitude is {t.p('sin_lat1')} and its cosine is {t.p('cos_lat1')}; for the second"
            f" latitude the sine is {t.p('sin_lat2')} and the cosine {t.p('cos_lat2')}. The y component is"
            f" {t.p('y')} and the x component is {t.p('x')}. The angle atan2 of these is {t.p('theta_rad')} radians, or"
            f" {t.p('theta_deg', 2)} degrees. As a bearing clockwise from north this is {t.p('bearing', 2)} degrees."
            f" That corresponds to {t.wind()}."
        )
    return f"<reason>{text}</reason><answer>{t.answer(task)[8:]}"


def _table(task: str, names: tuple[str, str], t: Printing) -> str:
    lines = [
        f"Let A = {names[0]} and B = {names[1]}.",
        "",
        "| Point | Latitude (deg) | Longitude (deg) | Latitude (rad) | Longitude (rad) |",
        "|---|---|---|---|---|",
        f"| A | {t.deg('lat1_deg')} | {t.deg('lon1_deg')} | {t.p('lat1_rad')} | {t.p('lon1_rad')} |",
        f"| B | {t.deg('lat2_deg')} | {t.deg('lon2_deg')} | {t.p('lat2_rad')} | {t.p('lon2_rad')} |",
        "",
        "| Quantity | Value |",
        "|---|---|",
        f"| Δφ | {t.p('dlat_rad')} rad |",
        f"| Δλ | {t.p('dlon_rad')} rad |",
    ]
    if task == "DS":
        rows = {
            "sin(Δφ/2)": t.p("sin_half_dlat"), "sin²(Δφ/2)": t.e("sin2_half_dlat"), "sin(Δλ/2)": t.p("sin_half_dlon"),
            "sin²(Δλ/2)": t.e("sin2_half_dlon"), "cos φA": t.p("cos_lat1"), "cos φB": t.p("cos_lat2"),
            "cos φA · cos φB · sin²(Δλ/2)": t.e("lon_term"), "a": t.e("a"), "c": t.p("c"),
            "d": t.p("distance_km", 3) + " km",
        }  # fmt: skip
    else:
        rows = {
            "sin φA": t.p("sin_lat1"), "cos φA": t.p("cos_lat1"), "sin φB": t.p("sin_lat2"), "cos φB": t.p("cos_lat2"),
            "sin Δλ": t.p("sin_dlon"), "cos Δλ": t.p("cos_dlon"), "y": t.p("y"), "x": t.p("x"),
            "θ (rad)": t.p("theta_rad"), "θ (deg)": t.p("theta_deg", 2) + "°", "Bearing": t.p("bearing", 2) + "°",
            "Direction": t.wind(),
        }  # fmt: skip
    lines += [f"| {key} | {value} |" for key, value in rows.items()]
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer(task)


def _code(task: str, names: tuple[str, str], t: Printing) -> str:
    lines = [
        f"lat1, lon1 = {t.deg('lat1_deg')}, {t.deg('lon1_deg')}",
        f"lat2, lon2 = {t.deg('lat2_deg')}, {t.deg('lon2_deg')}",
        f"lat1_rad = radians({t.deg('lat1_deg')}) = {t.p('lat1_rad')}",
        f"lon1_rad = radians({t.deg('lon1_deg')}) = {t.p('lon1_rad')}",
        f"lat2_rad = radians({t.deg('lat2_deg')}) = {t.p('lat2_rad')}",
        f"lon2_rad = radians({t.deg('lon2_deg')}) = {t.p('lon2_rad')}",
        f"dlat = {t.p('lat2_rad')} - {t.p('lat1_rad')} = {t.p('dlat_rad')}",
        f"dlon = {t.p('lon2_rad')} - {t.p('lon1_rad')} = {t.p('dlon_rad')}",
    ]
    if task == "DS":
        lines += [
            f"sin(dlat/2) = {t.p('sin_half_dlat')}; sin(dlat/2)**2 = {t.e('sin2_half_dlat')}",
            f"sin(dlon/2) = {t.p('sin_half_dlon')}; sin(dlon/2)**2 = {t.e('sin2_half_dlon')}",
            f"cos(lat1) = {t.p('cos_lat1')}, cos(lat2) = {t.p('cos_lat2')}",
            f"a = {t.e('sin2_half_dlat')} + {t.p('cos_lat1')} * {t.p('cos_lat2')} * {t.e('sin2_half_dlon')} = {t.e('a')}",
            f"c = 2*asin(sqrt(a)) = {t.p('c')}",
            f"distance = 6371.0088 * {t.p('c')} = {t.p('distance_km', 3)} km",
        ]
    else:
        lines += [
            f"sin(lat1) = {t.p('sin_lat1')}, cos(lat1) = {t.p('cos_lat1')}",
            f"sin(lat2) = {t.p('sin_lat2')}, cos(lat2) = {t.p('cos_lat2')}",
            f"y = sin(dlon)*cos(lat2) = {t.p('sin_dlon')} * {t.p('cos_lat2')} = {t.p('y')}",
            f"x = cos(lat1)*sin(lat2) - sin(lat1)*cos(lat2)*cos(dlon) = {t.p('x_first')} - {t.p('x_second')} = {t.p('x')}",
            f"theta = atan2({t.p('y')}, {t.p('x')}) = {t.p('theta_rad')}",
            f"bearing = degrees(theta) = {t.p('theta_deg', 2)} -> {t.p('bearing', 2)} deg ({t.wind()})",
        ]
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer(task)


def _bullets(task: str, names: tuple[str, str], t: Printing) -> str:
    lines = [
        "1. Coordinates:",
        f"   - {names[0]}: ({t.deg('lat1_deg')}, {t.deg('lon1_deg')})",
        f"   - {names[1]}: ({t.deg('lat2_deg')}, {t.deg('lon2_deg')})",
        "2. Convert to radians:",
        f"   - {names[0]}: latitude {t.p('lat1_rad')}, longitude {t.p('lon1_rad')}",
        f"   - {names[1]}: latitude {t.p('lat2_rad')}, longitude {t.p('lon2_rad')}",
        "3. Differences (radians):",
        f"   - latitude: {t.p('dlat_rad')}",
        f"   - longitude: {t.p('dlon_rad')}",
    ]
    if task == "DS":
        lines += [
            "4. Haversine:",
            f"   - sin²(Δlat/2): {t.e('sin2_half_dlat')}",
            f"   - cos(lat1) × cos(lat2) × sin²(Δlon/2): {t.p('cos_lat1')} × {t.p('cos_lat2')} × {t.e('sin2_half_dlon')} = {t.e('lon_term')}",
            f"   - a: {t.e('a')}",
            f"   - c ≈ {t.p('c')}",
            f"5. Distance ≈ {t.p('distance_km', 3)} km",
        ]
    else:
        lines += [
            "4. Bearing formula:",
            f"   - sin(lat1) ≈ {t.p('sin_lat1')}, cos(lat1) ≈ {t.p('cos_lat1')}, sin(lat2) ≈ {t.p('sin_lat2')}, cos(lat2) ≈ {t.p('cos_lat2')}",
            f"   - y ≈ {t.p('y')}",
            f"   - x ≈ {t.p('x')}",
            f"   - atan2(y, x) ≈ {t.p('theta_rad')} rad ≈ {t.p('theta_deg', 2)}°",
            f"5. Bearing: {t.p('bearing', 2)}°",
            f"6. Direction: {t.wind()}",
        ]
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer(task)


STYLES: Mapping[str, Callable[[str, tuple[str, str], Printing], str]] = {
    "latex": _latex,
    "prose": _prose,
    "table": _table,
    "code": _code,
    "bullets": _bullets,
}
