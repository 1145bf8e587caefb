"""What people call a kind of place, stated by hand for kinds whose tag is no noun that one would say."""

from collections.abc import Iterator, Mapping

from tests.readers.knowledge_words import Tags, kinds

_TOLD = """adult gaming centre: amusement arcade for adults; alcohol: off-licence; antiques: antique shop; art: art shop
appliance: shop for household appliances; artwork: work of art; atm: cash machine; attraction: tourist attraction
beauty: beauty salon; beverages: drinks shop; books: bookshop; building: historic building; cafe: café; car: car dealer
charity: charity shop; chemist: drugstore; childcare: childcare centre; citywalls: city wall; confectionery: sweet shop
convenience: convenience store; copyshop: copy shop; craft: workshop; dance: dance hall; deli: delicatessen
diplomatic: diplomatic mission; doctor: doctor's practice; doctors: doctor's practice; doityourself: DIY store
alternative: practice for alternative medicine; association: office of an association; dry cleaning: dry cleaner
fast food: fast food place; frame: picture framer; fuel: petrol station; funeral directors: funeral director
gallery: art gallery; gold: gold dealer; grave yard: graveyard; halt: railway halt; handicraft: handicraft workshop
hats: hat shop; handbags: bag shop; healthcare: health centre; hifi: hi-fi shop; horse riding: riding stable
ice cream: ice cream parlour; information: tourist information office; it: IT company; jewelry: jeweller
mall: shopping centre; massage: massage parlour; motorcycle: motorcycle dealer; nails: nail salon; parking: car park
nutrition supplements: shop for food supplements; physiotherapist: physiotherapy practice; police: police station
printing: printer's workshop; seafood: fishmonger; second hand: second-hand shop; shoes: shoe shop; taxi: taxi rank
station: railway station; tattoo: tattoo parlour; tobacco: tobacconist; toilets: public toilet; townhall: town hall
toys: toy shop; travel agent: travel agency; watches: watch shop; hearing aids: hearing aid shop; houseware: housewares shop
ticket: ticket office; video games: video game shop; ngo: NGO office; meat: butcher's shop; butcher: butcher's shop
veterinary: veterinary practice; car sharing: car-sharing station; government: government office
quango: office of a public body; locks: locksmith; foundation: office of a foundation
financial advisor: financial adviser; accessories: fashion accessories shop; animal boarding: boarding kennel
auto: car mechanic; blood donation: blood donation centre; candles: candle shop; grocery: grocer's shop
handicrafts: handicraft shop; meat: butcher's shop; metal construction: metal construction workshop
miniature golf: miniature golf course; nailstudio: nail salon; party: party supplies shop; records: record shop
religion: office of a religious organisation; ruins: ruin; stripclub: strip club; souvenirs: souvenir shop
studio: recording studio; gems: gem shop; trade: shop for building materials"""
NOUNS: Mapping[str, str] = {
    kind.strip(): noun.strip()
    for kind, _, noun in (part.partition(":") for line in _TOLD.splitlines() for part in line.split(";"))
}


def nouns(tags: Tags) -> Iterator[str]:
    """All that people may call a place by its tags."""
    for kind in kinds(tags):
        yield kind
        yield NOUNS.get(kind, kind)
        yield f"{kind} place"
        yield f"{kind} station"
        yield NOUNS.get(kind, kind).lower()
        yield from (
            f"{kind} shop",
            f"{kind} office",
            f"{kind}'s office",
            f"shop for {kind}",
            f"shop for {kind}s",
        )
