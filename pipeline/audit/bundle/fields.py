"""What a redacted bundle shows of each field of each record: a closed list, so that what is not in it is hidden.

Shown are structure, roles, methods, kinds, statuses, counts, pages and lines, versions, settings, and hashes that are
salted or of what is no secret. Hidden is what a document, a question, an answer or a person says, and every unsalted
hash of such words: a short text can be guessed from its hash. A test fails when a field is in no list.
"""

from __future__ import annotations

from typing import Literal, get_args

from pipeline.audit.bundle.fields_of_answers import FIELDS_OF_ANSWERS

Level = Literal["question", "answer", "quotes", "reasons", "names"]  # what may be shown on request
LEVELS: tuple[Level, ...] = get_args(Level)

# shown: numbers, true and false, words of a closed list (`Literal`), and what is nested in it by its own list
# code, language, version, hex, time, candidate, type: a text of that form, else hidden; see `forms`
# codes: an object by code with such texts or numbers; settings, libraries, dictionaries, roots: with known keys alone
# question, answer, quotes, reasons, names: hidden unless the level is shown
# document, model, never: hidden always; never: unsalted hashes, signatures over texts, keys that may be texts
_SCOPE = {"shown": "page_unit page_start page_end line_start line_end", "document": "section_id"}
_USES = "model_uses downgrades"

FIELDS: dict[str, dict[str, str]] = {
    # the question
    "ParsedQuestion": {
        "shown": f"schema_version written_as intent answer_shape keywords anchors concepts hints decomposition plan "
        f"chunk_strategy stamp {_USES}",
        "language": "language",
        "type": "answer_type",
        "codes": "field_sources",
        "question": "original_question previous_question resolved_question corrected_question filters exclusions "
        "format_wishes format_constraint must_distinguish rewrites limits unmet notes shown_notes clarification "
        "settled",
        "model": "suggested_model",
    },
    "Keyword": {"shown": "source weight group is_regex", "question": "text concept"},
    "Anchor": {"shown": "kind", "question": "text target"},
    "Concept": {
        "shown": "exhaustive value_required",
        "question": "concept_id dictionary dictionary_version matched_by terms section_titles distractors neighbours "
        "patterns",
    },
    "StructuralHints": {
        "shown": "layout_hint detection_context answer_context needs_summary",
        "question": "section_hint pages_hint sheets_hint slides_hint document_version",
    },
    "SubQuestion": {"shown": "answer_shape", "type": "answer_type", "question": "text stands_for_answer name"},
    "Decomposition": {"shown": "pattern sub_questions", "question": "condition"},
    "ScopeFilters": {
        "question": "page_range pages sections date_range parties known_parties jurisdictions custom",
    },
    "DateRange": {"question": "start end"},
    "FormatConstraint": {
        "question": "currency scale period date_format decimals language layout max_sentences",
    },
    "Distinction": {"question": "wanted unwanted terms"},
    "ExecutionPlan": {
        "shown": "use_toc use_keywords use_codes use_embeddings decompose follow_references page_numbers",
    },
    "Clarification": {
        "question": "target_field question_to_user reason choices default default_reason candidate_values form",
    },
    "Settled": {
        "shown": "by votes confidence",
        "question": "target_field form question_to_user choices candidate_values chosen",
    },
    # what every step leaves
    "ModelUse": {
        "shown": "purpose input_tokens cached_tokens output_tokens outcome",
        "code": "model prompt_name",
        "hex": "prompt_sha256",
        "never": "call_keys",
        "model": "problems",
    },
    "Downgrade": {"shown": "stage", "reasons": "wanted used reason"},
    "Stamp": {
        "version": "lineproof",
        "libraries": "libraries",
        "dictionaries": "dictionary_versions",
        "settings": "settings",
        "code": "model",
        "never": "input_sha256 prompts",
    },
    "StageTrace": {"shown": "stage seconds from_cache", "never": "input_sha256 output_sha256"},
    "ModelCall": {
        "shown": "api status input_tokens cached_tokens output_tokens seconds attempts from_cache",
        "code": "purpose error_kind prompt_name",
        "never": "call_key",
        "model": "request reply error",
    },
    # the search
    "AuditedRetrievalResult": {
        "shown": f"schema_version written_as candidates not_found confidence conflicts absence pages_not_read tables "
        f"provenances arbiter characters_handed_over context_budget discovered_keywords stamp {_USES}",
        "code": "methods_used not_found_reason methods_run methods_skipped strategy strategy_name",
        "codes": "dispatch_rules",
        "names": "doc_id",
        "question": "question",
        "reasons": "skipped_reasons",
        "document": "document_caveats",
    },
    "RetrievedCandidate": {
        "shown": "anchor context lines sections anchor_line_ids role missed_limits recognised_lines continuation",
        "candidate": "candidate_id",
        "code": "methods",
        "quotes": "snippet text",
        "document": "section_title reference_path",
        "question": "matched_keywords",
        "reasons": "reason",
    },
    "CandidateScope": _SCOPE,
    "LineRef": {"shown": "line_id page_num line_num"},
    "SectionMark": {"shown": "line_id", "document": "title"},
    "MissedLimit": {"shown": "limit", "question": "asked", "document": "found"},
    "RecognisedLine": {"shown": "line_id confidence"},
    "Continuation": {"shown": "lines is_new_section", "document": "text section_title"},
    "Conflict": {
        "shown": "found_by kind sides prevails",
        "candidate": "candidate_ids",
        "answer": "point statement",
    },
    "ConflictSide": {
        "shown": "line_start line_end",
        "candidate": "candidate_id",
        "names": "place",
        "answer": "says",
        "quotes": "quote",
    },
    "Precedence": {"candidate": "candidate_id", "quotes": "quote", "names": "place"},
    "AbsenceProof": {
        "shown": "verdict level terms exhaustive lines_searched page_unit pages_searched pages_not_read nearest_misses "
        "miss_probability",
        "dictionaries": "dictionary_versions",
        "answer": "statement",
        "document": "references_not_followed",
    },
    "TermCount": {"shown": "hit_count", "question": "term concept"},
    "NearestMiss": {
        "shown": "page_num line_id",
        "candidate": "candidate_id",
        "quotes": "snippet",
        "reasons": "why_not",
    },
    "MissProbability": {"shown": "probability low high sample_size", "question": "measured_on"},
    "HandedTable": {
        "shown": "table_id is_whole lines statement",
        "candidate": "candidate_ids",
        "document": "title title_line_ids unit unit_line_id columns rows notes text",
    },
    "HandedColumn": {"document": "number header line_ids"},
    "HandedRow": {"document": "row_num label groups group_line_ids cells"},
    "HandedCell": {"document": "column column_span text line_start line_end"},
    "HandedNote": {"document": "mark text line_ids"},
    "CandidateProvenance": {
        "shown": "structural_context anchor role judged_by relevance",
        "candidate": "candidate_id",
        "code": "methods_that_found_it rule",
        "codes": "rank_per_method score_per_method",
        "reasons": "detector_reasons reason",
        "document": "score_terms situating_context reference_path",
    },
    "CandidateBrief": {
        "candidate": "candidate_id",
        "code": "methods",
        "document": "section",
        "question": "matched_keywords",
        "quotes": "snippet",
    },
    "ScoreTerm": {"document": "term frequency passages_with_term idf length_norm contribution"},
    "DiscoveredKeyword": {"shown": "found_by", "candidate": "candidate_id", "document": "text concept dictionary"},
    **FIELDS_OF_ANSWERS,
    # the run
    "Trace": {
        "shown": f"schema_version written_as stages methods arbiter candidates outcome prompts model_calls cost "
        f"pages_not_read {_USES}",
        "time": "started",
        "code": "strategy_name",
        "settings": "settings",
        "libraries": "versions",
        "names": "doc_id source_name parts",
        "question": "question",
        "reasons": "notes",
    },
    "MethodTrace": {"shown": "ran candidate_count", "code": "method rule", "reasons": "reason"},
    "Outcome": {"shown": "status refused_count repaired_count", "answer": "text"},
    "PromptTrace": {"code": "name", "hex": "sha256", "model": "template"},
    "CostTrace": {
        "shown": "calls_sent calls_from_cache input_tokens cached_tokens output_tokens amount",
        "code": "currency",
    },
    "RunRequest": {
        "shown": "schema_version written_as part has_password terms papers",
        "hex": "document_sha256 code_sha256",
        "names": "doc_id inside",
        "question": "text previous choices reply",
        "settings": "parsing_settings retrieval_settings model_settings",
        "code": "searched_by model",
        "model": "declared_types",
        "dictionaries": "dictionaries",
    },
    "PartRequest": {"shown": "in_own_words", "names": "whole", "question": "fill previous"},
    "QuestionTerms": {
        "shown": "by_rules",
        "question": "answer_type allowed_values sections language dictionaries",
    },
    # its seal
    "Seal": {
        "shown": "schema_version written_as kind",
        "names": "place",
        "roots": "roots",
        "never": "salt files documents parsings runs",
    },
    # what was made of it
    "Replay": {
        "shown": "schema_version written_as strict start stages identical diff",
        "hex": "of_seal",
        "names": "of",
        "never": "changed",
    },
    "ReplayedStage": {"shown": "stage how identical"},
    "RunDiff": {"shown": "schema_version written_as same changes movements", "names": "first second", "answer": "text"},
    "Change": {"shown": "subject reaches", "document": "name before after detail"},
    "Movement": {"shown": "what stage shown", "answer": "name before after", "document": "moved_by"},
    "Counterfactual": {
        "shown": "schema_version written_as status baseline_identical ablations minimal_is_proven promotions "
        "calls_made budget_used_up",
        "names": "run places",
        "answer": "text sentences",
        "candidate": "minimal decisive redundant",
    },
    "Ablation": {
        "shown": "removed_as status effect how",
        "candidate": "removed",
        "answer": "text values_lost values_new evidence",
    },
    "Promotion": {
        "shown": "role status would_answer how",
        "candidate": "candidate_id",
        "answer": "text",
        "reasons": "why_not",
    },
    "Review": {
        "shown": "schema_version written_as verdict subject roles correction",
        "hex": "run_seal key_id",
        "time": "at",
        "names": "run reviewer",
        "reasons": "reason",
        "never": "public_key signature",
    },
    "RoleCorrection": {"shown": "role", "candidate": "candidate_id"},
    "Correction": {
        "shown": "page_num line_start line_end line_ids role_then",
        "hex": "document_sha256",
        "names": "doc_id",
        "question": "question",
        "answer": "text",
        "quotes": "quote",
        "reasons": "notes",
    },
}


def category_of(model: str, field: str) -> str:
    """The list that a field is in; 'never' for one that is in none."""
    for category, names in FIELDS.get(model, {}).items():
        if field in names.split():
            return category
    return "never"
