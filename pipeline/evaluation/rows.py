"""The tables of an evaluation: one row a (strategy, document, question), and one a stage of each.

Times stand in a table of their own: two runs of the same code on the same data give the same `EVALUATION_DF`.
"""

from __future__ import annotations

from schemas.table_schema import Column, TableSchema

# Causes of failure, in the order they are looked for.
FAILURE_CAUSES = (
    "never_proposed",  # no detector proposed a passage that covers a gold clause
    "discarded",  # proposed, and the arbiter called it tangential or discarded
    "cut",  # the covering passage was proposed, its context was cut before the gold text
    "wrong_order",  # kept, but below the first five
    "said_absent",  # kept, yet the result says not found
    "said_present",  # nothing is labelled, yet a primary was given
)

EVALUATION_DF = TableSchema(
    "evaluation_df",
    "One row a question put to a document by a strategy, in the order of the data set; no times in it.",
    ("dataset", "strategy", "document", "question_id"),
    (
        Column("dataset", "text", "Data set, e.g. 'cuad'."),
        Column("strategy", "text", "Strategy or ablation step."),
        Column("document", "text", "File name of the document, without folders."),
        Column("question_id", "text", "Id of the question within the document, e.g. the category."),
        Column("question", "text", "The question as asked."),
        Column("question_type", "text", "Group the report splits by: category, or type of the answer awaited."),
        Column("present", "bool", "The labels say that the document answers."),
        Column(
            "gold_kind",
            "text",
            "What is looked for: clauses (in contexts) or pages (of anchors).",
            allowed=("clauses", "pages"),
        ),
        Column("gold_count", "int", "Labelled clauses, or evidence pages."),
        Column("covered_1", "int", "Of these, found by the first candidate."),
        Column("covered_3", "int", "Of these, found by the first three."),
        Column("covered_5", "int", "Of these, found by the first five."),
        Column("first_rank", "int", "Rank of the first candidate that covers one, 1 to 5; 0 for none."),
        Column("context_count", "int", "Contexts among the first five, 0 to 5."),
        Column("covering_count", "int", "Of these, how many cover a labelled clause or lie on an evidence page."),
        Column("characters", "int", "Characters of the first five contexts, each counted up to 3,000.", "characters"),
        Column("candidate_count", "int", "Candidates kept."),
        Column("not_found", "bool", "The result says that nothing answers."),
        Column("absence_verdict", "text", "Verdict of the absence proof; null if something was found.", nullable=True),
        Column("confidence", "float", "Confidence of the result, 0 to 1."),
        Column("failure_cause", "text", "One of FAILURE_CAUSES; null without a failure.", nullable=True),
        Column("failure_detail", "text", "What happened, in one sentence; null without a failure.", nullable=True),
        Column(
            "failure_kind",
            "text",
            "vocabulary: other words than the question's; ambiguity: many alike; else null.",
            nullable=True,
            allowed=("vocabulary", "ambiguity"),
        ),
        Column("answer_status", "text", "Status of the answer; null where none was generated.", nullable=True),
        Column("quotes_checked", "bool", "All checks of the answer hold; null without an answer.", nullable=True),
        Column("expected_value", "text", "Labelled value, as text; null where none is labelled.", nullable=True),
        Column("given_value", "text", "Value of the answer, as text; null where there is none.", nullable=True),
        Column("value_right", "bool", "The two agree; null where no value is compared.", nullable=True),
        Column("model_calls", "int", "Calls of a language model."),
        Column("input_tokens", "int", "Tokens read by it."),
        Column("output_tokens", "int", "Tokens written by it."),
        Column("repaired", "bool", "A reply was valid only after the repair, or in part."),
        Column("fell_back", "bool", "Rules judged what the model left out."),
        Column("downgraded", "bool", "A stage was done by lesser means than asked for."),
        Column("valid", "bool", "The record fits its schema; with a model also after a way to JSON and back."),
        Column("result_sha256", "text", "SHA-256 of the record, so that two runs can be compared."),
    ),
)

TIMING_DF = TableSchema(
    "timing_df",
    "One row a stage of each question: how long it took here and now.",
    ("dataset", "strategy", "document", "question_id", "stage"),
    (
        Column("dataset", "text", "Data set."),
        Column("strategy", "text", "Strategy or ablation step."),
        Column("document", "text", "File name of the document."),
        Column("question_id", "text", "Id of the question within the document."),
        Column("stage", "text", "Stage, e.g. 'question', 'bm25', 'rerank'."),
        Column("wall_seconds", "float", "Time on the clock.", "seconds"),
        Column("cpu_seconds", "float", "Time of the processor.", "seconds"),
    ),
)
