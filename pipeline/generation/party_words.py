# ruff: noqa: E501  # patterns are read whole, on one line
"""The words and patterns by which the name of a party is told from what is said of it."""

from __future__ import annotations

import re

from pipeline.values.legal_forms import ANY_CASE, COMPANY_FORMS

MAX_NAME = 120  # characters of a name
MAX_ROLE = 50  # characters of the short name that a document gives a party
MAX_NAME_WORDS = 14  # words of a name; more are a sentence
FORMS = (
    rf"(?:{COMPANY_FORMS})(?!\s+\d)|(?i:{ANY_CASE})"
    r"|(?<!, )(?<!,\n)(?:Co|CO)(?!\.?,?\s*\d)(?!\.?\s+[A-Z][a-z])"
)
INSTITUTIONS = r"Bank|Trust|University|Universidad|Université|Institute|Instituto|Institut|Foundation|Fundación|Fondation|Association|Asociación|Partnership|Partners|Fund|Funds|Holdings|Group|Government|Ministry|Authority|Council|Commission|Agency|Hospital|College|Center|Centre|Society|Cooperative|Club|League|Committee|Department|Organi[sz]ation|Debtors|Trustee|Administrator|School"
FORM = re.compile(rf"(?<![\w.])(?:{FORMS})(?!\w|-\w)\.?")  # no 'Co-Diagnostics'
INSTITUTION = re.compile(rf"\b(?:{INSTITUTIONS})\b", re.IGNORECASE)
FORM_ALONE = re.compile(rf"^(?:{FORMS})(?!\w|-\w)\.?(?:\s+(?:of\s+[A-Z]\w+|{FORMS})(?!\w)\.?)?")
REDACTED = re.compile(r"\[\s*(?:[*•_.\s]|[A-Z]*REDACTED|Redacted)[^\]]{0,30}\]|\*{3,}|_{3,}|<<[^<>»]{2,40}(?:>>|»)")
BLANK = re.compile(r"\[[\s_.•●]*\]")  # left to be filled in
POSTAL = re.compile(r"\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\.?$")
PERSON_OF = re.compile(
    r"(?P<name>[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]*){1,3}) of [A-Z][a-z]"
)  # 'NIGEL CROCKETT of Cambridge'
QUOTES = r"[“\"«‘'”?ʺ]"
ROLE = re.compile(
    rf"{QUOTES}{{1,2}}\s?(?:(?:the|el|la|le|los|las|les)\s+|l['’])?(?P<role>[^“”\"«»?()]{{1,60}}?)\s?[,.]?(?:[”\"»?ʺ]|[’'](?!\w)){{1,2}}",
    re.IGNORECASE,
)
ROLE_OPEN = re.compile(
    r"^\(\s*(?:the\s+|hereinafter\s+)?[“\"](?P<role>[A-Z][\w ]{1,40})\)"
)  # a quotation mark that is never closed
ROLE_BARE = re.compile(
    r"\(\s*(?:hereinafter|hereafter|en adelante|en lo sucesivo|ci-après)\b[^()“\"«]{0,40}?(?:(?:the|el|la|le|as)\s+|l['’])?(?P<role>(?-i:[A-ZÀ-Ý])[\w’'-]*(?: (?-i:[A-ZÀ-Ý])[\w’'-]*){0,3})\s*\)",
    re.IGNORECASE,
)
ROLE_CAPITALS = re.compile(
    r"^\((?P<role>[A-Z][A-Z0-9&]{1,12}(?: [A-Z0-9&]{2,12}){0,2})\)$"
)  # '(USA MCO)', not a form as '(PTY)'
_AFTER = r"(?:(?:herein)?after\s+|hereinafter\s+|hereby\s+)?(?:referred\s+to\s+(?:herein(?:after)?\s+)?(?:as|by)|called|known\s+as|(?:en\s+adelante,?\s+|en\s+lo\s+sucesivo,?\s+)?(?:denominad[oa]|designad[oa])|en\s+adelante,?|en\s+lo\s+sucesivo,?|(?:ci-après\s+)?(?:dénommée?|désignée?)|ci-après)\s+(?:(?:the|el|la|le)\s+|l['’])?"
REFERRED = re.compile(rf"\b{_AFTER}(?={QUOTES}|(?-i:[A-ZÀ-Ý]))", re.IGNORECASE)
ROLE_AFTER = re.compile(
    rf"^{_AFTER}(?P<role>(?-i:[A-ZÀ-Ý])[\w-]*(?: (?-i:[A-ZÀ-Ý])[\w-]*){{0,2}})", re.IGNORECASE
)  # without quotation marks
ROLE_THE = re.compile(
    r"^\(\s*(?:the|el|la|le)\s+(?P<role>[A-ZÀ-Ý]\w+(?: [A-ZÀ-Ý]\w+)?)\s*\)$"
)  # '(the Recipient)', as British deeds have it
# A person who signs for a company is no party: 'D. Juan Pérez, en nombre y representación de ACME, S.L.'
REPRESENTS = re.compile(
    r"^(?:(?:actuando|quien\s+actúa|interviene|agissant|acting)\s+)?(?:en\s+(?:su\s+)?(?:nombre\s+y\s+)?(?:en\s+)?(?:nombre|representaci[oó]n)\s+(?:y\s+representaci[oó]n\s+)?de|au\s+nom\s+(?:et\s+pour\s+le\s+compte\s+)?de|for\s+and\s+on\s+behalf\s+of)\s+(?:la\s+(?:mercantil|sociedad|entidad|compañía|société)\s+)?(?=[A-ZÀ-Ý])",
    re.IGNORECASE,
)
ENDS_IN_CALLED = re.compile(r"\b(?:en\s+adelante|en\s+lo\s+sucesivo|hereinafter|ci-après)\s*$", re.IGNORECASE)
GROUP = re.compile(
    r"\b(?:each|both|either|collectively|together|individually|jointly|severally|sometimes|conjuntamente|ensemble|colectivamente|collectivement)\b",
    re.IGNORECASE,
)
NO_PARTY = re.compile(
    r"\b(?:agreements?|contracts?|effective date|parties|party|closing|date|lease|amendment|plan|territory|products?|services?|program(?:me)?|execution|law|act|code|notes?|policy|loan|shares|stock|offering|facility|property|premises|site|project|transactions?|restrictions?|rights|term|period|event|fees?|price|notice|order|ley|loi|contrato|partes?|fecha|acuerdo|contrat|accord|convention|affiliates|representatives)$|^(?:party|parties)\b",
    re.IGNORECASE,
)
PARTY_LETTER = re.compile(r"^(?:party|parte|partie)\s+(?:[A-D]|[1-4]|I{1,3})$", re.IGNORECASE)
# What is said of a party and is no part of its name.
DESCRIBES = re.compile(
    r"^(?:an?\b|the\s+(?:owner|holder|sole|parent)\b|with\b|having\b|whose\b|which\b|who\b|organi[sz]ed|incorporated\s+(?:in|under|and|pursuant)|registered|located|duly|acting|existing|established|constituted|formerly|f/k/a|d/?b/?a|dba\b|doing\s+business|trading\s+as|t/a\b|successors?|on\s+behalf|by\s+and\s+through|through\b|as\b|in\s+(?:its|his|her|such|their)\b|residing|domiciled|represented|together|and/or|including|its\b|for\s+(?:itself|and)|on\s+the\s+(?:one|other)|under\b|pursuant|at\b|individually|solely|not\s+in|company\s+(?:no|number|registration)|registration|reg\.?\s|vat\b|tax\s+id|c/o\b|being\b|herein|hereby|hereafter|but\b|or\b|to\b|of\b|from\b|dated\b|effective\b"
    r"|una?\b|con\s|sociedad|domiciliad|representad|provist|titular|mayor\s+de|inscrit|constituida|en\s+(?:adelante|lo|nombre)|de\s+(?:una|otra)|quien|cuy[oa]"
    r"|soci[ée]t[ée]\b|dont\b|ayant\b|immatricul|sise?\b|au\s+capital|repr[ée]sent|dûment|ci-apr|d['’](?:une|autre)|agissant|n[ée]e?\s+le|demeurant)",
    re.IGNORECASE,
)
KIND = re.compile(
    r"^(?:[A-Z][\w.]*\s+){0,3}(?:(?:non-?profit|public|private|statutory|business|limited|general|close|mutual|benefit|exempted|chartered|national|professional)\s+){0,3}(?:liability\s+)?(?:corporation|company|partnership|trust|association|entity|individual|bank|corp\.?|limited\s+liability\s+company)\b(?!\s+(?:of|for)\s+[A-Z])"
)
NAME_ENDS = re.compile(
    rf"\s*\((?![A-Z][\w. ]{{1,24}}\)\s*,?\s*(?:{FORMS})(?!\w))|\s*[;:]|\s*\n\s*\d|\s+(?:an?\s+(?:[\w.'’-]+\s+){{0,7}}?(?:corporation|company|partnership|trust|association|entity|individual|bank|limited|firm|institution|university|organi[sz]ation|division|subsidiary|corp)\b|with\s+(?:an?|its|offices?|principal|registered|place|address)\b|having\s|whose\s|organi[sz]ed\s|incorporated\s+(?:in|under)|registered\s|located\s|duly\s|acting\s|represented\s|existing\s|established\s|residing\s|formerly\s|d/?b/?a\b|dba\b|doing\s+business|a/?k/?a\b|f/?k/?a\b|and/or\b|as\s+(?:\w+\s+)?(?:agent|trustee|owner|servicer|administrator|custodian|collateral|administrative|the)\b|on\s+behalf|on\s+the\s+(?:one|other)\s+hand|agent\s+for\b|by\s+its\b|in\s+(?:its|his|her)\s+(?:capacity|individual)|is\s|are\s|shall\s|will\s|agrees?\s|hereby\s|of\s+(?=\d|\(|\[)|at\s+(?=\d)|and\s+its\s|together\s+with|hereinafter|hereafter|herein\s|referred\s|identified\s|named\s+(?:below|above|in)|listed\s|set\s+(?:out|forth)|whose\s+name|effective\s|dated\s|for\s+the\s|regarding\s|to\s"
    rf"|una?\s+sociedad|sociedad\s|con\s+(?:domicilio|CIF|NIF|sede)|en\s+adelante|representada|domiciliad|soci[ée]t[ée]\s|dont\s|ayant\s|au\s+capital|immatricul|ci-apr)"
    rf"|(?<=\S)\s+of\s+(?=(?:[A-Z][\w.'-]*[\s,]+){{1,6}}(?:\w+[\s,]+){{0,3}}\d)",
    re.IGNORECASE,
)
STARTS = re.compile(
    r"[A-ZÀ-Ý0-9\[<*“\"]|i-|e-|[a-z]{1,4}-?\d|[a-z][\w-]*\.(?:com|org|net)\b|[a-z]{1,2}[A-Z0-9]|[a-z]+[-_]?[a-z]*\s?(?:Inc|LLC|AG|GmbH|Ltd|inc\b)"
)
NEVER = re.compile(
    r"^(?:this|that|these|those|it|he|she|each|any|all|both|either|such|whereas|recitals?|witnesseth|now|in|on|at|if|for|by|section|article|exhibit|schedule|suite|floor|street|p\.?\s?o\.?\s?box|tel|fax|telephone|attention|attn|effective|dated?|january|february|march|april|may|june|july|august|september|october|november|december|wales|u\.?s\.?a?\.?(?=\s*[,(]|$)|united states|england|scotland|the (?:parties|agreement|following|date|terms|undersigned|laws?|state|date|\w+ day)|parties|you|we|us|name|title|address|page|no|number|\d+[\d\s,.-]*$)\b",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^(?:[\s,;:.\-–—*_|]+|(?:and|by|between|among|AND|BETWEEN|y|e|et|entre)\b(?!-)(?:\s+between\b)?[\s:]*|the\s+undersigned,?\s|the\s+(?:following\s+)?(?:parties|entities|persons|companies)\s*:\s*|(?:de|por)\s+(?:una|otra)(?:\s+parte)?[,:]?|d['’](?:une|autre)\s+part[,:]?|on\s+the\s+(?:one|other)\s+hand,?(?:\s+and)?|parties(?:\s+to\s+this\s+agreement)?\s*:?\s*\n|\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s*|(?:\d{1,2}|[a-z])[.)]\s+(?=\S)|la\s+(?:soci[ée]t[ée]|mercantil|entidad|sociedad|compañía)\s+|(?:its|their|his|her)\s+(?:wholly[- ]owned\s+)?(?:subsidiary|affiliate|parent|spouse),?\s+(?=(?-i:[A-Z]))|an?\s+[\w\s]{0,60}(?:comprised|consisting|composed)\s+of\s+)+",
    re.IGNORECASE,
)
# 'the Company' of another contract: what is called so is named elsewhere.
CALLED_SO = re.compile(
    rf"^the\s+(?:{INSTITUTIONS}|Corporation|Company|Parties|Agents?|Seller|Buyer|Lender|Borrower|Issuer)$",
    re.IGNORECASE,
)
RULE = re.compile(r"(?<=\s)[-=]{3,}\s")  # a line drawn under a word: 'Mail' over '-------'
MARK = re.compile(r"\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)|(?:^|\s)\d{1,2}[.)]\s")
SEPARATOR = re.compile(
    r"(?P<semi>;)|(?P<mark>(?:(?<=\n)|(?<=[:,;]\s)|(?<=\band\s))\s*(?:\((?:\d{1,2}|[a-h]|[ivx]{1,4})\)|\d{1,2}[.)](?=\s+[A-Z]))\s*)|(?P<and>,?\s+(?:and(?!/or)|y|et|&(?=\s*\n))\s+(?:between\s+|among\s+)?|\n\s*&\s*\n)|(?P<agree>,?\s+(?:hereby\s+)?(?:confirms?|agrees?|enters?)\b[^.;]{0,60}?\s+with\s+)|(?P<close>(?<=[”\"»]\))\s+(?=(?-i:[A-Z])[\w&.,' \n-]{2,60}\())|(?P<comma>,)",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"(?<=\.)\s+(?:There|This|It|In|All|Both|Whenever)\s+[a-z]|\b(?:WHEREAS|Whereas|RECITALS?|Recitals?|R\s?E\s?C\s?I\s?T\s?A\s?L\s?S|[Ww]ith\s+respect\s+to\s+the\s+following|as\s+follows|is\s+(?:made|entered|executed|dated|effective)|(?:dated|effective)\s+as\s+of|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|BACKGROUND|Background|NOW,?\s+THEREFORE|Now,?\s+[Tt]herefore|CONSIDERANDO|EXPONEN|MANIFIESTAN|IL\s+A\s+[ÉE]T[ÉE]|PR[ÉE]AMBULE|TABLE\s+OF\s+CONTENTS|CONTENTS|ARTICLE|In\s+consideration|IN\s+CONSIDERATION|The\s+[Pp]arties|sets?\s+forth|shall\s+set\s+forth)\b|\n\s*(?:This|THIS|DATED|Dated|EFFECTIVE\s+DATE|Effective\s+Date)\b"
)
SENTENCE_ENDS = re.compile(
    r"(?:(?<=[a-z]{4})|(?<=[)”\"’])|(?<=\d))\.[”\"’]?\s+(?=[A-Z“\"])|[”\"]\s+(?=(?:The|Each|Capitalized|Supplier|[A-Z][\w&]+\s+and\s+[A-Z][\w&]+\s+(?:are|may|shall|is|will|each))\b)"
)
ABBREVIATED = re.compile(
    r"\b(?:Corp|Blvd|Bldg|Inc|Ltd|Pkwy|Assn|Bros|Dept|Intl|Hwy|Messrs|Esq|Tech|Pharm|Suite|Univ)\.?$", re.IGNORECASE
)
CONTINUES = re.compile(
    r"(?:Y\s+)?[Dd]e\s+otra|ET\b|Et\s+d|D['’]autre\s+part|AND\b|Y\b"
)  # the next party, behind a full stop
SEAT = re.compile(
    r"\b(?:located\s+at|address(?:\s+(?:is|at|of))?|place\s+of\s+business\s+(?:is\s+)?(?:located\s+)?(?:at|in)|offices?\s+(?:is\s+)?(?:located\s+)?(?:at|in)|domicilio(?:\s+social)?\s+en|sede\s+en|si[èe]ge(?:\s+social)?\s+(?:est\s+)?(?:situ[ée]\s+)?(?:à|au))\s+(?P<seat>[^()“”;]{6,160}?)(?=\s*\(|\s*;|,?\s+(?:and|y|et)\s|\s*\.\s|\s*$)",
    re.IGNORECASE,
)
ALIAS = re.compile(
    r"(?:\([^()]{0,80}|referred\s+to\s+as\s+)[“\"«‘]{1,2}(?:the\s+)?(?P<role>[^”\"»“’]{2,60})[”\"»’]{1,2}(?:[^()]{0,120}\))?|(?<=\w\s)\((?P<code>[A-Z][A-Z&]{2,11})\)"
)
LABELLED = re.compile(
    r"^\s*(?P<role>(?:Party|Parte|Partie)\s+(?:[A-D]|[1-4])(?=(?:\s*\([^()\n]{1,40}\))?\s*[:：])|Supplier|Customer|Buyer|Seller|Licensor|Licensee|Vendor|Purchaser|Client|Distributor|Manufacturer|Consultant|Contractor|Lessor|Lessee|Landlord|Tenant|Lender|Borrower|Franchisor|Franchisee|Employer|Employee|Proveedor|Cliente|Comprador|Vendedor|Arrendador|Arrendatario|Fournisseur|Acheteur|Vendeur|Bailleur|Locataire)(?:\s+Name)?(?:\s*\([^()\n]{1,40}\))?\s*[:：]\s*(?P<name>[A-ZÀ-Ý\[][^\n]{1,120}?)(?=\s{2,}|\s*\n|\s*$)",
    re.MULTILINE,
)
# 'DCL  DAIRY CREST LIMITED (Company no ...': the short name in a column of its own
COLUMN = re.compile(r"^(?P<role>[A-Z][A-Z&]{1,9})\s{2,}(?P<name>[A-Z][^\n]{3,120}?)(?=\s{2,}|\s*\n|\s*$)", re.MULTILINE)
BETWEEN = re.compile(
    r"\b(?:by and (?:between|among(?:st)?)|between and among|between|among(?:st)?|entre(?: les soussign[ée]e?s)?|de una parte|por una parte|reunidos|comparecen)\b\s*[:,]?"
    r"|\b(?:made|entered\s+into|executed|agreed)\s+by\s+(?!and\b|the\s+part|each|or\b|all\b|both\b)",
    re.IGNORECASE,
)
PARTIES_HEADING = re.compile(
    r"^[\s\d.]*(?:(?:the\s+)?parties(?:\s+to\s+this\s+agreement)?|las\s+partes|les\s+parties)\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
MADE = re.compile(
    r"\b(?:agreement|contract|amendment|addendum|lease|licen[cs]e|deed|indenture|made|entered|executed|dated|effective|entering|certificate|memorandum|terms|contrato|acuerdo|convenio|contrat|accord|convention|avenant|bail|reunidos|soussign)",
    re.IGNORECASE,
)
# Where 'between' parts something else: a recital on another contract, 'the relationship between', 'conflict between'.
OTHER = re.compile(
    r"\b(?:whereas|recitals?|relationship|conflicts?|inconsisten\w+|difference|dispute|litigation|merger|communications?|transactions?|allocat\w+|discrepanc\w+|prior|previous|understanding|difference)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
