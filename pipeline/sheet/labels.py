"""Headings and sentences of the sheets, each in English, Spanish and French."""

from __future__ import annotations

from pipeline.wording import LANGUAGES

_LABELS: dict[str, tuple[str, str, str]] = {
    "decision": ("Decision sheet", "Hoja de decisión", "Fiche de décision"),
    "document": ("Document", "Documento", "Document"),
    "question": ("Question", "Pregunta", "Question"),
    "read_as": ("Read as", "Entendida como", "Comprise comme"),
    "answer": ("Answer", "Respuesta", "Réponse"),
    "evidence": ("Evidence", "Prueba", "Preuves"),
    "where": ("Where", "Dónde", "Où"),
    "conflicts": ("Conflicts, shown and not settled", "Contradicciones, mostradas y no resueltas",
                  "Contradictions, montrées et non tranchées"),
    "prevails": ("A clause says what prevails", "Una cláusula indica qué prevalece",
                 "Une clause dit ce qui prévaut"),
    "conditions": ("Conditions and exceptions", "Condiciones y excepciones", "Conditions et exceptions"),
    "exception": ("Exception", "Excepción", "Exception"),
    "negation": ("Negated by", "Negado por", "Nié par"),
    "notes": ("What a reader must know", "Lo que hay que saber", "Ce qu'il faut savoir"),
    "parts": ("Parts of the question", "Partes de la pregunta", "Parties de la question"),
    "clarification": ("Asked back", "Se pregunta", "Question en retour"),
    "checks": ("Checks made", "Comprobaciones hechas", "Contrôles effectués"),
    "all_passed": ("{items} values given, {checks} checks, all passed",
                   "{items} valores dados, {checks} comprobaciones, todas superadas",
                   "{items} valeurs données, {checks} contrôles, tous passés"),
    "one_passed": ("1 value given, {checks} checks, all passed",
                   "1 valor dado, {checks} comprobaciones, todas superadas",
                   "1 valeur donnée, {checks} contrôles, tous passés"),
    "no_values": ("No value is given, so none was published unchecked.",
                  "No se da ningún valor; nada se publicó sin comprobar.",
                  "Aucune valeur n'est donnée ; rien n'a été publié sans contrôle."),
    "repaired": ("{count} put right before the check", "{count} corregidos antes de comprobar",
                 "{count} corrigés avant le contrôle"),
    "refused": ("{count} proposed and refused", "{count} propuestos y rechazados", "{count} proposés et refusés"),
    "completeness": ("Completeness", "Integridad", "Complétude"),
    "passes": ("Further passes", "Pasadas adicionales", "Passes supplémentaires"),
    "exhausted": ("ended at their limit", "terminaron en su límite", "arrêtées à leur limite"),
    "kept": ("kept", "adoptada", "retenue"),
    "not_kept": ("not kept", "no adoptada", "non retenue"),
    "searched": ("What was searched", "Qué se buscó", "Ce qui a été cherché"),
    "terms": ("Words (lines with a hit)", "Términos (líneas con aparición)", "Termes (lignes trouvées)"),
    "found_words": ("Words (passages that hold them)", "Términos (pasajes que los contienen)",
                    "Termes (passages qui les contiennent)"),
    "swept": ("Swept", "Recorrido", "Parcouru"),
    "methods_run": ("Methods run", "Métodos ejecutados", "Méthodes exécutées"),
    "methods_skipped": ("Methods skipped", "Métodos omitidos", "Méthodes omises"),
    "passages": ("Passages", "Pasajes", "Passages"),
    "candidates": ("{proposed} proposed, {kept} kept, {discarded} discarded, each with its reason",
                   "{proposed} propuestos, {kept} conservados, {discarded} descartados, cada uno con su motivo",
                   "{proposed} proposés, {kept} retenus, {discarded} écartés, chacun avec son motif"),
    "judged_llm": ("judged by a model", "juzgados por un modelo", "jugés par un modèle"),
    "judged_rules": ("judged by rules", "juzgados por reglas", "jugés par des règles"),
    "judged_rules_after_llm": ("judged by rules, where the model gave no usable verdict",
                               "juzgados por reglas, al no dar el modelo un veredicto útil",
                               "jugés par des règles, faute de verdict utilisable du modèle"),
    "judged_ranking": ("by rank alone", "solo por orden", "par le seul rang"),
    "nearest": ("Nearest", "Lo más cercano", "Le plus proche"),
    "not_read": ("What was not read", "Qué no se leyó", "Ce qui n'a pas été lu"),
    "all_read": ("Nothing: every page was read.", "Nada: se leyó cada página.", "Rien : chaque page a été lue."),
    "all_read_unpaged": ("Nothing: the whole document was read.", "Nada: se leyó todo el documento.",
                         "Rien : tout le document a été lu."),
    "pages_not_read": ("Pages {pages}", "Páginas {pages}", "Pages {pages}"),
    "leads_out": ("References not followed", "Referencias no seguidas", "Renvois non suivis"),
    "findings": ("Findings in the document", "Hallazgos en el documento", "Constats dans le document"),
    "embedded_instruction": ("Words addressed to a model, reported and not followed",
                             "Palabras dirigidas a un modelo, señaladas y no seguidas",
                             "Mots adressés à un modèle, signalés et non suivis"),
    "hidden_text": ("Hidden words addressed to a model, reported and not followed",
                    "Palabras ocultas dirigidas a un modelo, señaladas y no seguidas",
                    "Mots cachés adressés à un modèle, signalés et non suivis"),
    "confidence": ("Confidence of the search", "Confianza de la búsqueda", "Confiance de la recherche"),
    "confidence_means": (
        "from 0 to 1: how sure the search is that an answer is there; for triage only, no probability of being right",
        "de 0 a 1: certeza de que hay respuesta; solo para priorizar, no es la probabilidad de acierto",
        "de 0 à 1 : certitude qu'une réponse existe ; pour trier seulement, pas une probabilité d'avoir raison",
    ),
    "miss_rate": ("Measured: {share} of {sample} 'not found' were wrong (95 %: {low} to {high}), on {on}",
                  "Medido: {share} de {sample} «no encontrado» eran erróneos (95 %: {low} a {high}), en {on}",
                  "Mesuré : {share} de {sample} « non trouvé » étaient faux (95 % : {low} à {high}), sur {on}"),
    "versions": ("Versions and hashes (SHA-256)", "Versiones y huellas (SHA-256)", "Versions et empreintes (SHA-256)"),
    "file": ("document", "documento", "document"),
    "dictionary": ("dictionary {name} {version}", "diccionario {name} {version}", "dictionnaire {name} {version}"),
    "model": ("model {name}", "modelo {name}", "modèle {name}"),
    "no_model": ("no model", "sin modelo", "sans modèle"),
    "lesser": ("{used} instead of {wanted}: {reason}", "{used} en lugar de {wanted}: {reason}",
               "{used} au lieu de {wanted} : {reason}"),
    "patterns": ("patterns of the dictionary: {count}", "patrones del diccionario: {count}",
                 "motifs du dictionnaire : {count}"),
    "more": ("… and {count} more in the record", "… y {count} más en el registro", "… et {count} de plus au dossier"),
    "reviewed": ("Reviewed by", "Revisado por", "Revu par"),
    "date": ("Date", "Fecha", "Date"),
    "signature": ("Signature", "Firma", "Signature"),
    "page_of": ("page {page} of {pages}", "página {page} de {pages}", "page {page} sur {pages}"),
    # the page of highlighted lines
    "lines_of": ("Lines of {name}", "Líneas de {name}", "Lignes de {name}"),
    "strong": ("cited lines", "líneas citadas", "lignes citées"),
    "light": ("read around them", "leído alrededor", "lu autour"),
    "hidden_lines": ("{count} lines that a person does not see are left out",
                     "se omiten {count} líneas que una persona no ve",
                     "{count} lignes qu'une personne ne voit pas sont omises"),
    "left_out": ("lines {first} to {last} are left out", "se omiten las líneas {first} a {last}",
                 "les lignes {first} à {last} sont omises"),
    "back": ("back to the top", "volver arriba", "retour en haut"),
    "no_lines": ("No line is cited.", "No se cita ninguna línea.", "Aucune ligne n'est citée."),
}  # fmt: skip
_CHECKS: dict[str, tuple[str, str, str]] = {
    "lines_exist": ("lines exist", "las líneas existen", "les lignes existent"),
    "quote_is_verbatim": ("quote is verbatim", "la cita es literal", "la citation est littérale"),
    "value_in_lines": ("value stands in the lines", "el valor consta en las líneas", "la valeur figure aux lignes"),
    "figures_in_lines": ("figures stand in the lines", "las cifras constan en las líneas",
                         "les chiffres figurent aux lignes"),
    "negation_kept": ("negation kept", "negación conservada", "négation conservée"),
    "shape_and_type": ("shape and type as asked", "forma y tipo pedidos", "forme et type demandés"),
    "within_scope": ("within what was asked", "dentro de lo pedido", "dans le champ demandé"),
    "lines_speak_of_it": ("lines speak of it", "las líneas tratan de ello", "les lignes en parlent"),
    "reading_is_sure": ("reading is sure enough", "lectura suficientemente segura", "lecture assez sûre"),
    "computation_holds": ("computation holds", "el cálculo es correcto", "le calcul est juste"),
    "fields_agree": ("fields agree", "los campos concuerdan", "les champs concordent"),
}  # fmt: skip


def label(key: str, language: str, **filled: object) -> str:
    """The label of the key in the language, its places in braces filled; English for a language we do not have."""
    words = _LABELS[key][_index(language)]
    return words.format(**filled) if filled else words


def check_label(check: str, language: str) -> str:
    """What a check looks at; the name in the record for one that has no words yet."""
    return _CHECKS[check][_index(language)] if check in _CHECKS else check.replace("_", " ")


def _index(language: str) -> int:
    return LANGUAGES.index(language) if language in LANGUAGES else 0
