# ruff: noqa: E501  # patterns are read whole, on one line
"""Words of a document that are addressed to a program that reads it: 'ignore all previous instructions'.

Indirect prompt injection (Greshake et al., 2023; OWASP LLM01): a document is data, and such words are reported, never
followed. A contract says much that sounds alike ('the Bank may disregard prior instructions'), so a rule needs the
imperative, or a word that only a program is called by.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text

MAX_WORDS = 160  # characters of the words that are told
JOINED_LINES = 3  # lines over which one such sentence may run
MIN_SPACED = 6  # letters set apart one by one that are read as a word: 'i g n o r e'
_TAGS = range(0xE0020, 0xE007F)  # Unicode tag characters: letters that no font shows, and a program reads
_LOOKALIKES = str.maketrans("аеорсухіѕјԁɡ", "aeopcyxisjdg")  # Cyrillic and others that pass for Latin letters

_THEIR = r"(?:all |any |every |each |the |these |those |this |that |your |my |our |of |other |and )*"
_BEFORE = r"(?:previous|prior|preceding|above|earlier|foregoing|existing|original|initial|system|safety|default)"
_ORDERS = r"(?:instructions?|prompts?|directions?|directives?|guidelines?|rules?|commands?|messages?|orders?|context)"
_PROGRAM = r"(?:ai|a\.i\.|artificial intelligence|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt-?\d\w*|claude|gemini|copilot|(?:ai|virtual|automated|digital) (?:assistants?|agents?|readers?|reviewers?|systems?))"
# What makes an order of a sentence: its start, or words of urging before it. Behind a subject it is a clause.
_START = r"(?:^|[.;:!?\"'(\[>*#|–-]\s*|\b(?:please|now|important|first|instead|you (?:must|should|will|are to)|to the model)\b[\s:,]*)"
_RULES: tuple[tuple[str, str], ...] = (
    (
        "override",
        rf"{_START}(?:ignore|disregard|forget|override|bypass|discard|do not (?:follow|obey)|don't (?:follow|obey)) {_THEIR}{_BEFORE} (?:{_BEFORE} |and )*{_ORDERS}\b",
    ),
    (
        "override",
        rf"{_START}(?:ignora|ignore|ignorad|olvida|olvide|olvidad|descarta|descarte|haz caso omiso de|haga caso omiso de|no sigas|no siga) (?:todas |todos )?(?:las |los |tus |sus |estas |esas )?(?:anteriores |previas )?(?:instrucciones|indicaciones|reglas|ordenes|directrices)(?: (?:anteriores|previas|precedentes|del sistema|que has recibido))",
    ),
    (
        "override",
        rf"{_START}(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez|suis|suivez) pas(?: compte)?|fai(?:s|tes) abstraction) (?:de |d')?(?:toutes? )?(?:les |tes |vos |des |ces )?(?:instructions|consignes|regles|directives|ordres) (?:precedente?s?|anterieure?s?|ci-dessus|du systeme|recues)",
    ),
    (
        "role",
        rf"\byou are (?:now |actually |only )?(?:an? |the )?(?:helpful |honest |expert |world-class )*{_PROGRAM}(?=\s*(?:[.,;:!\"')]|$|(?:that|who|which|and|trained|built|designed|tasked|instructed|reading|with|in|for)\b))|\b(?:act|behave|respond|answer|reply) as (?:an? |the )?(?:helpful )*{_PROGRAM}(?! \w+(?:er|or|ist|ent|any)s?\b)|\bas an? {_PROGRAM},? (?:you|i)\b",
    ),
    (
        "role",
        r"\b(?:eres|actua como|usted es) (?:ahora )?(?:una? )?(?:asistente de ia|modelo de lenguaje|inteligencia artificial|ia|chatbot|chatgpt)\b|\b(?:tu es|vous etes|agis comme|agissez comme) (?:maintenant )?(?:une? )?(?:assistant ia|modele de langage|intelligence artificielle|ia|chatbot|chatgpt)\b",
    ),
    (
        "addressed",
        rf"\b(?:note|notice|message|instructions?|attention|warning|important|dear|hey|hello|to|for)\b[ :,]*(?:(?:to|for) )?(?:all |any |the |every )?{_PROGRAM}(?:s)?\s*(?:[:!]|(?:reading|reviewing|processing|summari[sz]ing|analy[sz]ing|parsing|that reads?)\b)|\bif you(?:'re| are) an? {_PROGRAM}\b",
    ),
    (
        "markup",
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[/?inst\]|<</?sys>>|#{2,}\s*(?:system|instruction|assistant|human)\s*:|</?(?:system|assistant|instructions?|system_?prompt)>|\bbegin (?:system )?prompt\b",
    ),
    (
        "prompt",
        r"\b(?:reveal|print|show|repeat|output|leak|disclose|display|ignore|new|updated?|end of|your|the following is the) (?:your |the |all |new )*system (?:prompt|message|instructions)\b|\b(?:muestra|revela|repite) (?:tu |el )?prompt del sistema\b|\b(?:affiche|revele|repete) (?:ton |le )?prompt systeme\b",
    ),
    (
        "steering",
        rf"{_START}(?:(?:always |only |simply |you (?:must|should|shall) (?:always |only )?)(?:answer|reply|respond|output|say|print)(?: (?:with|that|by saying))?(?: (?:the words?|exactly|only))?\s*:?\s*[\"'][^\"']{{1,40}}[\"']|(?:answer|reply|respond|output|say|print)(?: (?:only|always|simply|exactly))?(?: (?:with|that|by saying))?(?: (?:the words?|exactly|only))?\s*:?\s*[\"'][^\"']{{1,40}}[\"'] (?:to (?:every|all|any)|when asked|if asked)\b)",
    ),
    (
        "steering",
        r"\b(?:answer|reply|respond) (?:yes|no|only yes|only no|affirmatively|negatively) to (?:every|all|any|each) (?:questions?|quer(?:y|ies))\b|\bwhen (?:you are )?(?:asked|questioned|summari[sz]ing|answering|queried)[^.;]{0,80}?\b(?:you (?:must|should|will) (?:answer|reply|say|respond|state)|(?:answer|reply|say|respond) (?:that|with|only))\b|\bdo not (?:mention|reveal|tell|disclose|report|cite|quote) (?:this|these|the above|that this) (?:instructions?|line|text|message|prompt|sentence|paragraph)\b",
    ),
    (
        "steering",
        r"\b(?:responde|responda|contesta|conteste) (?:siempre |unicamente |solo )?(?:que |con )?(?:si|no|[\"'][^\"']{1,40}[\"']) a (?:todas|cualquier|cada)\b|\b(?:reponds|repondez) (?:toujours |uniquement |seulement )?(?:que |par )?(?:oui|non|[\"'][^\"']{1,40}[\"']) a (?:toutes|chaque|toute)\b|\bno (?:menciones|mencione|reveles|revele) (?:esta|estas|este) (?:instruccion(?:es)?|linea|texto|mensaje)\b|\bne (?:mentionne[zs]?|revele[zs]?) pas (?:cette|ces|ce) (?:instructions?|ligne|texte|message)\b",
    ),
)
_PATTERNS = tuple((name, re.compile(pattern)) for name, pattern in _RULES)
# One of these stands in every match: texts without any are told in one sweep.
_SIGNS = re.compile(
    r"instru|prompt|consigne|regle|regla|rules?\b|guideline|direc|indicacion|orden|command|messages?\b|context\b|\ba\.?i\b|\bia\b|intelligen|language model|modelo de leng"
    r"|modele de lang|llm|bots?\b|gpt|claude|gemini|copilot|assistant|asistente|<\||\[/?inst|<<|##|</?s|answer|reply|respond|repond|contest|\bsay\b|output|print|quer(?:y|ies)|mention|revel"
)
_MAYBE_SPACED = re.compile(r"[a-z][ .\-][a-z][ .\-][a-z][ .\-]")
_SPACED = re.compile(rf"(?<![a-z])(?:[a-z][ .\-]){{{MIN_SPACED - 1},}}[a-z](?![a-z])")


@dataclass(frozen=True, slots=True)
class Instruction:
    """Words addressed to a program, in the texts from `first` to `last` (indices, both inclusive)."""

    first: int
    last: int
    rule: str  # override, role, addressed, markup, prompt, steering or unseen
    words: str  # as they were read, folded, at most MAX_WORDS characters


def find_instructions(texts: Sequence[str]) -> tuple[Instruction, ...]:
    """Every such place in consecutive lines, in their order, each line once; a sentence may run over three lines.

    Letters set apart, in full width, in look-alike alphabets or in characters that no font shows are read as letters.
    """
    plain = [_plain(text) for text in texts]  # nine in ten lines are ASCII, and only lowered
    found = [
        Instruction(at, at, "unseen", _told(tagged))
        for at, text in enumerate(texts)
        if len(tagged := _tagged(text)) >= MIN_SPACED
    ]
    starts, joined = [0], []
    for text in plain:
        joined.append(text)
        starts.append(starts[-1] + len(text) + 1)
    flat = "\n".join(joined)
    taken = {one.first for one in found}
    for start, end in _stretches(plain, starts):
        stretch = flat[start:end].replace("\n", " ")
        for rule, pattern in _PATTERNS:
            for match in pattern.finditer(stretch):
                lead = len(match.group()) - len(match.group().lstrip(" .;:!?\"'()[]>*#|–-")) if rule != "markup" else 0
                first = bisect_right(starts, start + match.start() + lead) - 1
                last = bisect_right(starts, start + match.end() - 1) - 1
                if last - first < JOINED_LINES and not taken & set(range(first, last + 1)):
                    taken |= set(range(first, last + 1))
                    found.append(Instruction(first, last, rule, _told(match.group()[lead:])))
    return tuple(sorted(found, key=lambda one: (one.first, one.last)))


def _stretches(plain: Sequence[str], starts: Sequence[int]) -> list[tuple[int, int]]:
    """Offsets of the lines that hold a sign, each with the lines beside it that its sentence may run over, joined."""
    wanted: set[int] = set()
    for at, text in enumerate(plain):
        if _SIGNS.search(text):
            wanted |= set(range(max(0, at - JOINED_LINES + 1), min(len(plain), at + JOINED_LINES)))
    stretches: list[tuple[int, int]] = []
    for at in sorted(wanted):
        if stretches and stretches[-1][1] == starts[at] - 1:
            stretches[-1] = stretches[-1][0], starts[at + 1] - 1
        else:
            stretches.append((starts[at], starts[at + 1] - 1))
    return stretches


def _plain(text: str) -> str:
    """The text folded, on one line, look-alikes and letters set apart read as the words they show."""
    ascii_only = text.isascii()
    folded = text.lower() if ascii_only else folded_text(text.translate(_LOOKALIKES)).translate(_LOOKALIKES)
    folded = folded.replace("\n", " ")
    if not _MAYBE_SPACED.search(folded):
        return folded
    return _SPACED.sub(lambda match: re.sub(r"[ .\-]", "", match.group()), folded)


def _tagged(text: str) -> str:
    """The letters that stand in the text as Unicode tag characters."""
    return "".join(chr(ord(character) - 0xE0000) for character in text if ord(character) in _TAGS)


def _told(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= MAX_WORDS else flat[: MAX_WORDS - 1].rstrip() + "…"
