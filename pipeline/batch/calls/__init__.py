"""The model calls of a batch: one process sends them all, under one budget and one pace, and puts them on record."""

from pipeline.batch.calls.handle import Keeper, open_kept_model, start_keeper, told_of_former_calls
from pipeline.batch.calls.prices import Price, price_of

__all__ = ["Keeper", "Price", "open_kept_model", "price_of", "start_keeper", "told_of_former_calls"]
