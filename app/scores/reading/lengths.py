"""Lengths and distances: answer text → metres; metric units, miles, yards, feet and inches are converted."""

from app.scores.reading.quantities import Units, read_quantity, unit_sizes
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered

_METRE = r"m(?:et(?:er|re|r|ri|ro|ros|rů|rov|rów|ry|ra|riä|rin|ern|re|reä)s?|ètres?|éter|etros?)?"
_LENGTHS = Units(
    unit_sizes(
        (
            rf"{_METRE}(?!\s+(?:squared|carrés?|cuadrados?|quadrat[io]|quadrados?|kwadratowych)|²)|mtrs?|м(?:етр(?:а|ов|ы)?)?|μέτρα?"
            r"|متر(?:ا|اً)?|أمتار|מטר(?:ים)?|मीटर|মিটার|মি|மீட்டர்|mét|מ'",
            r"米(?!平方)|公尺|メートル|미터|เมตร|ม\.",
            1.0,
        ),
        (
            rf"km|k\.m\.|kms|kilo{_METRE[2:-2]}|kil(?:o|ó|ò)m(?:et(?:er|re|ers|res|ern|ros?|ri|rů|rov|rów|ry|ra|riä)|ètres?|éter)s?"
            r"|quil[ôo]metros?|chilometr[io]|км|километр(?:а|ов|ы)?|кілометр(?:а|ів|и)?|χιλιόμετρ[αο]|χλμ\.?|كم|كيلو\s?مترات?"
            r"|كيلومترا?ً?|کیلومتر|ק\"מ|קילומטר(?:ים)?|किलोमीटर|किमी|कि\.मी\.|কিলোমিটার|কিমি|கிலோமீட்டர்|ki-?lô-?mét|kilometre",
            r"公里|千米|キロメートル|キロ(?!グラム)|킬로미터|กิโลเมตร|กม\.?",
            1000.0,
        ),
        (
            r"nautical miles?|nmi|nm|seemeilen?|milles? marins?|millas? náuticas?|miglia nautiche"
            r"|морск(?:ая|ие|их) мил[ьия]",
            "海里|浬",
            1852.0,
        ),
        (
            r"mi|miles?|meilen?|milles?|millas?|miglia|miglio|milhas?|mijlen|мил[ьяи]",
            "英里|マイル|마일|ไมล์",
            1609.344,
        ),
        (r"yards?|yds?|yd", "ヤード|야드|码", 0.9144),
        (r"ft|feet|foot|fuß|pieds?|pies?|piedi|футов?", "英尺|フィート|피트", 0.3048),
        (r"inch(?:es)?|ins(?=\.)|zoll", "英寸|インチ|인치", 0.0254),
        (
            r"cm|centim(?:et(?:er|re)|ètre|etro)s?|zentimetern?|см",
            "厘米|公分|センチメートル|センチ|센티미터",
            0.01,
        ),
        (r"mm|millim(?:et(?:er|re)|ètre|etro)s?|millimetern?|мм", "毫米|ミリメートル|ミリ|밀리미터", 0.001),
        (r"dm|decim(?:et(?:er|re)|ètre|etro)s?|dezimetern?|дм", "", 0.1),
        (r"hm|hectom(?:et(?:er|re)|ètre|etro)s?", "", 100.0),
        (r"furlongs?", "", 201.168),
    ),
    "lengths",
    ("distance", "length", "answer"),
)


@remembered
def read_length(answer: str) -> Reading[float]:
    """Metres, as `read_quantity` finds them; a number without a unit means metres."""
    return read_quantity(answer, _LENGTHS)
