"""What a document is about, by rules: its type, the fields such documents usually hold, its languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from schemas.document import SemanticZone

FIRST_LINES = 120  # lines of the beginning that the rules look at: two pages
SAMPLE_LINES = 3_000  # lines that languages are counted on, spread evenly over the document
MIN_LANGUAGE_SHARE = 0.15  # share of the counted stop words from which a language is named beside the first
MIN_STOP_WORDS = 5  # stop words needed to name any language: fewer are chance

# In order: the first type whose file name matches, then the first whose words stand on the first pages.
_BY_NAME: tuple[tuple[str, str], ...] = (
    ("contract_amendment", r"amend(?:ment|ed)?|addendum|enmienda|avenant"),
    ("resume", r"resume|cv|curriculum|lebenslauf"),
    ("invoice", r"invoice|factura|facture|rechnung"),
    ("annual_report", r"10k|10q|annual report|annualreport|annual|form 10 [kq]|8k|earnings"),
    ("memo", r"memo|memorandum"),
    ("contract", r"agreement|contract|lease|licen[cs]e|nda|contrato|contrat|vertrag|policy"),
)
_BY_WORDS: tuple[tuple[str, str], ...] = (
    (
        "contract_amendment",
        (
            r"\A(?:.{0,400}\b)?(?:(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)) amendment|amendment (?:no\.?|number|agreement|to)|"
            r"amendment\b.{0,80}\bagreement|addendum to)\b"
        ),
    ),
    (
        "annual_report",
        (
            r"\bannual report\b|\bform 10-?[kq]\b|\bquarterly report\b|\bfiscal year ended\b|"
            r"\b(?:first|second|third|fourth)[- ]quarter\b.{0,60}\bresults\b|\binforme anual\b|\brapport annuel\b"
        ),
    ),
    (
        "contract",
        (
            r"\bthis\b.{0,80}\bagreement\b.{0,200}\b(?:between|among|by and|entered|made|effective)\b|\bagreement\b.{0,120}\bbetween\b|"
            r"\bhereinafter\b|\bwitnesseth\b|\bnow,? therefore\b|\bcontrato\b.{0,200}\bentre\b|\bcontrat\b.{0,200}\bentre\b|"
            r"\bvertrag\b.{0,200}\bzwischen\b|\binsurance policy\b|\bpolicyholder\b"
        ),
    ),
    ("invoice", r"\binvoice (?:no|number|date|#)|\bfactura n|\bfacture n|\brechnungsnummer\b|\btotal due\b"),
    ("academic_paper", r"\babstract\b.*\b(?:introduction|keywords)\b|\barxiv:\d|\bdoi:|\babstract\b.{300,}"),
    ("memo", r"\A.{0,200}\bmemo(?:randum)?\b.{0,300}\b(?:to|from|date|re|subject)\s*:"),
    (
        "resume",
        r"\bcurriculum vitae\b|\bwork experience\b.*\beducation\b|\beducation\b.*\b(?:professional|work) experience\b",
    ),
)
_FIELDS: dict[str, tuple[str, ...]] = {
    "contract": (
        "parties", "effective date", "term", "renewal", "termination", "fees", "payment terms", "liability cap",
        "indemnification", "confidentiality", "governing law", "notices", "policyholder", "insured", "premium",
        "deductible", "coverage", "exclusions",
    ),
    "contract_amendment": ("parties", "amended agreement", "effective date", "changed clauses", "unchanged terms"),
    "invoice": ("number", "date", "due date", "vendor", "customer", "currency", "total", "tax", "iban"),
    "resume": ("name", "email", "phone", "address", "experience", "education", "skills", "languages"),
    "academic_paper": ("title", "authors", "abstract", "method", "data", "results", "conclusion", "references"),
    "annual_report": ("company", "period", "revenue", "net income", "total assets", "cash flow", "dividend", "risk factors"),
    "memo": ("from", "to", "date", "subject"),
}  # fmt: skip
_STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(
        [
            "the",
            "of",
            "and",
            "to",
            "in",
            "that",
            "is",
            "for",
            "shall",
            "with",
            "by",
            "be",
            "this",
            "or",
            "any",
            "as",
            "are",
            "such",
            "which",
        ]
    ),
    "es": frozenset(
        [
            "el",
            "la",
            "los",
            "las",
            "de",
            "del",
            "que",
            "y",
            "en",
            "por",
            "para",
            "con",
            "una",
            "un",
            "se",
            "al",
            "su",
            "como",
            "lo",
            "más",
        ]
    ),
    "fr": frozenset(
        [
            "le",
            "la",
            "les",
            "des",
            "du",
            "de",
            "et",
            "que",
            "qui",
            "dans",
            "pour",
            "une",
            "un",
            "est",
            "par",
            "sur",
            "au",
            "aux",
            "ce",
            "cette",
            "avec",
        ]
    ),
    "de": frozenset(
        [
            "der",
            "die",
            "das",
            "und",
            "den",
            "von",
            "zu",
            "mit",
            "ist",
            "im",
            "für",
            "auf",
            "nicht",
            "eine",
            "ein",
            "des",
            "dem",
            "sich",
            "werden",
            "oder",
        ]
    ),
}
_TOKEN_BREAKS = re.compile(r"[\W_\d]+")
_NAME_BREAKS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+")


def describe_subject(source_name: str, lines: Sequence[Line]) -> SemanticZone:
    """Type, typical fields and languages; the summary is left null, it needs a model."""
    seen = [line for line in lines if line.visible]
    doc_type = guess_type(source_name, " ".join(line.text for line in seen[:FIRST_LINES]))
    return SemanticZone(
        doc_type=doc_type,
        typical_fields=_FIELDS.get(doc_type, ()),
        languages=count_languages([line.text for line in seen]),
    )


def guess_type(source_name: str, beginning: str) -> str:
    """One of the profile's document types, by the words of the first pages and then by the file's name.

    Content goes before the name where it is telling: names lie more often (METHOD 1.2 asks to believe the content).
    """
    folded = " ".join(beginning.casefold().split())
    for doc_type, pattern in _BY_WORDS:
        if re.search(pattern, folded):
            return doc_type
    stem = source_name.rsplit(".", 1)[0].casefold()
    names = {_TOKEN_BREAKS.sub(" ", stem).strip(), _NAME_BREAKS.sub(" ", stem).strip()}
    for doc_type, pattern in _BY_NAME:
        if any(re.search(rf"(?<!\w)(?:{pattern})(?!\w)", name) for name in names):
            return doc_type
    return "unknown"


def count_languages(texts: Sequence[str]) -> tuple[str, ...]:
    """ISO 639-1 codes of the languages whose stop words are frequent, the most frequent first; empty without text."""
    step = max(1, len(texts) // SAMPLE_LINES)
    counts = dict.fromkeys(_STOP_WORDS, 0)
    for text in texts[::step]:
        for word in _WORD.findall(text.casefold()):
            for language, stop_words in _STOP_WORDS.items():
                counts[language] += word in stop_words
    total = sum(counts.values())
    best = max(counts.values())
    if best < MIN_STOP_WORDS:
        return ()
    named = [language for language, count in counts.items() if count >= MIN_LANGUAGE_SHARE * total]
    return tuple(sorted(named, key=lambda language: (-counts[language], language)))
