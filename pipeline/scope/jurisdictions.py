# ruff: noqa: E501, SIM905  # a country is read whole, on one line; lists as text
"""Which countries and states a passage is limited to, held against those that a question asks for.

A place counts where it limits what is said ('in Spain', 'for customers in France', 'under French law', 'Germany: 30
days'), not where a party is incorporated or has its office.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from pipeline.scope.words import plain
from schemas.question import ScopeFilters

# Key: names and adjectives in English, Spanish and French, folded; the first is shown.
_PLACES = """
argentina: argentina, argentine, argentinian, argentino, argentin
australia: australia, australie, australian, australiano, australien
austria: austria, autriche, austrian, austriaco, austriaca, autrichien, autrichienne
belgium: belgium, belgica, belgique, belgian, belga, belge
brazil: brazil, brasil, bresil, brazilian, brasileno, brasilena, bresilien, bresilienne
bulgaria: bulgaria, bulgarie, bulgarian
canada: canada, canadian, canadiense, canadien, canadienne
chile: chile, chili, chilean, chileno, chilena, chilien
china: china, chine, chinese, chino, chinois, chinoise
colombia: colombia, colombie, colombian, colombiano, colombiana
croatia: croatia, croacia, croatie, croatian
czech republic: czech republic, republica checa, republique tcheque, czech
denmark: denmark, dinamarca, danemark, danish, danes, danois, danoise
egypt: egypt, egipto, egypte, egyptian
england: england, england and wales, inglaterra, angleterre, english, ingles, inglesa, anglais, anglaise
european union: european union, eu, the eu, union europea, union europeenne, european, europeo, europea, europeen, europeenne, europe, eea, european economic area
finland: finland, finlandia, finlande, finnish, finlandes, finlandais
france: france, francia, french, frances, francesa, francais, francaise
germany: germany, alemania, allemagne, german, aleman, alemana, allemand, allemande
greece: greece, grecia, grece, greek, griego, grec
hong kong: hong kong
hungary: hungary, hungria, hongrie, hungarian
india: india, inde, indian, indien
ireland: ireland, irlanda, irlande, irish, irlandes, irlandesa, irlandais, irlandaise
israel: israel, israeli
italy: italy, italia, italie, italian, italiano, italiana, italien, italienne
japan: japan, japon, japanese, japones, japonesa, japonais, japonaise
korea: korea, south korea, corea, coree, korean
luxembourg: luxembourg, luxemburgo, luxembourgeois, luxembourgeoise
mexico: mexico, mexique, mexican, mexicano, mexicana, mexicain, mexicaine
morocco: morocco, marruecos, maroc, moroccan
netherlands: netherlands, paises bajos, pays-bas, dutch, holandes, holandesa, neerlandes, neerlandesa, neerlandais, neerlandaise, hollandais
new zealand: new zealand, nueva zelanda, nouvelle-zelande
norway: norway, noruega, norvege, norwegian
peru: peru, perou, peruvian, peruano, peruana
poland: poland, polonia, pologne, polish, polaco, polaca, polonais, polonaise
portugal: portugal, portuguese, portugues, portuguesa, portugais, portugaise
romania: romania, rumania, roumanie, romanian
russia: russia, rusia, russie, russian
scotland: scotland, escocia, ecosse, scottish, scots
singapore: singapore, singapur, singapour, singaporean
south africa: south africa, sudafrica, afrique du sud, south african
spain: spain, espana, espagne, spanish, espanol, espanola, espagnol, espagnole
sweden: sweden, suecia, suede, swedish, sueco, sueca, suedois, suedoise
switzerland: switzerland, suiza, suisse, swiss, suizo
turkey: turquia, turquie, turkish, turkiye
united kingdom: united kingdom, uk, u.k., the uk, reino unido, royaume-uni, british, britanico, britanica, britannique, great britain
united states: united states, united states of america, us, usa, u.s., u.s.a., the us, the usa, estados unidos, etats-unis, american, estadounidense, americain, americaine, federal
wales: wales, gales, welsh
""" + "\n".join(
    f"{name}: {name}"
    for name in (
        "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|ontario|quebec"
    ).split("|")
)
_UNION = "austria|belgium|bulgaria|croatia|czech republic|denmark|finland|france|germany|greece|hungary|ireland|italy|luxembourg|netherlands|poland|portugal|romania|spain|sweden".split(
    "|"
)
# What lies inside what: a clause on the whole speaks of its parts, and one on a part of the whole.
_PARTS: dict[str, frozenset[str]] = {
    "european union": frozenset(_UNION),
    "united kingdom": frozenset(("england", "scotland", "wales")),
    "canada": frozenset(("ontario", "quebec")),
}
_SEAT = re.compile(
    r"\b(?:incorporated|organi[sz]ed|registered|existing|established|domiciled|headquartered|located|resident|formed|offices?|seat|address|constituid\w+|domicili\w+|sede|inscrit\w*|immatricul\w+|siege|situe\w*)\b[^.;]{0,50}$"
)
_BEFORE = re.compile(
    r"(?:\b(?:in|within|throughout|for|under|of|to|into|across|en|para|bajo|segun|de|del|dans|au|aux|pour|sous|selon|du|des)\s+(?:the\s+)?(?:(?:state|commonwealth|province|republic|territory)\s+of\s+)?(?:la\s+|el\s+|l['’]|los\s+|les\s+)?|^\W*(?:[a-z0-9.()]{1,6}\s+)?)$"
)
_AFTER = re.compile(
    r"^\s+(?:laws?|customers?|users?|consumers?|clients?|employees?|subsidiar\w+|residents?|territory|market|citizens?|affiliates?|jurisdiction|courts?)\b|^\s*(?:[:|–—]|\s-\s|\t|\s{2,})"
)
_LIMITED = re.compile(
    r"\b(?:outside|except|excluding|other\s+than|fuera\s+de|hors|salvo|excepto|sauf|not)\b[^.,;]{0,30}$"
)
_ADJECTIVE_OF_LAW = re.compile(r"\b(?:ley|derecho|legislacion|loi|droit|legislation|clientes?|clients?|usuarios)\s+$")


@dataclass(frozen=True, slots=True)
class PlaceScope:
    """The places that a question is limited to, by key, and as the user wrote them."""

    keys: frozenset[str]
    shown: str

    def other_in(self, text: str, *above: str) -> str | None:
        """The other place that alone limits a text, as it is written there; None where it is not so.

        `above` are its opening and its headings: where one of them names a place asked for, the text is of it.
        """
        found = [place for piece in (text, *above) for place in _places_in(piece)]
        if not found or any(self._covers(key) for key, _ in found):
            return None
        return found[0][1]

    def _covers(self, key: str) -> bool:
        return any(key == asked or key in _parts(asked) or asked in _parts(key) for asked in self.keys)


def place_scope(question: str, filters: ScopeFilters) -> PlaceScope | None:
    """The places that limit a question; None where it names none that is known, or leaves one out ('outside Spain')."""
    folded = plain(question)
    keys: dict[str, str] = {}
    for name in filters.jurisdictions:
        key = _keys().get(plain(name).removeprefix("the "))
        at = folded.find(plain(name))
        if key is not None and not (at >= 0 and _LIMITED.search(folded[:at])):
            keys[key] = name
    return PlaceScope(frozenset(keys), ", ".join(keys.values())) if keys else None


def _places_in(text: str) -> list[tuple[str, str]]:
    """Key and words of each place that limits a text, in order."""
    folded = plain(text)
    found = []
    for match in _pattern().finditer(folded):
        written = text[match.start() : match.end()]
        before, after = folded[: match.start()], folded[match.end() :]
        if not written[0].isupper() and not _ADJECTIVE_OF_LAW.search(before):
            continue  # 'polish', 'us': words like any other
        limits = _BEFORE.search(before) or _AFTER.match(after) or _ADJECTIVE_OF_LAW.search(before)
        if limits and not _SEAT.search(before) and not _LIMITED.search(before):
            found.append((_keys()[match.group()], written))
    return found


def _parts(key: str) -> frozenset[str]:
    if key == "united states":
        return frozenset(name for name in _states())
    return _PARTS.get(key, frozenset())


@cache
def _keys() -> dict[str, str]:
    rows = (row.split(":", 1) for row in _PLACES.strip().splitlines())
    return {name.strip(): key for key, names in rows for name in names.split(",")}


@cache
def _states() -> frozenset[str]:
    keys = list(dict.fromkeys(_keys().values()))
    return frozenset(keys[keys.index("alabama") : keys.index("wyoming") + 1])


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_keys(), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
