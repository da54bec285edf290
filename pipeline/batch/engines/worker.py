"""A worker: it is told what to do once, then does one task after the other, and hands back what came of each."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pipeline.batch.work import Setup, Task, TaskLost, TaskResult
from pipeline.processes import serve as serve_messages
from schemas.errors import InputError, PipelineError, RecordError

DO_TASK = "pipeline.batch.working:do_task"


@dataclass(frozen=True, slots=True)
class Order:
    """The first message to a worker: the work, 'module:function', and what all tasks share."""

    work: str
    setup: Setup


def serve() -> None:
    """In a process of its own: do tasks until the input ends."""
    doing: list[Callable[[Task], TaskResult | TaskLost | PipelineError]] = []

    def answer(message: Any) -> Any:
        if isinstance(message, Order):
            doing[:] = [doer(message.work, message.setup)]
            return None
        return doing[0](message)

    serve_messages(answer)


def doer(work: str, setup: Setup) -> Callable[[Task], TaskResult | TaskLost | PipelineError]:
    """What does a task.

    It gives the result, a loss where the document or a fault of ours is to blame, or the error that concerns the whole
    batch: a full disk, a lost keeper of calls.
    """
    module, _, name = work.partition(":")
    do = getattr(import_module(module), name)

    def attempt(task: Task) -> TaskResult | TaskLost | PipelineError:
        try:
            result: TaskResult = do(setup, task)
        except (InputError, RecordError) as error:
            return TaskLost(task.number, str(error))
        except PipelineError as error:
            return error
        except MemoryError:
            return TaskLost(task.number, "it takes more memory than there is")
        except Exception as error:  # noqa: BLE001 - a fault of ours in one document must not end the batch
            return TaskLost(
                task.number, f"an unexpected fault, please report it: {type(error).__name__}: {error}",
                detail=traceback.format_exc(),
            )  # fmt: skip
        return result

    return attempt
