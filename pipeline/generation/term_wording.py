# ruff: noqa: E501  # patterns are read whole, on one line
"""The words by which contracts say how long they run, in English, Spanish and French."""

from __future__ import annotations

import re

from pipeline.generation.statements import DOCUMENT, compile_words
from pipeline.values.ordinals import ORDINAL

MAX_UNTIL = 160  # characters of what ends a contract without a date
INITIAL = compile_words(
    r"\b(?:initial|primary|original|first) (?:contract )?(?:term|period)\b|\b(?:plazo|periodo|duracion|vigencia) inicial\b|\b(?:duree|periode) initiale\b"
)
OF_CONTRACT = compile_words(
    rf"\b(?:term|duration|period|terms(?= of this \w+ (?:shall|will) be)) of (?:this|the) [\w ]{{0,30}}(?:{DOCUMENT}|engagement|appointment|employment)\b|\bcontract (?:period|term|start|end)\b|\b(?:duracion|vigencia|plazo)(?: de(?:l| la| este| esta)?)? (?:presente |este )?(?:{DOCUMENT})\b|\bduree (?:du|de la|de ce|du present) (?:present )?(?:{DOCUMENT})\b"
)
SAYS_HOW = compile_words(
    r"[^.;]{0,60}?\b(?:shall|will|is|are|be|has|means|es|sera|est|tendra|durara)\b| ?(?:of|for|:|\() ?"
)
# 'During the term of this Agreement', 'for a year after the initial term': what is done then, not how long it is.
WITHIN_IT = compile_words(
    r"\b(?:under|pursuant to|in accordance with|during|throughout|after|before|prior to|following|end of|expir\w+ of|termination of|remainder of|within|beyond|commencement of|start of|portion of|course of|over|durante|tras|despues de|antes de|pendant|apres|avant|au cours de)(?: (?:the|its|this|such|said|any|el|la|le|then-current|then current|current|entire|full)){0,3} ?$"
)
DEFINED = compile_words(
    r"[\"“](?:initial )?(?:term|contract period|expiration date|termination date|expiry date|end date|duration)[\"”]\W{0,3}(?:of [^.;]{0,40})?(?:shall )?(?:means?|be|is|has|:)|[\"“](?:plazo|vigencia|duracion|duree)[\"”]"
)
LABEL = compile_words(
    r"^\W*(?:contract (?:period|term|end)|(?:initial )?term|expiration date|expiry date|end date|duracion|vigencia|fecha de (?:vencimiento|terminacion|fin)|duree|date (?:d'expiration|de fin|d'echeance)) ?[:\t–-]"
)
NAMED_TERM = compile_words(r"\([^()]{0,30}[\"“'](?:initial |primary )?term[\"”']")
THIS = compile_words(
    r"^[\W\d]*(?:[\d.]+|\([a-z0-9]{1,3}\)|term|duration|[A-Z][A-Z ]{2,20})?[\W]*(?:this|the present|el presente|este|la presente|le present|ce) [\w]+(?: [\w]+){0,4}?(?: \([^()]*\))? (?:shall|will|is|becomes?|commences?|begins?|be|takes?|remains?|expires?|terminates?|continues?|has|entrara|tendra|estara|se|permanecera|prend|entre|est|expirera)\b"
)
RUNS = compile_words(
    r"\b(?:commenc\w*|begin\w*|start\w*|continu\w*|remain\w*|be (?:in|effective|valid|for)|is (?:in|effective|valid|for|made for)|expir\w*|terminat\w*|end|ends|run|runs|last|lasts|endure\w*|subsist\w*|become\w* effective|take\w* effect|come into|have (?:a|an) (?:initial )?term|vigente|vigor|expirara|terminara|finalizara|vencera|durara|tendra|se inicia\w*|entrara|en vigueur|conclu pour|expire\w*|prend\w*|dure\w*)\b"
)
TERM_SUBJECT = compile_words(
    r"(?:^[\W\d]*|[\"“(,;:] ?|\b(?:the|your|his|her) (?:\w+ )?|\bits |\binitial |\bthis )(?:promotion|venture|term|engagement|appointment|employment|arrangement|contract period|duration|vigencia|duracion|duree)\b(?! of)"
)
OTHER_TERM = compile_words(
    r"\b(?:breach\w*|default\w*|fails?|failure|unremedied|insolven\w*|confidential\w*|warrant\w*|surviv\w*|restricted period|non-?compet\w*|force majeure|royalt\w*|option period|escrow|probation\w*|cure|remedy|insurance|lock-up|sell-off|transition|wind-down|support period|statements? of work|purchase orders?|work orders?|exclusivity|blackout|retention period|records?|audit|garantia|confidencialidad|confidentialite|garantie)\b"
)
NOT_LENGTH = compile_words(
    r"\b(?:within|at least|(?:no|not) (?:less|fewer|later|more|earlier) than|upon|at the latest|up to|exceed(?:ing)?|every|each|per|on or before|con|al menos|dentro de|au moins|dans)(?: \w+){0,2} ?$"
)
NOTICE = compile_words(
    r"^[\W\d]{0,4}(?:(?:of|prior|advance|written|previous|days?|calendar|business)[\W ]+){0,4}(?:notice|notification|preaviso|antelacion|preavis)\b|^\W{0,3}(?:prior to|before|in advance|antes|avant)\b|^\W{0,4}(?:prior|advance) (?:written )?notice"
)
RENEWAL = compile_words(
    r"[;,.] ?(?:and )?thereafter\b|\b(?:renew\w*|extend\w*|extension\w*|successive|consecutive|additional|further|subsequent|prorrog\w*|prorog\w*|renov\w*|renuev\w*|sucesiv\w*|adicional\w*|renouvel\w*|reconduc\w*|reconduit\w*|prolong\w*|supplementaire\w*)\b"
)
RENEWAL_AFTER = compile_words(r"^\W{0,3}(?:renewal|extension|additional|successive|extended|option)\b")
ASIDE = compile_words(
    r"\b(?:unless(?! and until)|subject to|except|without prejudice|notwithstanding|salvo|sin perjuicio|sauf|sous reserve)\b[^,;.]{0,160}(?:[,;]|\.|$)"
)
EXTENDS_ITSELF = compile_words(r"\b(?:shall|will|and) (?:then )?extend (?=(?:until|for|through|to|from)\b)")
END_WORD = compile_words(
    r"\b(?:until|till|through|thru|expir\w*|terminat\w*|ends?|ending|end date|expiration date|termination date|hasta|venc\w*|finali\w*|terminara|jusqu'?\w*|prend\w* fin|echeance)\b"
)
NOT_END = compile_words(r"\b(?:or before|prior to|notice|than|between)\W*$")
ANNIVERSARY = compile_words(
    rf"(?:\b(?P<words>[a-z-]+) ?\( ?(?P<digits>\d{{1,2}}) ?(?:st|nd|rd|t ?h)? ?\)|(?P<ordinal>{ORDINAL})) ?(?:year )?(?:anniversary|aniversario|anniversaire)(?: date)?(?: of| del?| du| de la| following| after)? (?P<event>[^,;.()]{{3,80}})"
)
OPEN = compile_words(
    r"(?P<plain>\b(?:in|for) perpetuity\b|\bperpetual\w*|\b(?:endure\w*|continue\w*|remain\w*|indefinite\w*|entered into)\b[^.;]{0,40}?\b(?:indefinite(?:ly| (?:term|period|duration))|for an unlimited (?:period|term)(?: of time)?|without (?:limit|a fixed term))|\bpor tiempo (?:indefinido|ilimitado)|\b(?:duracion|plazo|vigencia) indefinid[ao]|\bde forma indefinida|\bduree (?:indeterminee|illimitee))"
    rf"|(?P<until>\b(?:unless and )?until (?=[^.;]{{0,{MAX_UNTIL}}}?\b(?:terminat|cancel|cease|complet|notice|expir|perform|conclu|fulfil|later|earlier|paid|sold|payment|either|longer|part(?:y|ies)))[^.;]{{3,{MAX_UNTIL}}}|\b(?:end|terminate|expire)\w* (?:automatically )?(?:when|upon|on the (?:expir\w+ )?(?:date|day) (?:of|on which|that|when)(?![^.;]{0, 60}\b(?:following|first)\b)) [^.;]{{3,{MAX_UNTIL}}}|\bhasta que [^.;]{{3,{MAX_UNTIL}}}|\bjusqu'a (?:ce que|sa|la) [^.;]{{3,{MAX_UNTIL}}})"
)
STARTS = compile_words(
    r"\b(?:commenc\w*|begin\w*|start\w*|effective|from|after|following|counted from|counting from|running from|desde|a partir de(?:l)?|a contar de(?:sde)?(?:l)?|a compter (?:de|du)|depuis|suivant|entrara en vigor|entre(?:ra)? en vigueur|prend(?:ra)? effet)\W+(?:(?:on|upon|as of|from|with|at|and including|en|a|el|le)\W+)?(?P<event>[^,;.()]{3,90})"
)
EVENT_ENDS = compile_words(
    r"[(;]|\b(?:and|y|et) (?=(?:shall|will|may|continu\w*|remain\w*|terminat\w*|expir\w*|ends?|ending|is|unless|thereafter|tendra|continuara|terminara|durara|expire\w*|se|est|sera|est conclu)\b)"
    r"|\b(?:but|unless|until|for (?:a|an|the|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)|shall|will|continu\w*|terminating|expiring|ending|thereafter|subject|hasta|por|salvo|jusqu\w*|pour|sauf|provided|if)\b"
)
AFTERWARDS = compile_words(
    r"^(?:(?:the|its|any|such|this|date of|effective date of) ){0,3}(?:terminat|expir|cancel|resolu|resili|venc)\w*|^(?:the )?effective date of (?:such )?(?:terminat|expir)"
)
OWN_YEAR = compile_words(r"\b(?:contract|fiscal|processing|license|operating) years?\b")
DAY_AMONG = re.compile(r"\b(?:19|20)\d\d\b|\byears?\b|\bmonths?\b", re.IGNORECASE)
BRACKETS = re.compile(r"\([^()]*\)")
BOTH_ENDS = compile_words(
    r"\b(?:earlie[rs]t?|late[rs]t?|sooner|longer|first to occur|whichever (?:is|occurs|comes))\b|\b(?:lo que (?:ocurra|suceda) (?:antes|primero))|\bla premiere (?:des|de ces) dates"
)
