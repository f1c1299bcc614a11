"""Lines as Gadgetbridge writes them to a Bangle.js, at random, and what they mean by its sources and by JavaScript.

How a line is written is the bench's, as its phone writes them, too; what it means stands here. Both are from the
description of its classes `BangleJSDeviceSupport` and `GB`, and apart from the firmware's reader.
"""

import random
from collections.abc import Callable
from typing import Any

from lenker_bench.phone.gadgetbridge_lines import Number, Text, set_time, units, written

# What stands around a line while it is evaluated: a watch's functions, and a browser's `atob`.
WATCH = """
var heard = null;
function GB(message) { heard = message; }
function setTime(seconds) { heard = {clock: seconds}; }
var E = {setTimeZone: function (hours) { heard.zone = hours; }};
function require() { return {readJSON: function () {}, write: function () {}}; }
function atob(text) {
  var digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  var bits = 0, count = 0, result = "";
  for (var index = 0; index < text.length && text[index] != "="; index++) {
    bits = bits << 6 | digits.indexOf(text[index]);
    count += 6;
    if (count >= 8) { count -= 8; result += String.fromCharCode(bits >> count & 255); }
  }
  return result;
}
function evaluated(line) { heard = null; (0, eval)(line); return JSON.stringify(heard); }
"""


# What it has to say

WORDS = [
    "Hauptstraße",
    "Łódź",
    "Żółkiewskiego",
    "улица",
    "Ленина",
    "Ερμού",
    "הרצל",
    "الملك",
    "महात्मा",
    "गांधी",
    "ถนนสุขุมวิท",
    "日本橋",
    "세종대로",
    "Նալբանդյան",
    "რუსთაველის",
    "ቸርችል",
    "🚲",
    "👩\u200d🔧",
    "🇩🇪",
    "Hà",
    "Nội",
    "Þórsgata",
    "Çarşı",
    "Ñuñoa",
    "Ærø",
    "Österreich",
    "naïve",
    "12a",
    "C:\\",
    '"left"',
    "d'Azur",
    "5⅝",
    "¿qué?",
    "½",
    "©",
    "®",
    "\xad",
    "÷×",
]
ACTIONS = {
    "continue": "straight",
    "left": "left",
    "left_slight": "slightLeft",
    "left_sharp": "sharpLeft",
    "right": "right",
    "right_slight": "slightRight",
    "right_sharp": "sharpRight",
    "keep_left": "forkLeft",
    "keep_right": "forkRight",
    "uturn_left": "uTurn",
    "uturn_right": "uTurn",
    "offroute": "offRoute",
    "roundabout_right": "roundabout",
    "roundabout_left": "roundabout",
    "roundabout_straight": "roundabout",
    "roundabout_uturn": "roundabout",
    "finish": "finish",
}
STAGES = {
    "incoming": "incoming",
    "outgoing": "outgoing",
    "accept": "accepted",
    "start": "started",
    "reject": "refused",
    "end": "ended",
    "undefined": "unknown",
}
PLAYERS = {"play": "playing", "pause": "paused", "stop": "stopped"}
UNITS = {"m": "1", "km": "1000", "mi": "1609.344", "yd": "0.9144", "ft": "0.3048"}
BLANKS = "\u00a0\u202f\u2009"


class Author:
    """Makes lines of all kinds."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def line(self) -> str:
        """One line, as characters of ISO 8859-1, without its newline."""
        chance = self.chance
        kinds: list[Callable[[], Any]] = [
            self.turn,
            self.turn,
            self.turn,
            self.call,
            self.notice,
            self.track,
            self.other,
        ]
        kinds += [self.short, self.clock]
        made = chance.choice(kinds)()
        if isinstance(made, str):
            return "\x10" + made
        # Before 2025 it wrote the names of members without quotes.
        quote = "" if chance.random() < 0.1 else '"'
        return f"\x10GB({written(made, quote)})"

    def text(self, longest: int = 8) -> Text:
        chance = self.chance
        match chance.randrange(6):
            case 0:
                found = [chance.randrange(256) for _ in range(chance.randrange(2 * longest))]
            case 1:
                found = [chance.choice([*range(32), 48, 55, 56, 92, 34]) for _ in range(chance.randrange(longest))]
            case 2:
                found = [chance.choice([0xD83D, 0xDEB2, 97, 0xFFFF]) for _ in range(chance.randrange(longest))]
            case _:
                found = units(" ".join(chance.choice(WORDS) for _ in range(chance.randrange(longest))))
        return Text(found)

    def word(self, known: dict[str, str]) -> Text:
        return Text(units(self.chance.choice([*known, "merge", ""]))) if self.chance.random() < 0.95 else self.text()

    def number(self) -> Number:
        chance = self.chance
        digits = chance.choice(
            [
                str(chance.randrange(-10, 100_000)),
                str(chance.randrange(-(2**31), 2**31)),
                str(chance.randrange(2**63, 2**70)),
                f"{chance.randrange(-9, 5_000)}.{chance.randrange(100)}",
                f"{chance.randrange(1, 10)}.{chance.randrange(10_000)}E{chance.randrange(-20, 300)}",
            ]
        )
        return Number(digits)

    def distance(self) -> Any:
        chance = self.chance
        whole = chance.choice(
            ["0", str(chance.randrange(10)), str(chance.randrange(10_000)), str(2 ** chance.randrange(90))]
        )
        decimals = "".join(chance.choice("0123456789") for _ in range(chance.randrange(1, 5)))
        group = f"{chance.randrange(1_000):03}"
        number = chance.choice(
            [
                whole,
                whole,
                f"{whole}.{decimals}",
                f"{whole},{decimals}",
                f"{chance.randrange(1, 1_000)},{group}",
                f"{chance.randrange(1, 1_000)}.{group}",
                f"{chance.randrange(1, 1_000)},{group}.{decimals}",
                f"{chance.randrange(1, 1_000)}.{group},{decimals}",
            ]
        )
        unit = chance.choice([*UNITS, *UNITS, "", "parsecs", "KM", "Ft", "м", "km/h"])
        blank = chance.choice(["", " ", *BLANKS])
        text = blank * chance.randrange(2) + number + blank + unit + blank * chance.randrange(2)
        return chance.choice(
            [Text(units(text)), Text(units(text)), Text(units(text)), Text(units("-1m")), self.number()]
        )

    def members(self, kind: str, made: dict[str, Callable[[], Any]]) -> dict[str, Any]:
        """Some of these, in this order, and now and then one that no watch knows."""
        chance = self.chance
        found: dict[str, Any] = {"t": Text(units(kind))}
        for name, make in made.items():
            if chance.random() < 0.8:
                found[name] = make() if chance.random() < 0.97 or name == "id" else self.value(1)
        if chance.random() < 0.1:
            found["extra"] = self.value(1)
        return found

    def value(self, level: int) -> Any:
        """Anything, in an object of this level."""
        chance = self.chance
        match chance.randrange(7 if level < 6 else 4):
            case 0:
                return self.text()
            case 1:
                return self.number()
            case 2:
                return chance.random() < 0.5
            case 3:
                return None
            case 4:
                return {f"m{index}": self.value(level + 1) for index in range(chance.randrange(3))}
            case _:
                return [self.value(level + 1) for _ in range(chance.randrange(3))]

    def turn(self) -> dict[str, Any]:
        return self.members(
            "nav",
            {
                "instr": lambda: self.text(60) if self.chance.random() < 0.1 else self.text(),
                "distance": self.distance,
                "action": lambda: self.word(ACTIONS),
                "eta": lambda: self.chance.choice([Text(units("11:55")), self.text()]),
            },
        )

    def call(self) -> dict[str, Any]:
        return self.members("call", {"cmd": lambda: self.word(STAGES), "name": self.text, "number": self.text})

    def notice(self) -> dict[str, Any]:
        names = ("src", "title", "subject", "body", "sender", "tel")
        made: dict[str, Callable[[], Any]] = {"id": lambda: Number(str(self.chance.randrange(-(2**31), 2**31)))}
        return self.members("notify", made | {name: lambda: self.text(20) for name in names})

    def track(self) -> dict[str, Any]:
        made = {"artist": self.text, "album": self.text, "track": self.text, "dur": self.number, "c": self.number}
        return self.members("musicinfo", made)

    def other(self) -> dict[str, Any]:
        kind = self.chance.choice(["weather", "alarm", "calendar", "act", "http", "Nav", ""])
        return self.members(kind, {"d": lambda: self.value(1), "title": self.text})

    def short(self) -> dict[str, Any]:
        chance = self.chance
        return chance.choice(
            [
                self.members("nav", {}),
                self.members("is_gps_active", {}),
                self.members("find", {"n": lambda: chance.random() < 0.5}),
                self.members("musicstate", {"state": lambda: self.word(PLAYERS), "position": self.number}),
                self.members("notify-", {"id": lambda: Number(str(chance.randrange(-(2**31), 2**31)))}),
            ]
        )

    def clock(self) -> str:
        seconds = self.chance.randrange(2**31) if self.chance.random() < 0.9 else self.chance.randrange(2**40)
        zone = self.chance.randrange(-48, 57) / 4
        return set_time(seconds, zone)


# What it means
