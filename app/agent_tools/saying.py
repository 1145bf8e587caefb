"""Lengths, times and filters in the sentences of tools."""

from collections.abc import Mapping


def say_length(metres: float) -> str:
    """Metres below a kilometre, else kilometres: `240.5 m`, `3.20 km`."""
    return f"{metres / 1000:.2f} km" if metres >= 1000 else f"{metres:.1f} m"


def say_length_exactly(metres: float) -> str:
    """Metres with one decimal; from a kilometre on, in kilometres, too: `240.5 m`, `3204.1 m (3.20 km)`."""
    return f"{metres:.1f} m" + (f" ({say_length(metres)})" if metres >= 1000 else "")


def say_time(seconds: float) -> str:
    """Whole seconds, minutes and hours: `45 s`, `12 min 30 s`, `1 h 5 min`; seconds are left out from an hour on."""
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    parts = [(hours, "h"), (minutes, "min"), (rest if not hours else 0, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


def say_minutes(seconds: float) -> str:
    """Whole minutes, one at least, as contexts of MapEval have them: `1 min`, `14 mins`, `1 hour 5 mins`."""
    minutes = max(1, round(seconds / 60))
    parts = [(minutes // 60, "hour"), (minutes % 60, "min")]
    return " ".join(f"{count} {unit}{'s' if count != 1 else ''}" for count, unit in parts if count)


def say_words(name: str) -> str:
    """A name of OpenStreetMap as words: `fast food`."""
    return name.replace("_", " ")


def say_filters(attributes: Mapping[str, str], open_at: str | None = None) -> str:
    """What narrows the places sought: ` with cuisine 'pizza' and surely open at 2024-05-31T14:30`; or nothing."""
    parts = [f"{say_words(key)} {value!r}" for key, value in attributes.items()]
    said = f" with {' and '.join(parts)}" if parts else ""
    return f"{said}{' and' if parts else ''} surely open at {open_at}" if open_at else said
