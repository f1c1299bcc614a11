"""How far a real phone came: what helps the rider on, and a text for an issue that tells nobody where that was."""

import re
from collections.abc import Iterable
from typing import NamedTuple

KOMOOT, OSMAND = APPS = ("komoot", "osmand")
START = {
    KOMOOT: "searching: start a navigation in komoot, its Bluetooth switched on",
    OSMAND: "waiting: add Lenker in Gadgetbridge, then navigate in OsmAnd",
}
LAST_EVENTS = 3
STEPS = ("found", "connected", "encrypted", "paired", "service", "first instruction")
"""In the order of a ride."""

ADDRESS = re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b")
PATH = re.compile(r"(?:file:|fifo:)?(?<![\w/])/[^\s:;,]+")
PRIVATE = ("name", "street", "text", "address")
"""The fields of events that say who or where."""


class Loss(NamedTuple):
    """Times are those of the firmware; `back` is `None` where the phone did not come back."""

    at: float
    reason: int
    back: float | None


class Reached:
    """Takes each event of the firmware."""

    def __init__(self, app: str, settings: Iterable[str]) -> None:
        self._app, self._settings = app, list(settings)
        self._firmware = self._controller = self._phone = "not told"
        self._advice = START[app]
        self._times: dict[str, float] = {}
        self._lines: list[str] = []
        self._failures: list[str] = []
        self._errors: list[tuple[str, float, str]] = []
        self._losses: list[Loss] = []
        self._secrets: set[str] = set()
        self._last = 0.0
        self._is_over = False
        self.instructions = 0

    # What the rider sees

    def status_lines(self) -> list[str]:
        return [self._advice, *self._lines[-LAST_EVENTS:], *[""] * (LAST_EVENTS - len(self._lines))]

    def on_event(self, event: dict) -> None:
        self._last = event.get("t", self._last)
        self._secrets.update(str(event[field]) for field in PRIVATE if event.get(field))
        if event["event"] not in ("frame", "progress", "measure", "radar"):
            words = [str(value) for field, value in event.items() if field not in ("t", "event")]
            self._lines.append(f"{self._last:7.1f} s  {event['event']} {' '.join(words)}")
        match event["event"]:
            case "start":
                self._firmware = event["version"]
            case "controller":
                self._has_controller(event)
            case "phone":
                self._reach("found")
                if event["match"] == "overflow":
                    self._phone = "iPhone with its app in the background"
            case "scan":
                self._advice = START[self._app] if event["mode"] != "off" else "not searching: press a"
            case "link":
                self._has_link(event["state"], event.get("reason", 0))
            case "pairing":
                self._is_pairing(event)
            case "instruction":
                self.instructions += 1
                self._reach("first instruction")
                self._advice = "riding: the panel shows the turns; q ends"
                if event["source"] == "gadgetbridge":
                    self._phone = "Android with Gadgetbridge"
            case "clock" if self._phone == "not told":
                self._phone = "iPhone that tells its time"
            case "error":
                self._errors.append((event["source"], self._last, event["message"]))
                if event["source"] == "hci":
                    self._advice = event["message"]

    def end(self) -> None:
        """The rider ends it: that the link ends now is no loss."""
        self._is_over = True

    def _reach(self, step: str) -> None:
        self._times.setdefault(step, self._last)

    def _has_controller(self, event: dict) -> None:
        parts = [f"manufacturer {event['manufacturer']}", f"HCI version {event['version']}"]
        parts += [f"{field} {event[field]}" for field in ("chip", "patch", "missing") if field in event]
        self._controller = ", ".join(parts)
        self._advice = START[self._app]

    def _has_link(self, state: str, reason: int) -> None:
        match state:
            case "connecting":
                self._advice = "found a phone: connecting"
            case "connected":
                self._reach("connected")
                self._advice = "connected: if the phone asks whether to pair, tap Pair"
            case "encrypted":
                self._reach("encrypted")
            case "ready":
                self._reach("service")
                self._advice = "connected: the first turn shows when the phone tells it"
                if self._losses and self._losses[-1].back is None:
                    self._losses[-1] = self._losses[-1]._replace(back=self._last)
            case "disconnected" if not self._is_over:
                if "service" in self._times:
                    self._losses.append(Loss(self._last, reason, None))
                self._advice = f"the link is lost (0x{reason:02X}): the phone is searched for"

    def _is_pairing(self, event: dict) -> None:
        match event["state"]:
            case "confirm":
                number = event["number"]
                self._advice = f"six digits: {number[:3]} {number[3:]} on the phone, too? a, and confirm there; else b"
            case "ask":
                self._advice = "a phone that shows no digits: press a if it is yours, else b"
            case "done":
                self._reach("paired")
                self._advice = "paired: the first turn shows when the phone tells it"
            case "failed":
                self._failures.append(f"{self._last:.1f} s: {event['reason']}")
                self._advice = f"not paired ({event['reason']}): press a to try again"

    # What an issue gets

    def report(self) -> str:
        """Plain text. It has no name, address, street or path."""
        losses = [
            f"{loss.at:.1f} s: reason 0x{loss.reason:02X}, "
            + ("not back" if loss.back is None else f"back after {loss.back - loss.at:.1f} s")
            for loss in self._losses
        ]
        errors = [f"{time:.1f} s: {source}: {self._without_secrets(text)}" for source, time, text in self._errors]
        return "\n".join(
            [
                f"Lenker {self._firmware} on a PC, for {self._last:.0f} s",
                f"controller: {self._controller}",
                f"phone: {self._phone}; for {self._app}",
                f"settings: {' '.join(self._settings) or 'none'}",
                *(f"{step}: {self._time(step)}" for step in STEPS),
                f"instructions: {self.instructions}",
                *_list("pairings that failed", self._failures),
                *_list("losses", losses),
                *_list("errors", errors),
                "",
            ]
        )

    def _time(self, step: str) -> str:
        return f"{self._times[step]:.1f} s" if step in self._times else "no"

    def _without_secrets(self, text: str) -> str:
        text = PATH.sub("PATH", ADDRESS.sub("ADDRESS", text))
        # The longest first: one may be a part of another.
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = re.sub(re.escape(secret), "…", text, flags=re.IGNORECASE)
        return text


def _list(title: str, lines: list[str]) -> list[str]:
    return [f"{title}: {len(lines)}", *(f"  {line}" for line in lines)]
