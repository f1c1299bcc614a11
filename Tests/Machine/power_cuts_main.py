"""The command `power-cuts`, see `power_cuts`."""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from card import IMAGE, make_image
from pi_phones import rider
from power_cuts import USING, PowerCuts, WrongStart
from updates import contents


async def run_rounds(image: Path, folder: Path, count: int, seed: str, update: Mapping[str, bytes]) -> PowerCuts:
    """So many rounds with a card and a phone of their own."""
    folder.mkdir()
    async with rider() as (phone, _):
        cuts = PowerCuts(image, folder, phone, random.Random(seed), update)
        for _ in range(count):
            await cuts.cut()
            print(".", end="", flush=True)
        await cuts.cut(USING)  # sees what the last one left
    return cuts


async def run(options: argparse.Namespace, folder: Path) -> None:
    image = options.image or folder / "lenker.img"
    if options.image is None:
        make_image(image)
    update = contents(image) if options.update else {}
    shares = [len(range(job, options.cuts, options.jobs)) for job in range(options.jobs)]
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        jobs = [
            group.create_task(run_rounds(image, folder / str(job), share, f"{options.seed}/{job}", update))
            for job, share in enumerate(shares)
        ]
    done = [job.result() for job in jobs]
    cuts = sum((one.cuts for one in done), Counter())
    print(f"\n{cuts.total()} power cuts (seed {options.seed}), {time.monotonic() - started:.0f} s")
    for (moment, state), count in sorted(cuts.items()):
        print(f"  {count:4} {moment}, {state} before")
    print("each start came up paired or free as it should")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Tests/Machine/power-cuts",
        description="Cuts the current of the emulated Pi Zero W at random moments.",
    )
    parser.add_argument("--cuts", metavar="N", type=int, default=200, help="how often (default: %(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: %(default)s)")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="Pis at once (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="each start is the first one after an update")
    parser.add_argument("--image", metavar="FILE", type=Path, help=f"a card (default: what {IMAGE.name} makes)")
    with tempfile.TemporaryDirectory() as folder:
        try:
            asyncio.run(run(parser.parse_args(), Path(folder)))
        except* WrongStart as errors:
            sys.exit("\n" + "\n\n".join(map(str, errors.exceptions)))


if __name__ == "__main__":
    main()
