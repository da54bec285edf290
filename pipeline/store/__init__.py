"""The only writer of outputs/: records as folders that appear whole, survive `kill -9`, and prove that nothing changed.

    outputs/llm_calls.sqlite                          call cache and transcript (written by pipeline.llm)
    outputs/<doc_id>/parsing/                         *.parquet parsed_document.json profile.json stamp.json
    outputs/<doc_id>/questions/<slug>_<hash>/         parsed_question.json retrieval_result.json retrieved_pages.xlsx
                                                      answer.json highlighted.pdf trace.json
    outputs/cases/<slug>_<hash>/                      case_answer.json

A folder is written under another name beside its place, each file synced to disk, and then renamed: readers see the old
record or the new one, never a mixture. `complete.json` in it holds the SHA-256 of every file, so that a changed bit is
noticed when it is read. `folders` has the details; `documents`, `runs` and `cases` say what is in each kind of folder.
"""
