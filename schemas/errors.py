"""Every error that Lineproof raises on purpose, drawn as a tree.

    PipelineError                      exit code
    ├── InputError                     2   what the caller handed over is wrong
    │   ├── DocumentError              2   the file cannot be read as a document
    │   │   ├── DocumentNotFoundError  2   no such file, or no right to read it
    │   │   ├── EmptyDocumentError     2   zero bytes, zero pages
    │   │   ├── UnsupportedFormatError 2   the content is of no kind that a reader knows
    │   │   ├── EncryptedDocumentError 2   a password is needed, or the one given is wrong
    │   │   ├── DamagedDocumentError   2   the content is broken beyond what the reader repairs
    │   │   ├── ReaderFailedError      2   reading it crashed the reader, or met a fault of ours
    │   │   └── LimitExceededError     2   larger than a limit of the settings, or took longer
    │   ├── QuestionError              2   empty, too long, or not text
    │   ├── DictionaryError            2   a dictionary file breaks its own rules
    │   ├── RegistrationError          2   a type of values that a user adds is unfit, or its name is taken
    │   └── SettingsError              2   an option or an environment variable is wrong
    ├── RecordError                    5   a saved record does not fit its schema
    │   ├── TableError                 5   a table breaks its TableSchema
    │   └── SchemaVersionError         5   written by a newer Lineproof than this one
    ├── StoreError                     5   the store cannot be read or written
    ├── ModelError                     6   the model did not give a usable reply
    │   ├── ModelUnavailableError      6   no connection, time-out, 429 or 5xx after all retries, or refused
    │   ├── ModelReplyError            6   a reply came and is still invalid after one repair
    │   └── PromptTooLargeError        6   the prompt exceeds the model's window: never retried
    ├── BudgetError                    6   a call to a model would exceed what may be spent; nothing was sent
    └── MissingPackageError            2   an optional package is not installed

The command line prints these in one sentence and exits with `exit_code`; any other exception is a bug and keeps its
traceback. Exit codes 0 (answered), 3 (not found) and 4 (needs clarification, or refused) are outcomes, not errors.
"""

from __future__ import annotations


class PipelineError(Exception):
    """Base of all errors that are shown to a user; the message says what, where, which limit and what to do."""

    exit_code = 1


class InputError(PipelineError):
    """What the caller handed over cannot be used."""

    exit_code = 2


class DocumentError(InputError):
    """The file cannot be read as a document."""


class DocumentNotFoundError(DocumentError):
    """There is no such file, or it may not be read."""


class EmptyDocumentError(DocumentError):
    """The file has no bytes, or no pages."""


class UnsupportedFormatError(DocumentError):
    """The content is of no kind that a reader knows, whatever the suffix says."""


class EncryptedDocumentError(DocumentError):
    """The document needs a password, or the password given is wrong."""


class DamagedDocumentError(DocumentError):
    """The content is broken beyond what the reader can repair."""


class ReaderFailedError(DocumentError):
    """Reading the document crashed the reading process, or met a fault of ours; the caller goes on."""


class LimitExceededError(DocumentError):
    """The document is larger than a limit of the settings, or took more time or memory than they allow."""


class QuestionError(InputError):
    """The question is empty, too long, or not text."""


class DictionaryError(InputError):
    """A dictionary file breaks its own rules."""


class RegistrationError(InputError):
    """A type of values that a user adds cannot be registered: its name, its words, or its own examples."""


class SettingsError(InputError):
    """An option or an environment variable has a value that cannot be used."""


class BudgetError(PipelineError):
    """A call would exceed the budget of a batch; no `ModelError`: rules must not take over in silence."""

    exit_code = 6


class MissingPackageError(InputError):
    """An optional package is needed for this and is not installed."""


class RecordError(PipelineError):
    """A saved record does not fit its schema."""

    exit_code = 5


class TableError(RecordError):
    """A table breaks its schema.

    Not a `ValueError`, so that pydantic lets it through as it is.
    """


class SchemaVersionError(RecordError):
    """The record was written by a newer version of Lineproof than this one."""


class StoreError(PipelineError):
    """The store cannot be read or written."""

    exit_code = 5


class ModelError(PipelineError):
    """The model gave no usable reply."""

    exit_code = 6


class ModelUnavailableError(ModelError):
    """No connection, a time-out, 429 and 5xx after all retries, or a request that the server refuses (key, model)."""


class ModelReplyError(ModelError):
    """A reply came, and is still invalid after one repair."""


class PromptTooLargeError(ModelError):
    """The prompt exceeds what the model accepts; it is never retried."""
