"""What people call countries and the states of the USA, and where house number and postcode stand in an address.

Names of countries: the table iso3166 of the tz database, with the short name that English texts use where it has
another. The order of the parts of an address: the sheets of the Universal Postal Union on addressing in its member
countries, as OpenCage's address-formatting (conf/countries/worldwide.yaml) sums them up; that file has Brazil, New
Zealand and Puerto Rico otherwise than the sheets.
"""

from dataclasses import dataclass


def _by_code(table: str) -> dict[str, str]:
    """`AD Andorra; …` by code."""
    return dict(entry.split(" ", 1) for entry in " ".join(table.split()).split("; "))


COUNTRIES = _by_code(
    """
    AD Andorra; AE United Arab Emirates; AF Afghanistan; AG Antigua and Barbuda; AI Anguilla; AL
    Albania; AM Armenia; AO Angola; AQ Antarctica; AR Argentina; AS American Samoa; AT Austria; AU
    Australia; AW Aruba; AX Åland; AZ Azerbaijan; BA Bosnia and Herzegovina; BB Barbados; BD Bangladesh;
    BE Belgium; BF Burkina Faso; BG Bulgaria; BH Bahrain; BI Burundi; BJ Benin; BL Saint Barthélemy; BM
    Bermuda; BN Brunei; BO Bolivia; BQ Caribbean Netherlands; BR Brazil; BS Bahamas; BT Bhutan; BV
    Bouvet Island; BW Botswana; BY Belarus; BZ Belize; CA Canada; CC Cocos Islands; CD Democratic
    Republic of the Congo; CF Central African Rep.; CG Republic of the Congo; CH Switzerland; CI Ivory
    Coast; CK Cook Islands; CL Chile; CM Cameroon; CN China; CO Colombia; CR Costa Rica; CU Cuba; CV
    Cape Verde; CW Curaçao; CX Christmas Island; CY Cyprus; CZ Czechia; DE Germany; DJ Djibouti; DK
    Denmark; DM Dominica; DO Dominican Republic; DZ Algeria; EC Ecuador; EE Estonia; EG Egypt; EH
    Western Sahara; ER Eritrea; ES Spain; ET Ethiopia; FI Finland; FJ Fiji; FK Falkland Islands; FM
    Micronesia; FO Faroe Islands; FR France; GA Gabon; GB United Kingdom; GD Grenada; GE Georgia; GF
    French Guiana; GG Guernsey; GH Ghana; GI Gibraltar; GL Greenland; GM Gambia; GN Guinea; GP
    Guadeloupe; GQ Equatorial Guinea; GR Greece; GS South Georgia and the South Sandwich Islands; GT
    Guatemala; GU Guam; GW Guinea-Bissau; GY Guyana; HK Hong Kong; HM Heard Island and McDonald Islands;
    HN Honduras; HR Croatia; HT Haiti; HU Hungary; ID Indonesia; IE Ireland; IL Israel; IM Isle of Man;
    IN India; IO British Indian Ocean Territory; IQ Iraq; IR Iran; IS Iceland; IT Italy; JE Jersey; JM
    Jamaica; JO Jordan; JP Japan; KE Kenya; KG Kyrgyzstan; KH Cambodia; KI Kiribati; KM Comoros; KN
    Saint Kitts and Nevis; KP North Korea; KR South Korea; KW Kuwait; KY Cayman Islands; KZ Kazakhstan;
    LA Laos; LB Lebanon; LC Saint Lucia; LI Liechtenstein; LK Sri Lanka; LR Liberia; LS Lesotho; LT
    Lithuania; LU Luxembourg; LV Latvia; LY Libya; MA Morocco; MC Monaco; MD Moldova; ME Montenegro; MF
    Saint Martin; MG Madagascar; MH Marshall Islands; MK North Macedonia; ML Mali; MM Myanmar; MN
    Mongolia; MO Macau; MP Northern Mariana Islands; MQ Martinique; MR Mauritania; MS Montserrat; MT
    Malta; MU Mauritius; MV Maldives; MW Malawi; MX Mexico; MY Malaysia; MZ Mozambique; NA Namibia; NC
    New Caledonia; NE Niger; NF Norfolk Island; NG Nigeria; NI Nicaragua; NL Netherlands; NO Norway; NP
    Nepal; NR Nauru; NU Niue; NZ New Zealand; OM Oman; PA Panama; PE Peru; PF French Polynesia; PG Papua
    New Guinea; PH Philippines; PK Pakistan; PL Poland; PM Saint Pierre and Miquelon; PN Pitcairn
    Islands; PR Puerto Rico; PS Palestine; PT Portugal; PW Palau; PY Paraguay; QA Qatar; RE Réunion; RO
    Romania; RS Serbia; RU Russia; RW Rwanda; SA Saudi Arabia; SB Solomon Islands; SC Seychelles; SD
    Sudan; SE Sweden; SG Singapore; SH Saint Helena; SI Slovenia; SJ Svalbard and Jan Mayen; SK
    Slovakia; SL Sierra Leone; SM San Marino; SN Senegal; SO Somalia; SR Suriname; SS South Sudan; ST
    São Tomé and Príncipe; SV El Salvador; SX Sint Maarten; SY Syria; SZ Eswatini; TC Turks and Caicos
    Islands; TD Chad; TF French Southern Territories; TG Togo; TH Thailand; TJ Tajikistan; TK Tokelau;
    TL East Timor; TM Turkmenistan; TN Tunisia; TO Tonga; TR Turkey; TT Trinidad and Tobago; TV Tuvalu;
    TW Taiwan; TZ Tanzania; UA Ukraine; UG Uganda; UM US Minor Outlying Islands; US United States; UY
    Uruguay; UZ Uzbekistan; VA Vatican City; VC Saint Vincent and the Grenadines; VE Venezuela; VG
    British Virgin Islands; VI US Virgin Islands; VN Vietnam; VU Vanuatu; WF Wallis and Futuna; WS
    Samoa; YE Yemen; YT Mayotte; ZA South Africa; ZM Zambia; ZW Zimbabwe
    """
)
"""By ISO 3166-1 alpha-2 code."""

STATES_OF_USA = _by_code(
    """
    AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DC
    District of Columbia; DE Delaware; FL Florida; GA Georgia; HI Hawaii; IA Iowa; ID Idaho; IL
    Illinois; IN Indiana; KS Kansas; KY Kentucky; LA Louisiana; MA Massachusetts; MD Maryland; ME Maine;
    MI Michigan; MN Minnesota; MO Missouri; MS Mississippi; MT Montana; NC North Carolina; ND North
    Dakota; NE Nebraska; NH New Hampshire; NJ New Jersey; NM New Mexico; NV Nevada; NY New York; OH
    Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island; SC South Carolina; SD South Dakota;
    TN Tennessee; TX Texas; UT Utah; VA Virginia; VT Vermont; WA Washington; WI Wisconsin; WV West
    Virginia; WY Wyoming
    """
)
"""By the postal abbreviation."""

POSTCODE_FIRST = frozenset(
    """
    AD AT BA BE BG CH CZ DE DK DZ EE ES FI FO FR GL GR HR IS IT LI LT LU MA MC ME MK MX MY NL NO PL PT
    RO RS SE SI SK SM TN TR VA
    """.split()
)
"""Codes of countries whose addresses have the postcode before the city; elsewhere it is taken to stand behind it."""

NUMBER_FIRST = frozenset(
    """
    AE AU BD BF BJ BL BM BZ CA CD CI CX DZ EG FK FR GB GF GG GH GP GS HK HM IE IL IM IN IO JE KE LK LS
    LU MC MG MQ MT MW MY NA NC NF NG NZ PF PH PK PM PR RE RW SA SG SH TC TF TG TH TN TT TZ UG UM US VI
    VN YT ZA ZM ZW
    """.split()
)
"""Codes of countries whose addresses have the house number before the street; elsewhere it stands behind it."""

_FULL_NAMES = frozenset(STATES_OF_USA.values())
_COUNTRIES_BY_NAME = {name: code for code, name in COUNTRIES.items()}


@dataclass(frozen=True)
class State:
    """A state by its name, and its country where the name tells."""

    name: str
    country: str | None


def country_named(told: str | None) -> str | None:
    """The name of a country that a map tells by its code or by a name; None where it tells nothing."""
    return COUNTRIES.get(told.strip().upper(), told.strip()) if told and told.strip() else None


def state_named(told: str | None) -> State | None:
    """The state that a map tells: by its postal abbreviation where it is one of the USA, else by its name."""
    name = (told or "").strip()
    if not name:
        return None
    full = STATES_OF_USA.get(name.upper(), name)
    return State(full, COUNTRIES["US"] if full in _FULL_NAMES else None)


def has_postcode_first(country: str | None) -> bool:
    """Whether addresses in the country of that name have the postcode before the city."""
    return _COUNTRIES_BY_NAME.get(country or "") in POSTCODE_FIRST


def has_number_first(country: str | None) -> bool:
    """Whether addresses in the country of that name have the house number before the street."""
    return _COUNTRIES_BY_NAME.get(country or "") in NUMBER_FIRST
