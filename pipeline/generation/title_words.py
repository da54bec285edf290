# ruff: noqa: E501  # patterns are read whole, on one line
"""The words and patterns by which the title of a contract is told from what stands around it."""

from __future__ import annotations

import re

COVER_PAGES = 3  # a cover, a table of contents, the first page
OPENING_PAGES = 10  # a long table of contents may stand before the opening sentence
MAX_TITLE_LINES = 5  # lines of one heading
MAX_LINE = 130  # characters of a line of a heading; a line of prose is longer or ends in a full stop
MAX_SMALL_WORDS = 6  # words of a title that is written small: 'Distributorship agreement'
MAX_TITLE = 220  # characters of a title
OPENING_REACH = 160  # characters after the name in which the opening sentence goes on as one
# What contracts call themselves, folded, in three languages.
NOUNS = (
    r"agreements?|contracts?|leases?|sub-?leases?|licen[cs]es?|deeds?|indentures?|amendments?|addend(?:um|a)|memorand(?:um|a)|letter of intent|term sheet|statement of work"
    r"|terms (?:and conditions|of (?:use|service|sale|purchase))|general conditions|guarant(?:y|ee)|undertaking|power of attorney|bylaws|by-laws|articles of (?:association|incorporation)"
    r"|charter|schedule|supplement|warrant|promissory note|note|certificate|plan|policy|purchase order|side letter|letter agreement|waiver|covenant|mortgage|order form|constitution|protocol"
    r"|contratos?|acuerdos?|convenios?|adendas?|pactos?|memorando|condiciones generales|poliza|estatutos|escritura|anexo|arrendamiento"
    r"|contrats?|accords?|conventions?|avenants?|bail|protocole|conditions generales|statuts|pacte|bon de commande|mandat|lettre d'intention"
)
NOUN = re.compile(rf"\b(?:{NOUNS})\b")
STRONG = re.compile(
    r"\b(?:agreements?|contracts?|leases?|deed|indenture|amendment|addendum|contratos?|acuerdos?|convenios?|adenda|contrats?|accords?|conventions?|avenants?|bail)\b"
)
# A line of a cover that is no part of the title.
ASIDE = re.compile(
    r"^(?:(?:exhibit|annex|appendix|attachment|anexo|annexe)s?\b.{0,60}$|ex-?\d|execution (?:copy|version)|conformed (?:copy|version)|private (?:and|&) confidential|strictly\b|confidential$|confidential (?:treatment|draft|information|portions?|material)\b|draft\b|version\b"
    r"|(?:table of )?contents\b|table des matieres|indice|sommaire|page \d|dated?\b|as of\b|effective\b|made\b|entered\b|between\b|among\b|by and\b|entre\b|and$|et$|y$|fecha\b|the attached\b|certain\b|portions\b|pursuant\b|\*|\[|source:"
    r"|(?:contract|agreement|contrato|contrat) (?:no|number|num|n|nr)\b|recitals?|witnesseth|whereas|background|the parties|signature|prepared by|filed with|[-–—]?\s?\d{1,3}\s?[-–—]|\d{1,3}(?:\.\d+)*[.)]?\s|(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|janvier)\s+\d|this\b|table\b|article|section|clause)"
)
HOLDS_OTHER = re.compile(
    r"\b(?:shall|will|must|hereby|hereto|herein|has been|have been|is|are|was|were|pursuant|omitted|redacted|requested|accordingly|confidential treatment|attached|means|subject to|upon|por la presente|sera|seront|est|es|son)\b|(?<!\bno)[.;]\s+\w|https?:|www\.|\d{4}$|\b(?:llc|l\.l\.c|ltd|limited|plc|gmbh|n\.v|b\.v|s\.a|s\.l|sarl)\b\.?,?$|\.{4,}"
)
LEGAL_FORM = re.compile(
    r"\b(?:inc|incorporated|llc|l\.l\.c|ltd|limited|corp|corporation|plc|gmbh|n\.v|b\.v|s\.a|s\.l|sarl|l\.p|lp|llp|company|co)\b\.?(?=[\s,.]|$)"
)
RUNS_ON = re.compile(
    r"(?:[,&/–—-]|\b(?:and|or|of|the|to|for|in|by|with|on|y|e|de|del|la|el|para|sobre|et|du|des|le|les|pour|relatif a|d'))$"
)
GOES_ON = re.compile(
    r"^(?:and|or|of|to|for|with|relating|regarding|concerning|under the|in respect|y|de|del|para|sobre|et|du|des|pour|relatif|\((?!the\b|this\b|hereinafter\b|“|\"))(?:\b|(?<=\())"
)
BARE = re.compile(rf"^(?:(?:the|this|an?|el|la|le|un|une?|presente?)\s+)*(?:{NOUNS})$")
ENDS_STRONG = re.compile(rf"{STRONG.pattern}$")
# What may stand behind the noun of a title: 'AGREEMENT FOR SERVICES', 'AGREEMENT - MOBILE CARE', 'AMENDMENT NO. 2'.
TRAILS = re.compile(
    r"$|\s*[-–—:(#/&]|,?\s+(?:no|number|of|for|to|with|between|by|among|dated|and|or|on|relating|regarding|concerning|under|in|\d+|[ivx]+|de|del|sobre|para|entre|du|des|relatif|pour)\b"
)
ROMANCE = re.compile(r"(?:contrato|acuerdo|convenio|pacto|adenda|contrat|accord|convention|avenant|protocole|pacte)\b")
PART = re.compile(
    rf"\b(?:of|by|under|in|to) (?:the|this|said|such) (?:{NOUNS})$|^(?:schedule|certificate|note|plan|policy) \w{{1,3}}$"
)  # 'PURPOSE OF THE AGREEMENT', 'SCHEDULE B'
ENDS_WEAK = re.compile(
    rf"\b(?:{NOUNS})(?: (?:no|number|#)?[^\w]*\w{{1,12}})?$"
)  # 'AGENTS' CERTIFICATE', 'STATEMENT OF WORK NO. 3'
# The opening sentence: 'This X Agreement (the “Agreement”) is made ...', or the same without 'this'.
SMALL = r"(?:and|or|of|for|to|the|on|in|at|with|by|a|an|its|under|between|as|de|del|la|las|los|el|y|e|o|para|por|en|du|des|le|les|et|ou|pour|d['’]|à|aux?)"
WORD = r"(?!(?:This|THIS)\b)(?:[(\[]?[A-ZÀ-Ý0-9'‘#][^\s“”\"()\[\]]*[)\]]?|&|/|-|–|(?:no|non|sub|pre|co|re)-[A-Za-z]\S*)"
NAMED = re.compile(
    rf"^\W*(?:\d{{1,2}}\.\s+)?(?:This|THIS|El\s+[Pp]resente|EL\s+PRESENTE|[Pp]resente|PRESENTE|Le\s+[Pp]résent|La\s+[Pp]résente|LE\s+PR[ÉE]SENT)\s+(?P<name>{WORD}(?:\s+(?:{WORD}|{SMALL})){{0,24}})",
    re.MULTILINE,
)
HEADED = re.compile(
    rf"^(?P<name>{WORD}(?:[^\S\n]+(?:{WORD}|{SMALL})){{1,24}}?)[^\S\n]*,?[^\S\n]*(?=\((?:the|this|hereinafter)\b|(?:dated|made|entered)\b)",
    re.MULTILINE,
)
STOP = re.compile(
    r"(?<!\bNo)(?<!\bINC)(?<!\bInc)\.\s|\b(?:is|are|was|dated|made|entered|effective|between|among|by|sets?|shall|will|constitutes?|with respect|hereinafter|executed|se\s+celebra|est\s+conclue?|es)\b",
    re.IGNORECASE,
)
# 'Promotion Agreement Between' / 'A and B', and the short name in brackets: 'NON-DISCLOSURE AGREEMENT (“NDA”)'
SHORT_NAME = r"\s*\((?:(?:the|this|hereinafter|hereafter|en adelante|ci-après)[\s,]+)*[“\"‘«'][^()]{1,60}\)[.:]?"
TAIL = re.compile(rf"\s+(?:(?:by and )?(?:between|among)|entre)\b.*$|{SHORT_NAME}\s*$", re.IGNORECASE | re.DOTALL)
DEFINES = re.compile(rf"{SHORT_NAME}$", re.IGNORECASE)
OPENS = re.compile(
    r"^[\s,]*(?:\(|is\b|are\b|dated\b|made\b|entered\b|effective\b|between\b|among\b|by\b|sets?\b|shall\b|executed\b|constitutes?\b|as\s+of\b|se\s|est\b|es\b|entre\b|de\s+fecha|en\s+date)",
    re.IGNORECASE,
)
MODAL = re.compile(r"\b(?:must|shall|should|required|needs? to|have to|debe[n]?|doit|doivent)\b")
