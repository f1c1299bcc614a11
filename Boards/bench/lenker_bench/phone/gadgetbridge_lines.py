"""How Gadgetbridge writes a line to a Bangle.js: JavaScript in ISO 8859-1, as its class `BangleJSDeviceSupport` does.

A text here is a list of code units of UTF-16, as Java and JavaScript have them.
"""

import base64
from dataclasses import dataclass
from typing import Any

Units = list[int]

SHORT_ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 16: "\\20", 34: '\\"', 92: "\\\\"}


@dataclass
class Text:
    units: Units


@dataclass
class Number:
    """A number in Java's digits."""

    digits: str


def units(text: str) -> Units:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(raw[index : index + 2], "little") for index in range(0, len(raw), 2)]


def written_text(text: Units) -> str:
    """A text as it writes them: quoted with escapes, or in Base64 if that is shorter."""
    written = '"'
    for index, unit in enumerate(text):
        following = text[index + 1] if index + 1 < len(text) else 0
        if unit < 8:
            written += f"\\x0{unit}" if 48 <= following <= 55 else f"\\{unit}"
        elif unit in SHORT_ESCAPES:
            written += SHORT_ESCAPES[unit]
        elif unit < 32 or unit in (127, 173) or 0xC2 <= unit <= 0xF4:
            written += f"\\x{unit:02x}"
        elif unit > 255:
            written += f"\\u{unit:04x}"
        else:
            written += chr(unit)
    if all(unit <= 255 for unit in text) and len(written) > 5 + len(text) * 4 // 3:
        return f'atob("{base64.b64encode(bytes(text)).decode()}")'
    return written + '"'


def written(value: Any, quote: str = '"') -> str:
    """A value of a line; names of members stand between two `quote`s."""
    match value:
        case Text():
            return written_text(value.units)
        case str():
            return written_text(units(value))
        case Number():
            return value.digits
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case None:
            return "null"
        case list():
            return f"[{','.join(written(item, quote) for item in value)}]"
        case dict():
            members = (f"{quote}{name}{quote}:{written(item, quote)}" for name, item in value.items())
            return "{" + ",".join(members) + "}"
    raise TypeError(value)


def line(kind: str, members: dict[str, Any]) -> bytes:
    """The bytes of a line that says this; members that are `None` are left out, as Java does it."""
    said = {"t": kind} | {name: value for name, value in members.items() if value is not None}
    return as_line(f"GB({written(said)})")


def as_line(script: str) -> bytes:
    return f"\x10{script}\n".encode("latin-1")


def set_time(seconds: int, zone: float) -> str:
    """The script that sets the clock: seconds since 1970, and the zone in hours."""
    return (
        f"setTime({seconds});E.setTimeZone({zone});(s=>{{s&&(s.timezone={zone})&&"
        "require('Storage').write('setting.json',s);})(require('Storage').readJSON('setting.json',1))"
    )
