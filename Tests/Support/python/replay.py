"""A recorded run, played once more to the device alone: in virtual time, without the program, its files or a phone."""

import json
import subprocess
from pathlib import Path

from lenker_bench.programs.processes import ROOT
from recording import Message, Recording, read_trace
from tshark import RECORD, records

CONNECTED = bytes.fromhex("043e130100")  # LE Connection Complete, without an error
REPLAY = ROOT / ".build" / "debug" / "Replay"  # made by `swift build`, and with the units


def replay_of(file: Path, *settings: str, out: Path | None = None) -> subprocess.CompletedProcess:
    """What the tool says of a report, or of a capture with the settings that it does not tell."""
    options = ["--out", out] if out else []
    return subprocess.run([REPLAY, *options, "--", file, *settings], capture_output=True, text=True, check=False)


def events_of_replay(report: Path, folder: Path) -> list[dict]:
    """The events of the device of today, which sends what that of then sent."""
    result = replay_of(report, out=folder)
    assert result.returncode == 0 and "no divergence" in result.stdout, result.stdout + result.stderr
    return [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]


def _lead(run: Recording) -> int:
    """How many milliseconds after the start the radio was open, when a capture begins: both tell of the first link."""
    moments = [(RECORD.unpack_from(record)[4] / 1000, packet) for record, packet in records(run.capture)]
    connected = next(time for time, packet in moments if packet.startswith(CONNECTED))
    told = next(event["t"] for event in run.named("link") if event["state"] == "connected")
    return round(told * 1000 - (connected - moments[0][0]))


def replayed(run: Recording, settings: list[str], folder: Path) -> list[Message]:
    """The messages on the panel's bus that the device sends when it hears what the run heard."""
    version = run.named("start")[0]["version"]
    options = ["--firmware-version", version, f"--lead={_lead(run)}", "--trace", run.folder / "i2c.trace"]
    subprocess.run([REPLAY, *options, "--out", folder, "--", run.capture, *settings], check=True)
    return read_trace(folder / "i2c.trace")
