"""A recorded run, played once more to the device alone: in virtual time, without the program, its files or a phone."""

import json
import subprocess
from pathlib import Path

from lenker_bench.programs.processes import ROOT
from recording import Message, Recording, read_trace

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


def _play(run: Recording, settings: list[str], folder: Path, *options: str | Path) -> list[dict]:
    """The events of the device that hears what the run heard."""
    version = run.named("start")[0]["version"]
    subprocess.run(
        [REPLAY, "--firmware-version", version, "--out", folder, *options, "--", run.capture, *settings], check=True
    )
    return [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]


def replayed(run: Recording, settings: list[str], folder: Path) -> list[Message]:
    """The messages on the panel's bus that the device sends when it hears what the run heard."""

    def controller_time(events: list[dict]) -> float:
        return next(event["t"] for event in events if event["event"] == "controller")

    # A capture begins when the radio is open; an event that follows from a packet tells how long after the start.
    lead = controller_time(run.events) - controller_time(_play(run, settings, folder))
    _play(run, settings, folder, f"--lead={round(lead * 1000)}", "--trace", run.folder / "i2c.trace")
    return read_trace(folder / "i2c.trace")
