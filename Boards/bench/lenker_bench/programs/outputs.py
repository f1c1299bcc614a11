"""The files that a run leaves in its folder, and the removal of those of an older run."""

import re
import tempfile
from pathlib import Path

FRAME = re.compile(r"frame-\d{6,}\.pbm")
OTHERS = {"latest.pbm", "events.jsonl", "phone.jsonl", "i2c.trace", "firmware.log", "buttons", "bond"}


class OutputError(Exception):
    """A folder that cannot be written to."""


class Outputs:
    """Where a run leaves what."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events, self.phone_events = folder / "events.jsonl", folder / "phone.jsonl"
        self.firmware_log, self.buttons = folder / "firmware.log", folder / "buttons"

    def keys(self, port: int, pairs: bool = False) -> dict[str, str]:
        """The board keys of a firmware whose radio is at the port of this machine.

        It takes any phone, unless it `pairs`: then the rider is asked.
        """
        keys = {
            "hci": f"tcp:127.0.0.1:{port}",
            "display": f"pbm:{self.folder}",
            "events": f"file:{self.events}",
            "buttons": f"fifo:{self.buttons}",
            "i2c-trace": f"file:{self.folder / 'i2c.trace'}",
            "store": str(self.folder / "bond"),
        }
        return keys if pairs else {**keys, "pairing": "off"}


def prepare(folder: Path | None, build: Path) -> Outputs:
    """An empty place for the outputs: the folder, without an older run's files, or a fresh one below `build`."""
    try:
        if folder is None:
            build.mkdir(exist_ok=True)
            return Outputs(Path(tempfile.mkdtemp(prefix="ride-", dir=build)))
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if (FRAME.fullmatch(path.name) or path.name in OTHERS) and not path.is_dir():
                path.unlink()
        return Outputs(folder.resolve())
    except OSError as error:
        raise OutputError(f"cannot use {folder or build}: {error.strerror}") from error
