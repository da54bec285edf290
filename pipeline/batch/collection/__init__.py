"""The cells of all batches of a store as tables for SQL: counting and comparing is never a model's work."""

from pipeline.batch.collection.answering import ask_collection
from pipeline.batch.collection.answers import CollectionAnswer, CollectionFigure, CollectionRow
from pipeline.batch.collection.asking import Rows, run_query
from pipeline.batch.collection.views import VIEWS, open_views

__all__ = [
    "VIEWS",
    "CollectionAnswer",
    "CollectionFigure",
    "CollectionRow",
    "Rows",
    "ask_collection",
    "open_views",
    "run_query",
]
