"""Areas: answer text → square metres; units of the metric system, acres, square feet, yards and miles are converted."""

from app.scores.reading.quantities import Units, read_quantity, unit_sizes
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_SQUARE = r"(?:square|sq\.?)[ -]?"
_METRE = r"m(?:et(?:er|re|ro)s?|ètres?|etri)"
_KILOMETRE = r"(?:k(?:ilo|iló)m(?:et(?:er|re|ro)s?|ètres?)|quil[ôo]metros?|chilometri?o?)"
_SQUARED = r"(?:squared|carrés?|cuadrados?|quadrat[io]|quadrados?|kwadratowych)"
_AREAS = Units(
    unit_sizes(
        (
            rf"m\^?2|{_SQUARE}m(?:{_METRE[1:]})?|{_METRE}\s{_SQUARED}|sqm|qm|mq|m sq|vierkante meter"
            r"|quadratmetern?|kvadratmeter"
            r"|neliömetri(?:ä|n)?|metrów kwadratowych|м\^?2|кв\.?\s?м(?:етр(?:а|ов)?)?"
            r"|квадратн(?:ых|ый|ые)\sметр(?:а|ов|ы)?"
            r"|τ\.?μ\.?|τετραγωνικά μέτρα|متر(?:ا|اً)?\sمربع(?:ا|اً)?|वर्ग मीटर|বর্গমিটার|mét vuông|metrekare",
            "平方米|平方公尺|平方メートル|제곱미터|평방미터|ตารางเมตร",
            1.0,
        ),
        (r"ares?|ar(?!\w)|ары?|аров|соток|сот(?:ка|ки)", "公亩|アール|아르", 100.0),
        (r"decares?|dekar", "", 1000.0),
        (
            r"ha|hectares?|hektarn?|hektare?|hektaria?|hehtaari(?:a|n)?|hektar[yi]?ów?|hektary|hect[áa]reas?|ettar[io]|hektara|га|гектар(?:а|ов|ы)?"
            r"|εκτάρια|هكتارات?|هکتار|हेक्टेयर|হেক্টর|héc-ta",
            "公顷|公頃|ヘクタール|헥타르|เฮกตาร์|เฮกแตร์",
            1e4,
        ),
        (
            rf"km\^?2|{_SQUARE}(?:km|{_KILOMETRE})|{_KILOMETRE}\s{_SQUARED}|sqkm|vierkante kilometer"
            r"|quadratkilometern?|kvadratkilometer"
            r"|neliökilometri(?:ä|n)?|kilometr(?:ów|y) kwadratow(?:ych|e)|км\^?2|кв\.?\s?км"
            r"|квадратн(?:ых|ый|ые)\sкилометр(?:а|ов|ы)?"
            r"|كيلومتر(?:ا|اً)?\sمربع(?:ا|اً)?|कि\.?मी\.?\^?2|वर्ग किलोमीटर|বর্গকিলোমিটার|km vuông|kilometrekare|km\s?kare",
            "平方公里|平方千米|平方キロメートル|平方キロ|제곱킬로미터|평방킬로미터|ตารางกิโลเมตร|ตร\\.กม\\.",
            1e6,
        ),
        (r"acres?|akr[óo]w|акр(?:а|ов)?", "英亩|エーカー|에이커|เอเคอร์", 4046.8564224),
        (
            rf"ft\^?2|{_SQUARE}f(?:t|eet|oot)|sqft|pieds? carrés?|pies cuadrados",
            "平方英尺|平方フィート",
            0.09290304,
        ),
        (rf"yd\^?2|{_SQUARE}y(?:ar)?ds?", "平方ヤード|平方码", 0.83612736),
        (
            rf"mi\^?2|{_SQUARE}mi(?:les?)?|quadratmeilen?|milles? carrés?|millas cuadradas",
            "平方英里|平方マイル|제곱마일",
            2589988.110336,
        ),
        (rf"cm\^?2|{_SQUARE}c(?:m|entimet(?:er|re)s?)|quadratzentimeter", "平方厘米", 1e-4),
        (r"mu", "亩|畝", 2000.0 / 3.0),
    ),
    "areas",
    ("area", "answer"),
)


@remembered
def read_area(answer: str) -> Reading[float]:
    """Square metres, as `read_quantity` finds them; a number without a unit means square metres."""
    return read_quantity(answer, _AREAS)
