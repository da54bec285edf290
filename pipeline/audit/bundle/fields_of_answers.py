"""What a redacted bundle shows of answers, their values and evidence; the lists are explained in `fields`."""

from __future__ import annotations

FIELDS_OF_ANSWERS: dict[str, dict[str, str]] = {
    # the answer
    "Answer": {
        "shown": "schema_version written_as status answer_shape items refused_items conflicts completeness findings "
        "history exhausted absence parts confidence answered_by pages_not_read stamp model_uses downgrades",
        "type": "answer_type",
        "names": "doc_id",
        "question": "question",
        "answer": "text caveats clarification",
    },
    "AnswerItem": {
        "shown": "value spans extraction_method inputs outcome repairs checks",
        "answer": "label wished formula",
    },
    "ComputedInput": {"shown": "value line_start line_end", "answer": "name"},
    "EvidenceSpan": {
        "shown": "line_start line_end page_unit page_start page_end page_line_start page_line_end reading "
        "ocr_confidence",
        "candidate": "candidate_id",
        "document": "section_title",
        "quotes": "quote",
    },
    "EvidenceCheck": {"shown": "check passed", "reasons": "detail"},
    "Repair": {"shown": "what", "answer": "before after", "reasons": "how"},
    "RefusedItem": {"shown": "proposed_by line_start line_end checks", "answer": "value_text", "reasons": "reason"},
    "Completeness": {"shown": "complete found_count checks", "answer": "stated_count", "reasons": "reason"},
    "CompletenessCheck": {"shown": "check passed", "reasons": "detail"},
    "Finding": {"shown": "kind page_num line_id", "quotes": "quote", "reasons": "detail", "document": "box"},
    "Iteration": {
        "shown": "number action kept confidence_before confidence_after",
        "reasons": "trigger detail result",
    },
    "PartAnswer": {"shown": "status", "question": "question", "answer": "text", "names": "run"},
    "CaseAnswer": {
        "shown": "schema_version written_as answers conflicts",
        "question": "question",
        "answer": "text",
    },
    "DocumentAnswer": {"shown": "answer", "names": "doc_id source_name"},
    # values: of what kind they are, and nothing else
    "TextValue": {"shown": "kind", "answer": "text"},
    "Amount": {"shown": "kind", "answer": "value currency unit basis original"},
    "DateValue": {"shown": "kind", "answer": "iso anchor_event original"},
    "RelativeDate": {"shown": "kind", "answer": "number unit direction anchor_event original"},
    "Duration": {"shown": "kind", "answer": "number unit recurring starts original"},
    "OpenEnd": {"shown": "kind", "answer": "until original"},
    "Count": {"shown": "kind", "answer": "number of original"},
    "Percentage": {"shown": "kind", "answer": "value basis original"},
    "BooleanValue": {"shown": "kind", "answer": "value negation exceptions clause"},
    "Identifier": {"shown": "kind", "answer": "text scheme"},
    "Iban": {"shown": "kind", "answer": "iban country original"},
    "Party": {"shown": "kind", "answer": "name legal_form role original"},
    "Address": {"shown": "kind", "answer": "street postal_code city region country original"},
    "Jurisdiction": {"shown": "kind", "answer": "name country subdivision original"},
    "TableValue": {"shown": "kind", "answer": "title headers rows"},
    "TreeValue": {"shown": "kind", "answer": "nodes"},
    "TreeNode": {"answer": "label line_start line_end children"},
    "RecordValue": {"shown": "kind", "answer": "fields"},
    "RecordField": {"answer": "name value line_start line_end caveat"},
    "ConditionalValue": {"shown": "kind", "answer": "branches original"},
    "Branch": {"answer": "condition value"},
    "CustomValue": {"shown": "kind", "answer": "type_name fields original"},
}
