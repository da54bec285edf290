# ruff: noqa: E501  # patterns are read whole, on one line; word lists as text
"""Countries and states that a question sets as a limit: 'under French law', 'in Spain', 'for California'."""

from __future__ import annotations

import re

from pipeline.question.reading import Piece

# Names in English, Spanish and French where they differ, of countries and states whose law contracts are made under.
_COUNTRIES = """
Argentina|Argentine|Australia|Australie|Austria|Autriche|Belgium|Bélgica|Belgique|Bolivia|Brazil|Brasil|Brésil|Bulgaria|
Canada|Canadá|Chile|Chili|China|Chine|Colombia|Colombie|Croatia|Croacia|Croatie|Cyprus|Chipre|Chypre|Czech Republic|
República Checa|République tchèque|Denmark|Dinamarca|Danemark|Ecuador|Egypt|Egipto|Égypte|England|England and Wales|
Inglaterra|Angleterre|Estonia|Finland|Finlandia|Finlande|France|Francia|Germany|Alemania|Allemagne|Greece|Grecia|Grèce|
Hong Kong|Hungary|Hungría|Hongrie|India|Inde|Ireland|Irlanda|Irlande|Israel|Israël|Italy|Italia|Italie|Japan|Japón|Japon|
Korea|South Korea|Corea|Luxembourg|Luxemburgo|Malta|Malte|Mexico|México|Mexique|Morocco|Marruecos|Maroc|Netherlands|
the Netherlands|Países Bajos|Pays-Bas|New Zealand|Nueva Zelanda|Norway|Noruega|Norvège|Panama|Panamá|Peru|Perú|Pérou|
Poland|Polonia|Pologne|Portugal|Romania|Rumanía|Roumanie|Russia|Rusia|Russie|Saudi Arabia|Arabia Saudí|Scotland|Escocia|
Écosse|Singapore|Singapur|Singapour|South Africa|Sudáfrica|Afrique du Sud|Spain|España|Espagne|Sweden|Suecia|Suède|
Switzerland|Suiza|Suisse|Taiwan|Turkey|Turquía|Turquie|Ukraine|United Arab Emirates|United Kingdom|the United Kingdom|
Reino Unido|Royaume-Uni|United States|the United States|Estados Unidos|États-Unis|the UK|UK|U\\.K\\.|the US|the USA|USA|
U\\.S\\.A?\\.?|the EU|EU|the European Union|European Union|Unión Europea|Union européenne|Uruguay|Venezuela|Wales|Gales|
Québec|Quebec|Ontario|Catalonia|Cataluña
"""
_STATES = """
Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|
Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|
New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|
South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming
"""
_PEOPLES = """
Argentinian|Australian|Austrian|Belgian|Brazilian|British|Canadian|Chilean|Chinese|Colombian|Danish|Dutch|English|
European|Finnish|French|German|Greek|Indian|Irish|Israeli|Italian|Japanese|Korean|Mexican|Norwegian|Peruvian|Polish|
Portuguese|Romanian|Russian|Scottish|Singaporean|Spanish|Swedish|Swiss|Turkish|Californian|Federal
"""
_PEOPLES_ES = """
alemana?|argentina|argentino|austríac[oa]|belga|brasileñ[oa]|británic[oa]|canadiense|chilen[oa]|chin[oa]|colombian[oa]|
española?|estadounidense|europe[oa]|francesa?|holandesa?|inglesa?|irlandesa?|italian[oa]|japonesa?|mexican[oa]|
neerlandesa?|peruan[oa]|polac[oa]|portuguesa?|suiz[oa]|sueca?|suec[oa]
"""
_PEOPLES_FR = """
allemande?|américaine?|anglaise?|argentine?|autrichienne?|belge|brésilienne?|britannique|canadienne?|chinoise?|danoise?|
espagnole?|européenne?|française?|irlandaise?|italienne?|japonaise?|luxembourgeoise?|mexicaine?|néerlandaise?|
polonaise?|portugaise?|québécoise?|suédoise?|suisse
"""


def _any(*lists: str) -> str:
    names = {name for text in lists for name in " ".join(text.split()).replace("| ", "|").split("|") if name}
    return "(?:" + "|".join(sorted(names, key=lambda name: (-len(name), name))) + r")(?!\w)"


_PLACES = _any(_COUNTRIES, _STATES)
_LIMITS = (
    # under French law, under the laws of Spain; bajo la ley española; en droit français
    re.compile(rf"\b(?:under|pursuant\s+to)\s+(?:the\s+)?(?P<name>{_any(_PEOPLES, _COUNTRIES, _STATES)})\s+laws?\b"),
    re.compile(
        rf"\bunder\s+the\s+laws?\s+of\s+(?:the\s+)?(?:(?:State|Commonwealth|Province|Republic)\s+of\s+)?(?P<name>{_PLACES})"
    ),
    re.compile(
        r"(?<!\w)(?:bajo|según|conforme\s+al?|en)\s+(?:la\s+|el\s+)?(?:ley|derecho|legislación)\s+"
        rf"(?:de\s+(?P<of>{_PLACES})|(?P<name>{_any(_PEOPLES_ES)}))"
    ),
    re.compile(
        r"(?<!\w)(?:en|selon\s+le|sous\s+le|au\s+regard\s+du|selon\s+la|sous\s+la)\s+(?:droit|loi|législation)\s+"
        rf"(?:d[eu]\s+(?:la\s+|l['’])?(?P<of>{_PLACES})|(?P<name>{_any(_PEOPLES_FR)}))"
    ),
    # in Spain, for customers in California; en España; en France, au Portugal, aux États-Unis
    re.compile(
        rf"(?<!\w)(?:in|within|throughout|for|outside|en|au|aux|dans)\s+(?:the\s+)?(?:(?:State|Province)\s+of\s+)?(?P<name>{_PLACES})"
        r"(?!\s+(?:law|courts?|dollars?|Inc|Corp|Ltd|LLC|GAAP)\b|\s+[A-Z])(?![\w’'-])"
    ),
)


def find_jurisdictions(text: str) -> tuple[Piece, ...]:
    """The countries and states that limit a question, as the user wrote them, in its order, each once."""
    found: dict[str, Piece] = {}
    for pattern in _LIMITS:
        for match in pattern.finditer(text):
            group = "name" if match["name"] else "of"
            name = re.sub(r"^the\s+", "", match[group])
            found.setdefault(name, Piece(match.end(group) - len(name), match.end(group), name))
    return tuple(sorted(found.values(), key=lambda piece: piece.span))
