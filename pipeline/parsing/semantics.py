"""What a document is about, by rules: its type, the fields such documents usually hold, its languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.parsing.body_headings import usual_size
from pipeline.parsing.lines import Line
from pipeline.parsing.statements import find_dates, find_parties, find_title
from schemas.document import SemanticZone

FIRST_LINES = 120  # lines of the beginning that the rules look at: two pages
FIRST_CHARS = 20_000  # characters of them, so that a hostile file cannot keep the patterns busy
SIZE_LINES = 400  # lines that the usual size is measured on
_WITH_PARTIES = ("contract", "contract_amendment", "unknown")  # types whose beginning may name parties
SAMPLE_LINES = 3_000  # lines that languages are counted on, spread evenly over the document
MIN_LANGUAGE_SHARE = 0.15  # share of the text from which a language is named
STOP_WORD_SHARE = 0.25  # share of a text's words that are stop words of its language, roughly, in all four languages
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
            r"\A(?:.{0,400}\b)?(?:(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)) amendment|"
            r"amendment (?:no\.?|number|agreement|to)|amendment\b.{0,80}\bagreement|addendum to)\b"
        ),
    ),
    (  # before the reports: an agreement may speak of annual reports, a report does not begin as an agreement
        "contract",
        (
            r"\A.{0,6000}?\bthis\b.{0,120}\bagreement\b.{0,200}"
            r"\b(?:by and (?:between|among)|is (?:entered|made)|entered into|made (?:and|as|this))\b"
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
            r"\bthis\b.{0,80}\bagreement\b.{0,200}\b(?:between|among|entered|made|effective)\b|"
            r"\bagreement\b.{0,120}\bbetween\b|\bhereinafter\b|\bwitnesseth\b|\bnow,? therefore\b|"
            r"\bcontrato\b.{0,200}\bentre\b|\bcontrat\b.{0,200}\bentre\b|\bvertrag\b.{0,200}\bzwischen\b|"
            r"\binsurance policy\b|\bpolicyholder\b"
        ),
    ),
    ("invoice", r"\binvoice (?:no|number|date|#)|\bfactura n|\bfacture n|\brechnungsnummer\b|\btotal due\b"),
    ("academic_paper", r"\babstract\b.*\b(?:introduction|keywords)\b|\barxiv:\d|\bdoi:|\babstract\b.{300,}"),
    ("memo", r"\A.{0,200}\bmemo(?:randum)?\b.{0,300}\b(?:to|from|date|re|subject)\s*:"),
    (
        "resume",
        r"\bcurriculum vitae\b|\bwork experience\b.*\beducation\b|\beducation\b.*\b(?:professional|work) experience\b",
    ),
    ("contract", r"\A.{0,300}\b(?:agreement|contract|contrato|contrat|vertrag)\b"),
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
    "annual_report": (
        "company", "period", "revenue", "net income", "total assets", "cash flow", "dividend", "risk factors",
    ),
    "memo": ("from", "to", "date", "subject"),
}  # fmt: skip
_STOP_WORDS: dict[str, frozenset[str]] = {  # words that the other three languages do not have
    "en": frozenset(["the", "of", "and", "to", "that", "is", "for", "shall", "with", "by", "this", "or", "be", "are"]),
    "es": frozenset(["el", "los", "las", "del", "y", "por", "para", "con", "una", "se", "al", "su", "como", "lo"]),
    "fr": frozenset(["le", "les", "du", "et", "qui", "dans", "pour", "une", "est", "sur", "au", "aux", "ce", "avec"]),
    "de": frozenset(
        ["der", "die", "das", "und", "den", "von", "zu", "mit", "ist", "im", "für", "auf", "nicht", "eine"]
    ),
}
_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (  # scripts that one language, or mostly one, is written in
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)
_TOKEN_BREAKS = re.compile(r"[\W_\d]+")
_NAME_BREAKS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+")


def describe_subject(source_name: str, lines: Sequence[Line]) -> SemanticZone:
    """Type, typical fields, languages, title, parties and dates; the summary is left null, it needs a model."""
    seen = [line for line in lines if line.visible]
    doc_type = guess_type(source_name, " ".join(line.text for line in seen[:FIRST_LINES])[:FIRST_CHARS])
    return SemanticZone(
        doc_type=doc_type,
        typical_fields=_FIELDS.get(doc_type, ()),
        languages=count_languages([line.text for line in seen]),
        title=find_title(seen, usual_size(seen[:SIZE_LINES])) if seen else None,
        parties=find_parties(seen) if doc_type in _WITH_PARTIES else (),
        dates=find_dates(seen),
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
    """ISO 639-1 codes of the languages of the text, the most used first; empty where none can be told.

    Latin script by stop words that only one of the four languages has, other scripts by their letters (Cyrillic is
    called Russian, Arabic script Arabic: which of their languages it is, letters do not say).
    """
    sample = texts[:: max(1, len(texts) // SAMPLE_LINES)]
    words = _WORD.findall("\n".join(sample).casefold())
    counts = Counter(words)
    shares = {
        language: sum(counts[word] for word in stop_words) / max(len(words), 1) / STOP_WORD_SHARE
        for language, stop_words in _STOP_WORDS.items()
        if sum(counts[word] for word in stop_words) >= MIN_STOP_WORDS
    }
    letters = "".join(words)
    for language, script in _SCRIPTS if not letters.isascii() else ():
        share = len(script.findall(letters)) / max(len(letters), 1)
        if share >= MIN_LANGUAGE_SHARE and not (language == "zh" and "ja" in shares):
            shares[language] = share
    named = [language for language, share in shares.items() if share >= MIN_LANGUAGE_SHARE]
    return tuple(sorted(named, key=lambda language: (-shares[language], language)))
