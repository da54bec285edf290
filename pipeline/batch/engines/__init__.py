"""What runs the tasks of a batch: processes of this machine, or a Ray cluster."""

from pipeline.batch.engines.local import LocalExecutor

__all__ = ["LocalExecutor"]
