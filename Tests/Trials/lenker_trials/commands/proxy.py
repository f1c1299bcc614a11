"""Command line of the proxy: a wire that damages what it carries, from a seed."""

import argparse
import asyncio
import dataclasses
import inspect
import os
import signal
import sys

from lenker_bench.commands.options import EXIT_USAGE, Parser, positive
from lenker_bench.programs.report import Report

from ..wire.faults import FAULTS, Fault, RandomPlan
from ..wire.proxy import Proxy

LASTING = [name for name, fault in FAULTS.items() if fault.lasts]


def probability(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a probability, 0 to 1")
    return number


def endpoint(kind: str):
    """Returns a parser of `KIND:HOST:PORT`."""

    def read(text: str) -> tuple[str, int]:
        found, _, address = text.partition(":")
        host, _, port = address.rpartition(":")
        if found != kind or not host or not port.isdecimal() or int(port) > 65535:
            raise argparse.ArgumentTypeError(f"'{text}' is not {kind}:HOST:PORT")
        return host.strip("[]"), int(port)

    return read


def summary(fault: Fault) -> str:
    """What a fault does, in one line of the help."""
    text = inspect.getdoc(fault).partition("\n")[0].removesuffix(".")
    return f"{text}, and says so by a Hardware Error event" if getattr(fault, "is_told", False) else text


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="proxy", description="A wire between firmware and controller that damages what it carries.")
    parser.add_argument(
        "--listen",
        metavar="tcp-server:HOST:PORT",
        type=endpoint("tcp-server"),
        default=("127.0.0.1", 0),
        help="where the firmware finds it (default: any free port, see the first line)",
    )
    parser.add_argument(
        "--controller", metavar="tcp:HOST:PORT", type=endpoint("tcp"), required=True, help="where the controller is"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed of the random numbers (default: 1)")
    chances = parser.add_argument_group("faults", "P is the probability that a packet meets the fault, 0 to 1.")
    for name, fault in FAULTS.items():
        chances.add_argument(f"--{name}", metavar="P", type=probability, default=0.0, help=summary(fault))
    for name in LASTING:
        chances.add_argument(
            f"--{name}-seconds", metavar="N", type=positive, help=f"how long it lasts (default: {FAULTS[name].lasts:g})"
        )
    options = parser.parse_args(arguments)
    if sum(probabilities(options).values()) > 1:
        parser.error("the probabilities add up to more than 1")
    return options


def probabilities(options: argparse.Namespace) -> dict[str, float]:
    chosen = {name: getattr(options, name.replace("-", "_")) for name in FAULTS}
    return {name: value for name, value in chosen.items() if value}


def faults(options: argparse.Namespace) -> dict[str, Fault]:
    """All faults; those that last do so for as long as the options say."""
    chosen = dict(FAULTS)
    for name in LASTING:
        seconds = getattr(options, f"{name}_seconds".replace("-", "_"))
        if seconds is not None:
            chosen[name] = dataclasses.replace(chosen[name], lasts=seconds)
    return chosen


async def serve(options: argparse.Namespace) -> int:
    report = Report()
    plan = RandomPlan(options.seed, probabilities(options), faults(options))
    proxy = Proxy(options.controller, plan, report, options.seed)
    try:
        await proxy.start(*options.listen)
    except OSError as error:
        print(f"proxy: cannot listen: {error.strerror}", file=sys.stderr)
        return EXIT_USAGE
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    report("ready", seed=options.seed, port=proxy.port, probabilities=probabilities(options))
    await stopped.wait()
    proxy.close()
    report("stopped")
    return 0


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        return asyncio.run(serve(options))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
