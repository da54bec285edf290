"""The methods of search and the rules that skip them, in words; the records keep their names and English reasons."""

from __future__ import annotations

from pipeline.wording import LANGUAGES

_METHODS = {
    "title_keyword_match": ("words in titles", "palabras en títulos", "mots dans les titres"),
    "content_keyword_match": ("words in the text", "palabras en el texto", "mots dans le texte"),
    "bm25": (
        "codes and exact phrases (BM25)",
        "códigos y frases exactas (BM25)",
        "codes et expressions exactes (BM25)",
    ),
    "definition_match": ("definitions", "definiciones", "définitions"),
    "reference_follow": ("references followed", "remisiones seguidas", "renvois suivis"),
    "page_hint": ("pages named", "páginas indicadas", "pages indiquées"),
    "chunk_embedding_match": ("passages by meaning", "pasajes por significado", "passages par le sens"),
    "title_embedding_match": ("titles by meaning", "títulos por significado", "titres par le sens"),
    "rules_arbiter": ("arbiter by rules", "árbitro por reglas", "arbitre par règles"),
    "llm_arbiter": ("arbiter by a model", "árbitro por modelo", "arbitre par modèle"),
}
_RULES = {
    "no_usable_toc": ("too few section titles", "muy pocos títulos de sección", "trop peu de titres de section"),
    "intent_without_toc": ("titles do not serve this question", "los títulos no sirven a esta pregunta",
                           "les titres ne servent pas cette question"),
    "no_keywords": ("no keyword in the question", "la pregunta no da palabras", "aucun mot-clé dans la question"),
    "no_exact_codes": ("no code or quoted phrase in the question", "la pregunta no nombra códigos ni frases citadas",
                       "la question ne nomme ni code ni expression citée"),
    "no_meaning_asked": ("no defined term asked for", "no se pregunta por un término definido",
                         "aucun terme défini n'est demandé"),
    "no_reference_to_follow": ("no reference to follow", "ninguna remisión que seguir", "aucun renvoi à suivre"),
    "no_pages_named": ("no page named", "ninguna página indicada", "aucune page indiquée"),
    "nothing_else_fires": ("nothing else applies", "nada más procede", "rien d'autre ne s'applique"),
    "keyword_signal_suffices": ("titles and words suffice", "bastan títulos y palabras",
                                "titres et mots suffisent"),
    "titles_match": ("titles hold the words", "los títulos contienen las palabras",
                     "les titres contiennent les mots"),
    "no_embedder": ("no embedding model configured", "sin modelo de significado", "pas de modèle de sens configuré"),
    "switched_off": ("switched off by the plan", "desactivado por el plan", "désactivé par le plan"),
}  # fmt: skip


def method_words(name: str, language: str) -> str:
    """What a method looks at; its name in the record for one that has no words yet."""
    return _METHODS[name][_index(language)] if name in _METHODS else name.replace("_", " ")


def rule_words(rule: str, reason: str, language: str) -> str:
    """Why a method was skipped, short; the record's own reason for a rule that has no words yet."""
    return _RULES[rule][_index(language)] if rule in _RULES else reason.rstrip(".")


def _index(language: str) -> int:
    return LANGUAGES.index(language) if language in LANGUAGES else 0
