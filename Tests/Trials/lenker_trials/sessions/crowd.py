"""Many sessions at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

Task = TypeVar("Task")
Found = TypeVar("Found")


async def crowd(todo: Sequence[Task], run: Callable[[Task], Awaitable[Found]], jobs: int) -> AsyncIterator[Found]:
    """Runs this many at a time, in their order, and yields what is found as it comes."""
    waiting = iter(todo)
    done: asyncio.Queue[Found] = asyncio.Queue()

    async def work() -> None:
        for task in waiting:
            done.put_nowait(await run(task))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(jobs, len(todo))):
            group.create_task(work())
        for _ in todo:
            yield await done.get()
