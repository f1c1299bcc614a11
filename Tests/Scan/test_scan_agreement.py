"""`lenker-scan` beside Bumble's parser and Wireshark's, on all the advertisements of one air."""

import json
import re

import pytest
from bumble import core

import tshark
from builds import AARCH64
from streets import Scanned, running_street, scan_into_file

SHORT_LISTS = {0x02: 2, 0x03: 2, 0x04: 4, 0x05: 4, 0x06: 16, 0x07: 16}
SERVICE_DATA = {0x16: 2, 0x20: 4, 0x21: 16}
SHORTENED_NAME, COMPLETE_NAME, POWER, MANUFACTURER = 0x08, 0x09, 0x0A, 0xFF
ALWAYS_THERE = {"t", "event", "handle", "type", "kind", "rssi", "raw"}
IBEACON = bytes.fromhex("4c000215")
CONTROLS = "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"


def text_of(uuid: bytes) -> str:
    """A UUID as the tool writes it, by Bumble: the shortest form, in upper case."""
    return core.UUID.from_bytes(uuid).to_hex_str("-") if len(uuid) == 16 else uuid[::-1].hex().upper()


def well_formed(data: bytes) -> tuple[bytes, bool]:
    """The structures before one that is longer than what is left, and whether there is such a one."""
    position = 0
    while position < len(data) and data[position]:
        end = position + 1 + data[position]
        if end > len(data):
            return data[:position], True
        position = end
    return data[:position], False


def fields_by_bumble(data: bytes) -> dict:
    """The fields that are told of an advertisement, as Bumble's parser reads them."""
    whole, is_malformed = well_formed(data)
    structures = core.AdvertisingData.from_bytes(whole).ad_structures
    found: dict = {}
    names = {kind: value for kind, value in reversed(structures) if kind in (SHORTENED_NAME, COMPLETE_NAME) and value}
    if names:
        # What moves a cursor, or turns the writing round, is left out of each name.
        found["name"] = re.sub(CONTROLS, "", names[max(names)].decode("utf-8", errors="replace"))
    for kind, value in structures:
        if kind == POWER and len(value) == 1 and "power" not in found:
            found["power"] = int.from_bytes(value, signed=True)
        if kind == MANUFACTURER and len(value) >= 2 and "manufacturer" not in found:
            found["manufacturer"] = {"company": int.from_bytes(value[:2], "little"), "data": list(value[2:])}
            if value[:4] == IBEACON and len(value) == 25:
                found["ibeacon"] = {
                    "uuid": core.UUID.from_bytes(value[4:20][::-1]).to_hex_str("-"),
                    "major": int.from_bytes(value[20:22]),
                    "minor": int.from_bytes(value[22:24]),
                    "power": int.from_bytes(value[24:25], signed=True),
                }
        if size := SHORT_LISTS.get(kind):
            listed = [value[index : index + size] for index in range(0, len(value) - size + 1, size)]
            found.setdefault("services", []).extend(map(text_of, listed))
        if (size := SERVICE_DATA.get(kind)) and len(value) >= size:
            found.setdefault("serviceData", {}).setdefault(text_of(value[:size]), list(value[size:]))
    if is_malformed:
        found["malformed"] = True
    return found


def header(line: dict, data: str, address: str) -> tuple:
    return line[address], line["type"], line["kind"], line["rssi"], line[data]


def told(scanned: Scanned) -> list[dict]:
    assert scanned.complaint == ""
    assert scanned.status == 0
    *lines, summary = scanned.lines
    assert (summary["event"], summary["lost"]) == ("summary", 0)
    return [line for line in lines if line["event"] == "advertisement"]


@pytest.mark.thorough
async def test_ten_thousand_advertisements_are_what_two_others_read(scan_command, tmp_path):
    sent, capture = tmp_path / "sent", tmp_path / "capture"
    keys = f"btsnoop=file:{capture}"
    options = ("--street=400", "--rate=2000", "--seed=1", f"--sent={sent}", "--gatt")
    async with running_street(*options) as street:
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        scanned = await scan_into_file(scan_command, tmp_path / "lines", 2_200_000, radio, keys)
        await street.stop()
    lines = told(scanned)
    assert len(lines) >= 10_000

    # The air: nothing is lost, doubled or changed; the end of the scan may come amid the last of them.
    reported = [header(line, "data", "address") for line in map(json.loads, sent.open()) if line["reported"]]
    assert [header(line, "raw", "handle") for line in lines] == reported[: len(lines)]

    # Bumble: each field.
    wrong = []
    for line in lines:
        line.pop("crownstone", None)
        line.pop("sensor", None)
        fields = {
            key: value
            for key, value in line.items()
            if key not in ("t", "event", "handle", "type", "kind", "rssi", "raw")
        }
        expected = fields_by_bumble(bytes.fromhex(line["raw"]))
        if fields != expected:
            wrong.append((line["raw"], fields, expected))
    assert wrong == []

    # Wireshark: who and how strong, in the capture. It reads no further in a packet whose data it does not understand.
    fields = ("bthci_evt.bd_addr", "bthci_evt.rssi")
    packets = tshark.read(capture, *fields, only="bthci_evt.le_meta_subevent == 0x02")[: len(lines)]
    assert [address for address, _ in packets] == [line["handle"].lower() for line in lines]
    strengths = [str(127 if line["rssi"] is None else line["rssi"]) for line in lines]
    read = [(theirs, ours) for (_, theirs), ours in zip(packets, strengths, strict=True) if theirs]
    assert len(read) > len(lines) * 0.9
    assert [pair for pair in read if pair[0] != pair[1]] == []


@pytest.mark.parametrize("build", [AARCH64], indirect=True)
async def test_the_build_for_a_board_tells_the_same(build, scan_command, tmp_path):
    sent = tmp_path / "sent"
    async with running_street("--street=60", f"--sent={sent}") as street:
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        scanned = await scan_into_file(scan_command, tmp_path / "lines", 60_000, radio)
        await street.stop()
    lines = told(scanned)
    reported = [header(line, "data", "address") for line in map(json.loads, sent.open()) if line["reported"]]
    assert len(lines) > 200
    assert [header(line, "raw", "handle") for line in lines] == reported[: len(lines)]


def test_the_reading_here_knows_what_a_structure_is():
    """The oracle of these tests, by hand."""
    assert well_formed(bytes.fromhex("020106")) == (bytes.fromhex("020106"), False)
    assert well_formed(bytes.fromhex("0201060509")) == (bytes.fromhex("020106"), True)
    assert fields_by_bumble(bytes.fromhex("03030d18")) == {"services": ["180D"]}
