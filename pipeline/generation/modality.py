# ruff: noqa: E501  # patterns are read whole, on one line
"""What a clause does to an act: forbids, allows, requires it, frees from it, restrains it, or hangs it on a consent."""

from __future__ import annotations

import re

from pipeline.generation.acts import without_roles

VERB_REACH = 90  # characters from 'may not' to its verb: 'shall not, directly or through an Affiliate, sell'

# The future by which a contract in Spanish or French binds a party: 'no venderá', 'ne vendra pas'; not what is said of
# clauses and things ('no será', 'n'aura pas', 'no excederá').
FUTURE_ES = (
    r"(?:se )?(?!(?:se|esta|hab|tend|existi|inclui|aplica|constitui|afecta|excede|supera|pod|debe|implica|supond|limita"
    r"|impedi|requeri|necesita|extende|comprende)r?a[n]?\b)[a-z]{3,}ra[n]?\b"
)
FUTURE_FR = (
    r"(?:se |s')?(?!(?:se|au|pour|dev|existe|inclu|applique|constitue|affecte|excede|depasse|implique|limite|empeche|requer"
    r"|necessite|etend|comprend)r(?:a|ont)\b)[a-z]{3,}r(?:a|ont) (?:pas|point|jamais|aucune?|ni)\b"
)
FORBIDS = re.compile(
    r"\b(?:(?:does|do) not (?:allow|permit|authori[sz]e|entitle)|(?:shall|may|will|can|must) not(?! (?:include|apply|extend|be (?:required|obliged|obligated|deemed|construed|considered|unreasonabl|include|subject|liable|(?:a|in) (?:\w+ )?breach))|[\w\s]{0,30}? (?:more (?:than|often|frequently)|exceed|fewer than|less than|unreasonably))|cannot|neither [\w\s,'’]{1,120}? (?:shall|may|will|can)"
    r"|(?:may|shall|will|can) (?:in no (?:event|case|way)|under no circumstances?|by no means|no longer)|no (?:[\w-]+ ){1,4}?(?:may|shall|will|can) be|(?:make|makes|making|take) no|(?:has|have|shall have) no (?:right|authority|power)|(?:^|(?<=[).:;] ))not to|(?:in no event|under no circumstances?) (?:shall|may|will)|nor (?:shall|may|will)|(?:agrees?|covenants?|undertakes?|promises?) (?:that (?:it|they|he|she) (?:shall|will) not|not to|never to)"
    r"|no (?:party|right|assignment|transfer|sublicen[cs]e|person)\b[\w\s,]{0,60}? (?:shall|may|will)|(?:is|are) (?:strictly |expressly )?(?:prohibited|forbidden|not (?:permitted|allowed|entitled|authori[sz]ed|free to|at liberty|able to|transferable|assignable))"
    r"|(?:ningun[ao]?|ni el \w+ ni el \w+|ni la \w+ ni la \w+)\b[^.;]{0,60}? (?:podra|puede|debera)[n]?|(?:aucune?|ni l'une ni l'autre|ni le \w+ ni le \w+)\b[^.;]{0,60}? ne (?:peut|peuvent|pourra|pourront|doit|doivent|devra|devront)"
    rf"|no {FUTURE_ES}|ne {FUTURE_FR}"
    r"|no (?:se )?podra[n]?|no (?:se )?puede[n]?|no debera[n]?|se abstendra[n]?|queda[n]? (?:expresamente )?prohibid[oa]s?|(?:esta[n]?|es|son) prohibid[oa]s?|se prohibe[n]?"
    r"|ne (?:peut|peuvent|pourra|pourront|doit|doivent|devra|devront)|s'interdi\w+|s'abst\w+|s'engage\w* a ne pas|n'est pas autorise\w*|(?:est|sont) (?:expressement )?interdit\w*)\b",
)
ALLOWS = re.compile(
    r"\b(?:may(?! not| never| or may not| in no (?:event|case|way)| under no| by no means| no longer)|(?:shall|will) (?:have the (?:\w+ ){0,2}right|be (?:entitled|permitted|free|allowed))|(?:is|are) (?:hereby )?(?:entitled|permitted|free|allowed|authori[sz]ed)"
    r"|ha(?:s|ve) the (?:\w+ ){0,3}(?:right|option)|retains? the right|reserves? the right|can(?! ?not)|(?:shall|will|must|agrees? to) (?:allow|permit|afford|grant|give)|hereby grants?"
    r"|podra[n]?|puede[n]?|tendra[n]? (?:el )?derecho|tiene[n]? (?:el )?derecho|se reserva[n]? el derecho|peut|peuvent|pourra|pourront"
    r"|a le droit|ont le droit|aura le droit|(?:est|sont) (?:autorise|libre|permis|possible)\w*|(?:es|esta[n]?|son) (?:posible|permitid[oa])s?|freely (?:assign\w*|transfer\w*)|libremente|librement)\b",
)
NO_DUTY = re.compile(
    r"\b(?:(?:shall|will|is|are|does|do) (?:not|never) (?:be |have )?(?:required|obliged|obligated|bound|to be required|any (?:obligation|duty))|(?:has|have|shall have|under|assumes?) no (?:\w+ ){0,2}(?:obligation|duty)|(?:is|are|be) (?:hereby )?(?:released|relieved|discharged|exempt(?:ed)?|free|freed|excused) (?:from|of) (?:\w+ ){0,2}(?:obligation|duty|requirement)|no (?:obligation|duty)|not (?:be )?(?:obligated|obliged|required)"
    r"|no (?:estara|esta|estaran|estan) obligad\w+|no tendra[n]? (?:la )?obligacion|n'est pas tenu\w*|ne (?:sera|seront) pas tenu\w*|aucune obligation)\b",
)
DUTY = re.compile(
    r"\b(?:shall(?! not| have the right| be entitled| (?:also )?(?:mean|include|be (?:deemed|considered)))|must(?! not)|will(?! not| have the right| (?:mean|include|be (?:deemed|considered)))|agrees? to|undertakes? to|(?:is|are) (?:required|obliged|obligated) to|debera[n]?|debe[n]?"
    r"|se obliga[n]? a|se compromete[n]? a|esta[n]? obligad\w+ a|doit|doivent|devra|devront|s'engage\w*|est tenu\w*)\b",
)
# Words that restrain without 'shall not': 'solely for', 'refrain from', 'non-transferable', 'without the consent'.
_RESTRAINS = re.compile(
    r"\b(?:refrain\w*|restrict(?:ed|s|ions?)?|prohibit\w*|only|solely|sole(?! (?:discretion|option|and absolute))|no other|exclusiv\w*|limited to|non-? ?(?:compet|solicit|dispar|circum|transfer|assign|exclu)\w*|nontransferable|nonassignable|covenants? not to|waives?|without\b[^.;]{0,50}\b(?:consent|approval|permission)"
    r"|nor\b[^.;]{1,60}?\b(?:shall|will|may)|no (?:other|more|price|increase|change|rights?)|not (?:to|exceed|increase|raise|sell|solicit)|fixed|at least|no less|maximum"
    r"|abst\w+|prohibi\w+|exclusiv\w+|unicamente|no compet\w+|non-concurrence|exclusiv\w*|interdi\w+)\b"
)
# 'Neither party will be restricted in using ...' frees; the negation is of the restraint.
UNRESTRAINED = re.compile(
    r"\b(?:neither|nor|not|no|never|ninguna?|ne)\b[^.;,]{0,60}?\b(?:restricted|prohibited|prevented|precluded|limited|barred|restringid\w+|impedid\w+|empech\w+|interdit)(?: (?:from|in|to|de|para))?\b"
)
CONSENT = re.compile(
    r"\b(?:consents?|approv(?:als?|ed|es?)|permission|authori[sz]ation|agreed in writing|consentimiento|autorizacion|aprobacion|conformidad|accord (?:prealable|ecrit|expres)|accord|consentement|agrement|autorisation)\b"
)
_NEEDS = re.compile(
    r"\b(?:without|unless|except (?:with|upon)|absent|subject to|only (?:with|upon|after)|requir\w+|prior|upon (?:obtaining|receipt|receiving)|obtain\w*|first obtain\w*|conditioned|with the|with (?:[\w’']+ ){0,4}?(?:consents?|approval|permission)|qu'avec|avec (?:l'|le |la )?(?:accord|consentement|autorisation)|con (?:el |la )?(?:consentimiento|autorizacion)|sin|previ[oa]|salvo|requer\w+|requier\w+|sans|sauf|prealable|ecrit|requiert|exige)\b"
)
# A consent that is said not to be needed: 'without the consent of', 'no consent is required', after a permission.
_FREE_OF_CONSENT = re.compile(
    r"\b(?:(?:not|never) (?:be )?(?:required|obliged|obligated|need) to (?:\w+ )?(?:obtain|seek|get|request|ask)\b[^.;]{0,40}\b(?:consent|approval)|(?:does|do|shall|will) not (?:require|need)\b[^.;]{0,40}\b(?:consent|approval)|no (?:such )?(?:consent|approval)\b[^.;]{0,40}\b(?:is|shall be|will be) (?:required|necessary|needed)|(?:consent|approval)\b[^.;]{0,40}\b(?:is|shall|will) not (?:be )?(?:required|necessary|needed)"
    r"|no (?:se )?(?:requiere|requerira|sera necesari\w+)[^.;]{0,40}(?:consentimiento|autorizacion)|sin necesidad de[^.;]{0,40}(?:consentimiento|autorizacion)|sans (?:qu'il soit besoin|avoir a obtenir)[^.;]{0,40})\b"
)
# A 'no' that reaches the act after it: 'neither party may', 'aucune des parties ne peut'.
NEGATED = re.compile(r"\b(?:neither|nor|not|no|never|cannot|ninguna?|ningun|ni|aucune?|ne)\b|\bn['’]")
_DENIED_BEFORE = re.compile(r"\b(?:neither|nor|not|no|ninguna?|ningun|ni|aucune?|ne)\b")
CAUSE = re.compile(
    r"\b(?:if(?! any\b| applicable| so\b)|in (?:the )?(?:case|event)|where (?:a|an|the|any|either|such)|si|en caso|en cas|lorsque)\b"
)


def spoken(pattern: re.Pattern[str], folded: str, link: re.Pattern[str] | None) -> re.Match[str] | None:
    """The first match that speaks of what is asked, as `link` finds it: a word of it follows, or its noun stands before.

    'Termination shall not release a Party' forbids a release, not a termination.
    """
    for match in pattern.finditer(folded):
        passive = match.group(0).startswith(("is ", "are ", "no ", "est ", "sont ", "queda", "est prohib", "son "))
        passive = passive or re.match(r"[\w\s,]{0,40}?\bbe\b", folded[match.end() : match.end() + 60]) is not None
        before = match.start() - VERB_REACH if passive else match.start()
        near = _same_sentence(folded, max(0, before), match.start(), match.end() + VERB_REACH)
        if link is None or link.search(without_roles(near)) is not None:
            return match
    return None


def has_modal(folded: str) -> bool:
    """True for words that allow, forbid or require by themselves."""
    return any(pattern.search(folded) is not None for pattern in (FORBIDS, ALLOWS, NO_DUTY, DUTY))


def restrains(folded: str, link: re.Pattern[str] | None) -> re.Match[str] | None:
    """The words by which a clause restrains what is asked; None where it restrains nothing of it.

    'solely' and 'exclusive' restrain what stands beside them: an exclusive licence is not for that reason not transferable.
    """
    freed = UNRESTRAINED.search(folded)
    forbids = spoken(FORBIDS, folded, link)
    if forbids is not None and (freed is None or not freed.start() <= forbids.start() < freed.end()):
        return forbids
    for match in _RESTRAINS.finditer(folded):
        if freed is not None and freed.start() <= match.start() < freed.end():
            continue
        near = _same_sentence(folded, max(0, match.start() - VERB_REACH), match.start(), match.end() + VERB_REACH)
        if link is None or link.search(without_roles(near)) is not None:
            return match
    return None


def needs_consent(folded: str) -> re.Match[str] | None:
    """The consent that a clause makes an act hang on; None where it asks for none."""
    if free_of_consent(folded) is not None:
        return None
    for match in CONSENT.finditer(folded):
        around = folded[max(0, match.start() - VERB_REACH) : match.end() + 30]
        if _NEEDS.search(around):
            return match
    return None


def free_of_consent(folded: str) -> re.Match[str] | None:
    """The words that make an act free of consent; 'may assign without consent' counts, 'shall not ... without' does not."""
    said = _FREE_OF_CONSENT.search(folded)
    if said is not None:
        return said
    allowed = ALLOWS.search(folded)
    if allowed is None or FORBIDS.search(folded) or _DENIED_BEFORE.search(folded[: allowed.start()]):
        return None
    return re.compile(
        r"\b(?:without|sin|sans)\b[^.;]{0,60}?\b(?:consent|approval|consentimiento|autorizacion|accord|consentement)\b"
    ).search(folded, allowed.end())


def _same_sentence(folded: str, start: int, middle: int, end: int) -> str:
    """The characters around `middle`, no further than the sentence that it stands in."""
    left = max((match.end() for match in re.finditer(r"[.;]\s", folded[start:middle])), default=0)
    piece = folded[start + left : end]
    after = re.search(r"[.;](?:\s|$)", piece[middle - start - left :])
    return piece if after is None else piece[: middle - start - left + after.start()]
