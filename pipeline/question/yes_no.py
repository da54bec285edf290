# ruff: noqa: E501  # patterns are read whole, on one line
"""Whether a question asks yes or no: a verb before its subject, or a question without a question word."""

from __future__ import annotations

import re

from dictionaries.folding import folded_text

MAX_FRAGMENT_WORDS = (
    3  # '¿Ley aplicable?' names a topic; a longer Spanish question without question word says something
)

# 'Tell me whether', 'Dime si', 'Dites-moi si'; not where the manner is asked as well ('whether and how').
_EMBEDDED = re.compile(
    r"\b(?:tell (?:me|us)|say|state|check|confirm|know|see|indicate|explain|find out|verify|clarify|determine|show|wonder|wondering|"
    r"dime|diga|digame|indica|indique|indicame|comprueba|verifica|saber|confirma|confirme|aclara|averigua|precisa|conocer|"
    r"dites-moi|dis-moi|indiquez|indiquez-moi|precisez|verifiez|confirmez|savoir|dire|indiquer)"
    r"(?: please|,? por favor|,? svp)? (?:if|whether|si|s')(?! and how| y como| et comment)"
    r"(?!.*(?: and (?:how|which|what|when)\b| y (?:como|cuales?|cuando|que)\b| et (?:comment|lesquel|quel|quand|a quelles?)))"
    r"|^whether\b"
)
# What comes before the main clause: a condition, a time, a concession, an aim.
_OPENING = re.compile(
    r"^(?:(?:and|so|but|y|et|mais|pero) )?(?:if|when|once|after|before|upon|in case|in the event|should|during|under|despite|notwithstanding|in spite of|apart from|given|following|assuming|at the end|"
    r"si|s'il|s'ils|cuando|una vez|despues|tras|antes|al|en caso|a pesar|pese|durante|aparte|para|con|segun|"
    r"quand|lorsque|lorsqu'\w+|une fois|apres|avant|pour|en cas|malgre|nonobstant|en dehors|a la fin|au terme|selon|dans|hormis|dès|des que)\b[^,?]*, (?=\S+ \S)"
)
_ENGLISH = re.compile(
    r"^(?:(?:and|so|but|please) )?(?:is|are|was|were|does|do|did|can|could|may|might|must|shall|should|will|would|has|have|had|am|need|isn't|aren't|doesn't|don't|can't|won't|hasn't|haven't|shouldn't|couldn't)\b(?! not only)(?! (?:look|find|check|tell|give|list|show|note)\b)"
)
# A verb with its subject behind it, or 'est-ce que'; a pronoun alone makes a statement with a question mark.
_FRENCH = re.compile(
    r"(?:^|[ ,])(?:est-ce (?:que|qu')|n'est-ce pas|y a-t-il|y aurait-il)|\b[a-z]+-(?:t-)?(?:ils?|elles?|on|je|nous|vous|tu|ce)\b(?![- ]?(?:meme|deux))"
    r"|^(?:on peut|on doit|il y a|il existe|nous pouvons|nous devons|je peux|je dois|vous avez)\b"
)
_POLITE = re.compile(
    r"\b(?:pouvez|pourriez|voulez)-vous (?:me |m'|nous )?(?:dire|indiquer|donner|preciser|lister|resumer|expliquer)\b"
)
# A question word at the head of the clause, behind a preposition, or of a kind that never joins clauses.
_ASKS_WHAT = re.compile(
    r"^(?:(?:and|so|but|y|et|mais|pero) )?(?:(?:[a-z]+ ){0,2}?(?:to|by|with|from|for|of|in|at|on|under|until|since|within|a|con|por|de|desde|hasta|para|en|sobre|bajo|segun|ante|cada|entre|avec|par|pour|sur|dans|depuis|jusqu'a|sous|chez|contre|quant a|pendant|durant|durante|selon|auprès de|aupres de|au nom de|a partir de|a compter de) )?"
    r"(?:what|which|who|whom|whose|when|where|why|how|que|qu'\w+|cual|cuales|cuando|cuanto|cuanta|cuantos|cuantas|quien|quienes|como|donde|qui|quoi|quel|quelle|quels|quelles|quand|combien|comment|ou|pourquoi|lequel|laquelle|lesquels)\b"
    r"|^qu'|\b(?:combien|comment|pourquoi|quel|quelle|quels|quelles|lequel|laquelle|lesquels|lesquelles|cual|cuales|cuanto|cuantos|cuanta|cuantas)\b"
    r"|\b(?:de|a|avec|par|pour|chez|entre) (?:quoi|qui)\b|[a-z]+ quand[ ,?]*$|\bquand, "
)
_ACCENTED = re.compile(
    r"\b(?:qué|cuál|cuáles|cuándo|cuánto|cuánta|cuántos|cuántas|quién|quiénes|cómo|dónde)\b", re.IGNORECASE
)
_CLAIM = re.compile(
    r"^(?:el|la|este|esta|los|las) (?:contrato|acuerdo|documento|convenio) (?!de\b|con\b|entre\b|aplicable\b)\w+"
)
_FRAGMENT = re.compile(
    r"^(?:el |la |los |las )?\w+(?: \w+)? (?:de|del|de la|aplicable|inicial|maxim[oa])\b(?!.*\b(?:es|son|esta|estan|hay|ha|han|puede|pueden|debe|deben|tiene|tienen|se|nos|le|les|lo)\b)"
)
_SPANISH_VERB = re.compile(
    r"^(?:y |o )?(?:hay|existe|existen|puede[ns]?|podemos|puedo|se|nos|es|son|esta|estan|debe[ns]?|debemos|tiene[ns]?|tenemos|permite|contiene|incluye|requiere|exige|preve|prohibe|establece|figura|cabe|podria|limita|obliga|obligan|ha|han|hemos)\b"
)


def asks_yes_no(text: str) -> bool:
    """True for a question in English, Spanish or French that is answered by yes or no."""
    folded = " ".join(folded_text(text).split())
    if _EMBEDDED.search(folded):
        return True
    clause = _main_clause(folded)
    if _ENGLISH.search(clause):
        return True
    if _SPANISH_VERB.search(clause) or _CLAIM.search(clause):
        return True
    if _asks_what(clause, text) or _POLITE.search(clause):
        return False
    if _FRENCH.search(clause):
        return True
    if "¿" not in text:
        return False
    return len(clause.split()) > MAX_FRAGMENT_WORDS and not _FRAGMENT.search(clause)


def _main_clause(folded: str) -> str:
    """The clause that asks, of the first sentence that does."""
    if "¿" in folded:
        question = folded[folded.rindex("¿") + 1 :]
    else:
        marked = re.match(r"(?:[^.?]|\.(?! ))*\?", folded)
        question = marked.group() if marked else re.split(r"[.!] ", folded)[0]
    question = question.strip(" ¿¡?!.\"'")
    for _ in range(2):  # an aim and a condition at most
        opened = _OPENING.match(question)
        if opened is None:
            break
        question = question[opened.end() :]
    return question


def _asks_what(clause: str, text: str) -> bool:
    if _ASKS_WHAT.search(clause):
        return True
    return "¿" in text and _ACCENTED.search(text[text.rindex("¿") :]) is not None
