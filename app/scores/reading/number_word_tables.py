"""Words for numbers: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Finnish, Polish, Russian,
and numerals of Chinese, Japanese and Korean. A language is here whole, so that no number is read in part.
"""

from collections.abc import Mapping

_TO_TWENTY = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen

- eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn
achtzehn neunzehn

zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit
dix-neuf

cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
dieciocho diecinueve

zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici
diciassette diciotto diciannove

zero - dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito
dezenove

nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien
achttien negentien

noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton

nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista
kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista

zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście
piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście

ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать
пятнадцать шестнадцать семнадцать восемнадцать девятнадцать
"""
_TENS = """
twenty thirty forty fifty sixty seventy eighty ninety

zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig

vingt trente quarante cinquante soixante - - -

veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa

venti trenta quaranta cinquanta sessanta settanta ottanta novanta

vinte trinta quarenta cinquenta sessenta setenta oitenta noventa

twintig dertig veertig vijftig zestig zeventig tachtig negentig

tjugo trettio fyrtio femtio sextio sjuttio åttio nittio

kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä
yhdeksänkymmentä

dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt

двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто
"""
_HUNDREDS = """
cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos

cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos

sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset

сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот
"""


_OF_OTHER_MEANING = frozenset("once sex sei".split())
"""Words that mean something else in another language: "once" is eleven in Spanish alone."""


def _counted(table: str, start: int, step: int, row: int | None = None) -> dict[str, float]:
    """The words of a table, or of one row of it, with their values; a row ends with an empty line."""
    rows = table.strip().split("\n\n")
    return {
        word: float(start + place * step)
        for words in (rows if row is None else rows[row : row + 1])
        for place, word in enumerate(words.split())
        if word != "-" and word not in _OF_OTHER_MEANING
    }


VALUES: Mapping[str, float] = {
    **_counted("하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열", 1, 1),
    **_counted(_TO_TWENTY, 0, 1),
    **_counted(_TENS, 20, 10),
    **_counted(_HUNDREDS, 100, 100),
    "ciento": 100.0,
    "cento": 100.0,
    "dreissig": 30.0,
    "две": 2.0,
    "одна": 1.0,
    "duas": 2.0,
    "dwie": 2.0,
    "два": 2.0,
    "dieciseis": 16.0,
    "veintiún": 21.0,
    "veintiuno": 21.0,
    "veintidós": 22.0,
    "veintitrés": 23.0,
    "veinticuatro": 24.0,
    "veinticinco": 25.0,
    "veintiséis": 26.0,
    "veintisiete": 27.0,
    "veintiocho": 28.0,
    "veintinueve": 29.0,
    "ventuno": 21.0,
    "ventotto": 28.0,
    "quatrexvingt": 80.0,
    "quatrexvingts": 80.0,
    "septante": 70.0,
    "huitante": 80.0,
    "octante": 80.0,
    "nonante": 90.0,
    "naught": 0.0,
}
"""Words that add to a number."""
MULTIPLES: Mapping[str, float] = {
    "dozen": 12.0, "quarters": 0.25, "thirds": 1 / 3, "fifths": 0.2, "tenths": 0.1, "eighths": 0.125, "quarts":
    0.25, "tiers": 1 / 3, "cuartos": 0.25, "tercios": 1 / 3, "quarti": 0.25, "quartos": 0.25, "hundred": 100.0,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "hundert": 100.0, "tausend": 1e3, "cent": 100.0, "cents":
    100.0, "mille": 1e3, "mil": 1e3, "mila": 1e3, "millones": 1e6, "honderd": 100.0, "duizend": 1e3, "hundra":
    100.0, "tusen": 1e3, "sata": 100.0, "sataa": 100.0, "tuhat": 1e3, "tuhatta": 1e3, "tysiąc": 1e3, "tysiące": 1e3,
    "tysięcy": 1e3, "тысяча": 1e3, "тысячи": 1e3, "тысяч": 1e3,
}  # fmt: skip
"""Words that multiply what stands before them."""
HALVES: Mapping[str, float] = {
    "half": 0.5, "quarter": 0.25, "halb": 0.5, "halbe": 0.5, "halber": 0.5, "halben": 0.5, "anderthalb": 1.5,
    "eineinhalb": 1.5, "einhalb": 0.5, "dreiviertel": 0.75, "demi": 0.5, "demie": 0.5, "medio": 0.5, "media": 0.5,
    "mezzo": 0.5, "mezza": 0.5, "meio": 0.5, "meia": 0.5, "halve": 0.5, "anderhalf": 1.5, "anderhalve": 1.5, "halv":
    0.5, "puoli": 0.5, "puolitoista": 1.5, "pół": 0.5, "półtora": 1.5, "полтора": 1.5, "полторы": 1.5, "половина":
    0.5, "половиной": 0.5, "viertel": 0.25,
}  # fmt: skip
"""Words for parts of one, and for one and a half."""
JOINING = frozenset("and und et y e i och и с en a of an".split())
"""Words that join the parts of a number."""
POINTS = frozenset("point komma virgule coma virgola vírgula przecinek".split())
"""Words that stand for the decimal point."""
ARTICLES = frozenset("a an un une una uno um uma ein eine einen einem een en jeden".split())


def _pieces(row: int, more: Mapping[str, float]) -> dict[str, float]:
    return _counted(_TO_TWENTY, 0, 1, row) | _counted(_TENS, 20, 10, row) | dict(more)


COMPOUND: Mapping[str, Mapping[str, float]] = {
    "de": _pieces(
        1, {"ein": 1.0, "hundert": 100.0, "tausend": 1e3, "und": 0.0, "einhalb": 0.5, "dreissig": 30.0}
    ),
    "nl": _pieces(6, {"een": 1.0, "honderd": 100.0, "duizend": 1e3, "en": 0.0, "ën": 0.0}),
    "it": _pieces(
        4, {"un": 1.0, "uno": 1.0, "sei": 6.0, "tré": 3.0, "cento": 100.0, "mila": 1e3, "mille": 1e3}
    )
    | {"trent": 30.0, "quarant": 40.0, "cinquant": 50.0},
    "sv": _pieces(7, {"hundra": 100.0, "tusen": 1e3, "sex": 6.0}),
    "fi": _pieces(8, {"sata": 100.0, "sataa": 100.0, "tuhat": 1e3, "tuhatta": 1e3}),
}
"""Pieces of languages that write a number as one word; 0 is a joint."""
NUMERALS: Mapping[str, float] = {
    **dict(
        zip("〇零一二三四五六七八九", (0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0), strict=True)
    ),
    "两": 2.0,
    "兩": 2.0,
    "壱": 1.0,
    "弐": 2.0,
    "十": 10.0,
    "百": 100.0,
    "千": 1e3,
    "万": 1e4,
    "萬": 1e4,
    "億": 1e8,
    "亿": 1e8,
}
