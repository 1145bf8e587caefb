"""What a data set is made of as a picture: a bar a template, public and hidden questions, and the share of all."""

from collections import Counter

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from app.exports.exported import Export
from app.leaderboard import formatting as words
from app.plotting.canvas import BLUE, COLUMN, LINE, MARGIN, SMALLEST, Sheet, wrapped
from app.plotting.names import fitted

NAME, BARS, TOP, ROW = 1.28, 1.3, 0.42, 0.15
NAME_CELLS = 24


def draw_templates(export: Export) -> Figure:
    """The templates in the order of the card, those without a question too; counts alone, no gold."""
    version, total = export.version, len(export.questions)
    counted = Counter((one.template, one.split) for one in export.questions)
    names = list(version.templates)
    notes = wrapped(*_told(export))
    sheet = Sheet(COLUMN, TOP + ROW * len(names) + 0.26 + LINE * len(notes) + MARGIN)
    sheet.heading(version.reference, f"{words.count(total)} questions by template, and the share of all")
    axes = sheet.axes(NAME + MARGIN, TOP, BARS, ROW * len(names))
    most = max((counted[name, "public"] + counted[name, "hidden"] for name in names), default=0)
    axes.set_xlim(0, 1.02 * max(1, most))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    for place, name in enumerate(names):
        public, hidden = counted[name, "public"], counted[name, "hidden"]
        y = TOP + ROW * (place + 0.5)
        sheet.text(MARGIN, y, fitted(name, NAME_CELLS), fontsize=SMALLEST)
        axes.barh(place, public, height=0.66, color=BLUE, edgecolor="black", linewidth=0.4)
        axes.barh(
            place,
            hidden,
            left=public,
            height=0.66,
            color="white",
            edgecolor="black",
            hatch="/////",
            linewidth=0.4,
        )
        share = words.percent((public + hidden) / total if total else None)
        sheet.text(COLUMN - MARGIN - 0.42, y, words.count(public + hidden), fontsize=SMALLEST, ha="right")
        sheet.text(COLUMN - MARGIN, y, f"{share} %", fontsize=SMALLEST, ha="right")
    sheet.notes(notes)
    return sheet.figure


def _told(export: Export) -> list[str]:
    licence = export.version.licence
    maps = ", ".join(one["snapshot"] for one in export.version.recipe["snapshots"])
    hidden = ["Filled: public questions. Hatched: hidden ones."] if "hidden" in export.splits() else []
    return [*hidden, f"Map: {maps}.", f"{licence['attribution']}, {licence['name']}"]
