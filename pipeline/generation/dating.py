# ruff: noqa: E501  # patterns are read whole, on one line
"""How surely a date that a contract states is its own: the day it was made, or from which it has effect."""

from __future__ import annotations

import re

from pipeline.generation.statements import DOCUMENT, DateMention, compile_words, owner_of

HEAD_PAGES = 2  # a date that stands alone dates the document only at its head: a cover and the first page
ALONE = 40  # letters beside a date on a line that holds little more: 'Dated as of', a name
NEAR_VERB = 60  # characters between the contract's name and 'is made on' outside of the opening pages
_WITHOUT_VERB = 14  # letters beside a date that no verb governs: a town
_WITH_SIGNATURE = 60  # letters beside a date that stands with a signature: a name and a title
START_REACH = 40  # characters between 'effective' and its date
NAME_REACH = 70  # characters between a date and the name in brackets that it is given
EFFECTIVE_NAMES = r"effective date|commencement date|start(?:ing)? date|fecha (?:efectiva|de (?:entrada en vigor|inicio|efectos?))|date d'(?:effet|entree en vigueur)|date de (?:debut|prise d'effet)"
_AGREEMENT_NAMES = r"agreement date|execution date|signing date|date of this agreement|contract date|fecha de(?: la)? firma|date de signature"
_MEANS = r"\W*(?:of (?:this|the) [\w ]{3,40})?\W*(?:\([^()]*\)\W*)?(?:shall |will )?(?:means?|is|be|:|=|-|significa|sera|es|signifie|designe|est)?\W*(?:be |as of |the |el |le )*$"
_ON = compile_words(
    r"(?:\b(?:on|of|this|dated?|the|effective|into|made|executed|entered|signed|day|is|from|reference|el|dia|de|le|du|the)|[,:(])\W*$"
)
_NOT_ON = compile_words(
    r"\b(?:or before|prior to|than|between|before|after|by|since|antes del?|avant le)\W*$|[\"“”]\s*$"
)
_PARTIES = compile_words(r"\b(?:between|among|by and|entre)\b")
WITNESS = compile_words(
    r"in witness|thus done|signed (?:at|on|by)|executed (?:at|on)\b|en fe de lo cual|en testimonio|en prueba de conformidad|en foi de quoi|fait (?:a|en)\b|en conformidad"
)
SUBJECT = compile_words(
    rf"\b(?:{DOCUMENT}|(?:initial |primary )?term(?! of (?:the|an?|each|such|any) (?!agreement|contract|lease|licen[cs]e))|promotion|venture|engagement|employment|appointment|arrangement|vigencia|duracion|duree|plazo)\b"
)
OTHER_SUBJECT = compile_words(
    r"\b(?:terminat(?:ion|ed)|amend(?:ment|ed) (?:shall|will|to)|price\w*|rates?|fees?|policy|polic\w+|changes?|assign\w*|waiver|option|merger|act|rules?|laws?|insurance|notice|regulations?|mou|statement|version|financial|fiscal|quarter|invoice|delivery|payment\w*|patent|orders?|rescision|resolucion|precios?|tarifas?|resiliation|prix|tarifs?)\b"
)
_MADE_EFFECTIVE = compile_words(
    r"\b(?:made|entered into|executed|concluded|dated|celebra\w*|suscri\w*|conclue?) (?:and|y|et) (?:is |shall be |made |becomes? )?(?:effective|entr\w+ en vigor|prend effet)\b[^.;]{0,25}$"
)
_UPDATED = compile_words(r"\b(?:last (?:updated|revised|modified)|version|revised)\W*$")
SIGNED = 6  # tier of a date that stands with a signature
# 'Effective February 4 (the "Commencement Date"), RCP is undertaking an offering': what begins is not the contract.
_OTHER_CLAUSE = re.compile(
    rf"[^;.]{{0,60}}?[)\]],? +(?!(?i:(?:this|the|these|both|each|either) +(?:[\w&/-]+ +){{0,4}}(?:{DOCUMENT}|term|part(?:y|ies))\b))[A-Z][\w&]+(?: [A-Z][\w&.]+)? +(?:is|are|was|were|has|have)\b"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_LABELS = compile_words(r"\W*(?:(?:dated?|fecha|le)\b ?:?[\W\d]*(?:[a-z]{3,10}\b[\W\d]*)?){1,3}")
_GOES_ON = compile_words(
    r"\W*(?:and|but|y|et) (?:(?:is|shall be|be|deemed|made|it|will|become|becomes|shall|takes?|sera|entrara|prend|est|a) ?){0,4}$"
)
_DATED = compile_words(r"\bdated\b")
_STOPS = re.compile(r"[.;:] ")
_GOVERNED_START = compile_words(
    r"\b(?:effective|commenc\w*|begin\w*|start\w*|(?:in|into) (?:full )?force|effect|entr\w+ en vigor|efectos?|inici\w*|comenz\w*|comienz\w*|entr\w+ en vigueur|d'effet|effet|a compter|a partir)\b"
)


def made_tier(one: DateMention) -> int:
    """How surely a date is that of the contract itself; 0 not at all.

    1 opening or definition, 2 effective in the opening, 3 closing words, 4 alone at the head, 5 last update, 6 signature.
    """
    governed, owner = one.governed, one.owner
    if is_named(one, _AGREEMENT_NAMES):
        return 1
    if governed == "end" or owner == "other" or (one.is_recital and owner != "own") or _NOT_ON.search(one.before):
        return 0
    if _is_alone(one, _WITH_SIGNATURE) and one.statement.is_signature:
        return SIGNED
    if WITNESS.search(one.before):
        return 3
    is_head = one.statement.page <= HEAD_PAGES
    if owner == "own" and _ON.search(one.before):
        if governed == "made" and (is_head or one.verb_distance <= NEAR_VERB):
            return 1
        if is_head and (_PARTIES.search(one.before) or _PARTIES.search(one.after) or governed == "none"):
            return 2
        if is_head and _MADE_EFFECTIVE.search(one.before):
            return 2
    if owner == "unknown" and governed == "made" and is_head and is_named(one, EFFECTIVE_NAMES):
        return 2
    if not is_head or governed == "start" or not _is_alone(one, _WITHOUT_VERB if governed == "none" else ALONE):
        return 0
    return 5 if _UPDATED.search(one.before) else 4


def effective_tier(one: DateMention) -> int:
    """How surely the contract has effect from a date: 1 defined so, 2 stated of the contract, 0 not at all."""
    if one.is_recital and one.owner != "own":
        return 0
    if is_named(one, EFFECTIVE_NAMES):
        return 0 if _OTHER_CLAUSE.match(one.after) else 1
    if one.governed != "start" or one.owner == "other":
        return 0
    plain = _BRACKETS.sub("", one.before)
    start = list(_GOVERNED_START.finditer(plain))
    if not start or len(plain) - start[-1].end() > START_REACH:
        return 0
    lead = plain[: start[-1].start()]
    if _GOES_ON.match(lead):  # 'is entered on ... and is effective as of': the subject stands before the first date
        whole = one.statement.flat[: one.start]
        return 2 if SUBJECT.search(whole) and owner_of(whole) == "own" else 0
    subjects = list(SUBJECT.finditer(lead))
    if not subjects:
        return 0
    between = lead[subjects[-1].end() :]
    if one.owner != "own" and _DATED.search(between):  # a list of other agreements, each with its date
        return 0
    is_opening = one.owner == "own" and one.statement.page <= HEAD_PAGES and _PARTIES.search(between) is not None
    if OTHER_SUBJECT.search(between) or (len(between) > NEAR_VERB and not is_opening) or _STOPS.search(between):
        return 0
    return 2


def is_named(one: DateMention, names: str) -> bool:
    """True where the sentence gives the date one of the names: before it as a definition, after it in brackets."""
    after = rf"^[^.;(]{{0,20}}[(\[][^()]{{0,30}}[\"'“”]\s?(?:the )?(?:(?:\w+ )?(?:{DOCUMENT}) )?(?:{names})\s?[\"'“”]"
    before = rf"\b(?:{names})[\"'“”]?{_MEANS}"
    if compile_words(after).search(one.after):
        return True
    lead = one.before[-NAME_REACH - 60 :]
    found = compile_words(before).search(lead)
    if found is None:
        return False
    other = re.search(r"\b([A-Z][\w-]*) $", lead[: found.start()])  # 'Option Starting Date' is not the Starting Date
    return other is None or re.fullmatch(rf"{DOCUMENT}|the|this|el|la", other[1], re.IGNORECASE) is not None


def is_label(one: DateMention) -> bool:
    """True where the line holds nothing but dates, each behind 'Date:' or 'Fecha:'."""
    return _LABELS.fullmatch(one.statement.flat) is not None


def _is_alone(one: DateMention, most: int) -> bool:
    """True where a line holds little more than the date."""
    return sum(map(str.isalnum, one.statement.flat)) - sum(map(str.isalnum, one.words)) <= most
