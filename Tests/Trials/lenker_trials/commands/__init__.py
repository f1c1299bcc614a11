"""The commands of the trials, and how each of them begins and ends."""

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine

from lenker_bench.programs.processes import StartError

EXIT_OK, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 130


def status_of(name: str, running: Coroutine[None, None, int]) -> int:
    """Runs it to its end; says what could not be started."""
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(running)
    except StartError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
