"""The program as a learner sees it: letters go in, and what it said and told comes out."""

import copy
import json
from pathlib import Path

from aalpy.base import SUL

import peer as smp
from chip import Chip
from peer import Peer
from program import Program

COMMANDS = {
    "features": smp.RESPONSE,
    "key": smp.PUBLIC_KEY,
    "confirm": smp.CONFIRM,
    "random": smp.RANDOM,
    "check": smp.CHECK,
    "identity": smp.IRK_IS,
    "address": smp.ADDRESS_IS,
    "failed": smp.FAILED,
    "security": smp.SECURITY,
}
WRONG_KEY = bytes(15) + b"\x01"


class Device(SUL):
    """A role of the device, which has never met a phone when a word begins.

    `pre` and `post` may be nested: then a word goes on from where another one is.
    """

    def __init__(self, command: list[str], role: str, folder: Path) -> None:
        super().__init__()
        self.is_central = role == "central"
        advertise = "off" if self.is_central else "on"
        keys = ["pairing=required", f"advertise={advertise}", "sensors=off", "panel=ssd1306-64x48"]
        self.program = Program(command, keys, folder)
        self.chip = Chip()
        self.peer = Peer(self.chip)
        self.is_bonded = False
        self.told: list[dict] = []
        self._kept: list[tuple[Chip, Peer, bool]] = []
        self._pass(1000)

    @property
    def alphabet(self) -> list[str]:
        commands = [name for name in COMMANDS if self.is_central or name != "security"]
        keys = ["right key", "wrong key", *(["no key"] if self.is_central else [])]
        return ["phone", "stranger", *commands, "wrong check", *keys, "turn", "A", "B", "31 s", "link ends"]

    def pre(self) -> None:
        self.program.copy()
        self._kept.append((self.chip, self.peer, self.is_bonded))
        self.chip, self.peer = copy.deepcopy((self.chip, self.peer))

    def post(self) -> None:
        self.program.forget_copy()
        self.chip, self.peer, self.is_bonded = self._kept.pop()

    def step(self, letter: str) -> str:
        self.chip.said, self.told = [], []
        self._do(letter)
        self._go_on()
        return ", ".join([*self.chip.said, *filter(None, map(self._word, self.told))]) or "-"

    def _word(self, event: dict) -> str:
        """What an event is to the learner: nothing, if only what is remembered besides the keys has changed."""
        match event["event"], event.get("state"):
            case "bond", "saved":
                key = self.peer.key()
                if key == self.peer.kept or not self.program.has_kept(key):
                    return ""
                self.is_bonded, self.peer.kept = True, key
            case "instruction", _:
                return "turn"
            case "pairing" | "bond", _:
                pass
            case _:
                return ""
        return f"{event['event']} {event['state']}"

    def _do(self, letter: str) -> None:
        chip, peer = self.chip, self.peer
        match letter:
            case "31 s":
                self._pass(31_000, with_link=bool(chip.peer))
            case "A" | "B":
                self._press(letter.lower())
            case "stranger" if not self.is_bonded:
                pass  # whom the rider agrees to is the phone
            case "phone" | "stranger":
                if not chip.peer:
                    self._come(peer.comes(letter == "stranger"))
            case _ if not chip.peer:
                pass
            case "features" if not chip.is_central:
                peer.say(smp.REQUEST)
            case "wrong check":
                peer.say_wrong_check()
            case "right key":
                chip.encrypt(peer.key() or WRONG_KEY)
            case "wrong key":
                chip.encrypt(WRONG_KEY)
            case "no key":
                chip.encrypt(None)
            case "turn":
                peer.turn()
            case "link ends":
                chip.end()
            case _:
                peer.say(COMMANDS[letter])

    def _press(self, button: str) -> None:
        """Until something comes of it, or all pages were turned and the first one is there again."""
        for _ in range(6 if button == "a" else 2):
            self.program.press(button)
            self._go_on()
            if self.chip.said or any(event["event"] in ("scan", "pairing") for event in self.told):
                break

    def _come(self, address: bytes) -> None:
        """Somebody is near for some seconds: longer than the device rests after another link."""
        for _ in range(1 if self.is_central and self.peer.is_stranger else 20):
            if self.is_central:
                if not self.chip.is_scanning and not self.chip.wanted:
                    break
                self.chip.advertise(address)
                self._pass(0)
                self.chip.connect_wanted(address)
            else:
                self.chip.come(address)
            if self.chip.peer:
                self.chip.said.append("linked")
                break
            self._pass(100)

    def _go_on(self) -> None:
        self.program.go_on()
        self._pass(0)

    def _pass(self, milliseconds: int, with_link: bool = False) -> None:
        """Lets time pass; `with_link`: no longer than there is one."""
        end = self.program.now + milliseconds
        while True:
            self.chip.take(self.program.heard())
            if self.chip.queue:
                self.program.radio.send(self.chip.queue)
                self.chip.queue = b""
                self.program.go_on()
            elif self.program.now < end and (self.chip.peer or not with_link):
                self.program.go_on(end)
            else:
                break
        self.told += map(json.loads, self.program.told().splitlines())
