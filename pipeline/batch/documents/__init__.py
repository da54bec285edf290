"""The documents of a batch: found in folders, lists, archives and remote storage, each a row, however bad it is."""

from pipeline.batch.documents.finding import Collection, find_documents
from pipeline.batch.documents.limits import CollectingSettings
from pipeline.batch.documents.places import open_place

__all__ = ["CollectingSettings", "Collection", "find_documents", "open_place"]
