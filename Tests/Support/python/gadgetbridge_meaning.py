"""What a line of Gadgetbridge means, by its sources and by JavaScript."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from gadgetbridge import ACTIONS, BLANKS, PLAYERS, STAGES, UNITS


@dataclass
class Limited:
    """A text in UTF-8, of which a number of bytes is kept at most, cut between letters."""

    whole: bytes
    most: int

    __hash__ = None  # the digits of a beginning would need that of the whole

    def __eq__(self, other: object) -> bool:
        """Whether the digits are those of the text, or of so much of it that no letter more had room."""
        assert isinstance(other, str)
        kept = bytes.fromhex(other)
        joiner = "\u200d".encode()
        if len(self.whole) <= self.most:
            whole = self.whole
            while whole.endswith(joiner):
                whole = whole[: -len(joiner)]
            return kept == whole
        kept.decode()
        # The longest letter of `WORDS` has its joiners.
        return len(kept) <= self.most and self.whole.startswith(kept) and len(kept) > self.most - 40


def well_formed(text: str) -> bytes:
    """UTF-8, with U+FFFD for half a surrogate pair."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def levels(value: Any) -> int:
    match value:
        case dict():
            return 1 + max(map(levels, value.values()), default=0)
        case list():
            return 1 + max(map(levels, value), default=0)
    return 0


def metres(value: Any) -> int | None:
    """By the grammar of distances."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return rounded(Decimal(repr(value))) if value >= 0 else None
    if not isinstance(value, str):
        return None
    plain = re.sub(f"[{BLANKS}\t\r]", " ", value).split(" · ")[0]
    found = re.fullmatch(r"([0-9.,]+) *(km|m|mi|yd|ft|)", plain.strip(" ").lower())
    if not found:
        return None
    number, unit = found.groups()
    short = unit not in ("km", "mi")
    if re.fullmatch(r"[0-9]+", number):
        digits = number
    elif re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}", number) and short:
        digits = number.replace(".", "").replace(",", "")
    elif re.fullmatch(r"[0-9]+[.,][0-9]+", number):
        digits = number.replace(",", ".")
    elif re.fullmatch(r"[1-9][0-9]{0,2},[0-9]{3}\.[0-9]+", number):
        digits = number.replace(",", "")
    elif re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3},[0-9]+", number):
        digits = number.replace(".", "").replace(",", ".")
    else:
        return None
    return rounded(Decimal(digits) * Decimal(UNITS.get(unit, "1")))


def rounded(value: Decimal) -> int:
    return min(int(value.to_integral_value(ROUND_HALF_UP)), 2**32 - 1)


def meaning(line: str, evaluated: str) -> dict[str, Any]:
    """What is to be understood of a line, by what it evaluates to as JSON."""
    if len(line.removeprefix("\x10")) > 1_024:
        return {"kind": "dropped"}
    said = json.loads(evaluated)
    if "clock" in said:
        return clock(said["clock"], said["zone"])
    if levels(said) > 4:
        return {"kind": "unreadable"}

    def text(*names: str, most: int) -> Limited:
        texts = [said[name] for name in names if isinstance(said.get(name), str) and said[name]]
        return Limited(well_formed(texts[0] if texts else ""), most)

    match said["t"]:
        case "nav":
            return turn(said, text)
        case "call":
            stage = STAGES.get(str(said.get("cmd")), "unknown")
            return {"kind": "call", "stage": stage, "name": text("name", "number", most=128)}
        case "notify":
            return {
                "kind": "notice",
                **identifier(said),
                "app": text("src", most=256),
                "title": text("title", "sender", "src", most=128),
                "message": text("body", "subject", most=200),
            }
        case "notify-" if identifier(said):
            return {"kind": "removed", **identifier(said)}
        case "musicinfo":
            return {"kind": "track", "title": text("track", most=96), "artist": text("artist", most=96)}
        case "musicstate" if str(said.get("state")) in PLAYERS:
            return {"kind": "player", "state": PLAYERS[said["state"]]}
    return {"kind": "other"}


def clock(seconds: int, hours: float) -> dict[str, Any]:
    minutes = round(hours * 60)
    if not 0 <= seconds + 60 * minutes < 253_402_300_800:
        return {"kind": "unreadable"}
    return {"kind": "clock", "seconds": seconds, "minutes": minutes}


def identifier(said: dict[str, Any]) -> dict[str, int]:
    number = said.get("id")
    return {"identifier": number} if isinstance(number, int) and not isinstance(number, bool) else {}


def turn(said: dict[str, Any], text: Callable[..., Limited]) -> dict[str, Any]:
    if all(said.get(name) is None for name in ("instr", "distance", "action", "eta")):
        return {"kind": "over"}
    action = said.get("action")
    maneuver = ACTIONS.get(action, "unknown") if isinstance(action, str) else "unknown"
    found = 0 if maneuver == "offRoute" else metres(said.get("distance"))
    return {
        "kind": "turn",
        "maneuver": maneuver,
        **({} if found is None else {"distance": found}),
        "text": text("instr", most=503),
    }
