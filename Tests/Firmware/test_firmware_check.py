"""`--check` on a terminal, and its test picture; what it says of real devices is in `Tests/Machine/check.txt`."""

import asyncio
import contextlib
import os
import pty
import resource
import signal
import struct
import subprocess
import zlib
from collections.abc import AsyncIterator

import pytest

import silent
from lenker_bench.view.pbm import Picture, read_picture
from lenker_bench.view.sheet import expected_picture


@pytest.fixture
def check(lenker_command, tmp_path):
    """`check(terminal, *keys, NAME=value)`: what it says to a terminal or a pipe, with these variables alone."""

    (tmp_path / "frames").mkdir()

    def run(is_terminal: bool, *keys: str, **variables: str) -> str:
        usual = ["hci=tcp:127.0.0.1:1"] if not any(key.startswith("hci=") for key in keys) else []
        command = [*lenker_command, "--check", f"display=pbm:{tmp_path}/frames", *usual, *keys]
        if not is_terminal:
            done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=False)
            return done.stdout.decode()
        ours, theirs = pty.openpty()
        with open(ours, "rb", buffering=0) as screen:
            subprocess.run(command, env=variables, stdout=theirs, check=False)
            os.close(theirs)
            return read_all(screen.fileno()).replace("\r\n", "\n")

    return run


def read_all(terminal: int) -> str:
    """What has been printed to a terminal that nobody has open any more."""
    said = b""
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            return said.decode()


def test_a_terminal_gets_colours_and_a_line_for_each_part(check, tmp_path):
    said = check(True, TERM="xterm", NO_COLOR="").splitlines()
    assert said[0].startswith("\x1b[31mfailed\x1b[0m hci tcp:127.0.0.1:1: nobody listens there")
    assert said[1:] == [f"\x1b[32mok\x1b[0m display {tmp_path}/frames", "  the test picture is in frame 1"]


@pytest.mark.parametrize("variables", [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}, {}], ids=str)
def test_a_terminal_that_wants_or_knows_no_colours_gets_none(check, tmp_path, variables):
    said = check(True, **variables)
    assert "\x1b" not in said
    assert said.splitlines()[1:] == [f"ok display {tmp_path}/frames", "  the test picture is in frame 1"]


def test_a_pipe_gets_one_line_a_device_without_colours(check, tmp_path):
    said = check(False, TERM="xterm").splitlines()
    assert [line.split()[:2] for line in said] == [["failed", "hci"], ["ok", "display"]]
    assert said[1] == f"ok display {tmp_path}/frames; the test picture is in frame 1"


def turned(picture: Picture) -> tuple:
    return tuple(row[::-1] for row in picture.rows[::-1])


@pytest.mark.parametrize("panel", ["ssd1306-72x40", "sh1107-128x128"])
def test_the_test_picture_is_on_the_glass_of_each_panel(check, tmp_path, panel):
    expected = expected_picture("check", panel.split("-")[1])
    check(False, f"panel={panel}")
    check(False, f"panel={panel}", "rotation=180")
    assert read_picture(tmp_path / "frames" / "frame-000001.pbm") == expected
    assert read_picture(tmp_path / "frames" / "latest.pbm").rows == turned(expected)


def test_the_pictures_of_an_earlier_run_stay(check, tmp_path):
    frames = tmp_path / "frames"
    for number in (1, 41):
        (frames / f"frame-{number:06}.pbm").write_text("of a ride")
    assert "the test picture is in frame 42" in check(False)
    assert (frames / "frame-000041.pbm").read_text() == "of a ride"
    assert read_picture(frames / "frame-000042.pbm") == expected_picture("check")


def test_a_check_leaves_no_file_behind_and_every_link_alone(check, tmp_path):
    """A file that root made would be of no use to a service without root."""
    store, events, link = tmp_path / "new" / "bond", tmp_path / "events", tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    report = tmp_path / "report"
    shown = check(False, f"store={store}", f"events=file:{events}", f"report=file:{report}")
    assert f"ok report {report}" in shown
    assert not store.exists() and not events.exists() and not report.exists(), "though the radio fails"
    check(True, f"store={link}")
    check(False, f"btsnoop=file:{link}")
    assert link.is_symlink()
    assert f"ok buttons {tmp_path}/fifo" in check(False, f"buttons=fifo:{tmp_path}/fifo")
    assert not (tmp_path / "fifo").exists()


def test_a_report_goes_to_a_file_and_no_other_kind(check, tmp_path):
    """What is there stays as it is."""
    report, fifo = tmp_path / "report", tmp_path / "fifo"
    report.write_bytes(b"of a ride")
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    said = {path: check(False, f"report=file:{path}").splitlines()[-1] for path in (report, fifo, tmp_path)}
    os.close(reader)
    assert said[report] == f"ok report {report}"
    assert said[fifo] == f"failed report {fifo}: the path is another kind of file: remove it or choose another path"
    assert said[tmp_path] == f"failed report {tmp_path}: the path is a folder: choose a file"
    assert report.read_bytes() == b"of a ride" and fifo.is_fifo()
    gone = tmp_path / "gone" / "report"
    assert check(False, f"report=file:{gone}").splitlines()[-1] == f"failed report {gone}: no such file or folder"


def test_a_check_leaves_no_folder_behind_and_makes_none_at_a_mistyped_path(lenker_command, tmp_path):
    new, typo = tmp_path / "new", tmp_path / "vra" / "lib" / "lenker"
    said = {}
    for folder in (new, typo):
        keys = ["hci=tcp:127.0.0.1:1", f"display=pbm:{folder}", f"store={folder}/bond"]
        done = subprocess.run([*lenker_command, "--check", *keys], stdout=subprocess.PIPE, text=True, check=False)
        said[folder] = done.stdout.splitlines()[1:]
    assert said[new] == [
        f"ok display {new}; can be written to; the folder is made when lenker starts",
        f"ok store {new}/bond; writable, remembers no phone",
    ]
    assert [line.split()[:2] for line in said[typo]] == [["failed", "display"], ["failed", "store"]]
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_made_whole_is_not_left_behind(lenker_command, tmp_path):
    """A file that could be made, and then there was no room for its second half."""

    def limit_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    store = tmp_path / "bond"
    said = subprocess.run(
        [*lenker_command, "--check", "hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}", f"store={store}"],
        stdout=subprocess.PIPE,
        check=False,
        preexec_fn=limit_files,
    ).stdout.decode()
    assert said.splitlines()[-1].startswith(f"failed store {store}: ")
    assert not store.exists()


def test_a_store_is_told_by_the_name_in_it_and_by_what_is_wrong(check, tmp_path):
    store = tmp_path / "bond"
    assert check(False, f"store={store}").splitlines()[-1] == f"ok store {store}; writable, remembers no phone"
    store.write_bytes(b"a letter to a friend")
    assert check(False, f"store={store}").splitlines()[-1] == (
        f"ok store {store}; not a store of ours: the start keeps a file aside as .other"
    )
    assert store.read_bytes() == b"a letter to a friend"


def half_with_sensors(*sensors: tuple[int, bytes]) -> bytes:
    """A record that remembers no phone, and these: see `BondRecord` and `RememberedSensors`."""
    half = bytearray(struct.pack("<8sBBHI", b"\x89LKBOND\n", 2, 2, 0, 1).ljust(508, b"\0"))
    for kind, name in sensors:
        address = bytes([kind, 5, 4, 3, 2, 0xD1])
        place = 284 + 56 * kind
        half[place : place + 33] = struct.pack("<BB6sHHB20s", 1, 1, address, 16, 17, len(name), name)
    return bytes(half) + struct.pack("<I", zlib.crc32(half))


def test_the_sensors_that_are_remembered_are_told_with_kind_name_and_address(check, tmp_path):
    store = tmp_path / "bond"
    store.write_bytes(half_with_sensors((0, b"Polar H10"), (1, b""), (2, "Kürbel\x1b".encode()), (3, b"RTL516")))
    store.chmod(0o600)
    assert check(False, f"store={store}").splitlines()[-1] == "; ".join(
        [
            f"ok store {store}",
            "writable, remembers no phone",
            'heart sensor "Polar H10" D1:02:03:04:05:00',
            "speed sensor D1:02:03:04:05:01",
            'power sensor "Kürbel?" D1:02:03:04:05:02',
            'radar sensor "RTL516" D1:02:03:04:05:03',
        ]
    )
    store.write_bytes(half_with_sensors((3, b"")))
    said = check(False, f"store={store}").splitlines()[-1]
    assert said == f"ok store {store}; writable, remembers no phone; radar sensor D1:02:03:04:05:03"


def half_with_apps(*names: str) -> bytes:
    """A record of a phone without keys, and of these apps: see `BondRecord` and `SeenApps`."""
    half = bytearray(struct.pack("<8sBBHI", b"\x89LKBOND\n", 2, 1, 81, 1).ljust(508, b"\0"))
    half[17:24] = bytes([1, 1, 0, 0, 0xEE, 0xFF, 0xC0])
    apps = b"".join(bytes([len(name.encode())]) + name.encode() for name in names)
    half[108 : 108 + len(apps)] = apps
    return bytes(half) + struct.pack("<I", zlib.crc32(half))


def test_the_apps_that_have_notified_are_told_and_no_text(check, tmp_path):
    store = tmp_path / "bond"
    store.write_bytes(half_with_apps("net.whatsapp.WhatsApp", "Büro Post"))
    store.chmod(0o600)
    assert check(False, f"store={store}").splitlines()[-1] == "; ".join(
        [
            f"ok store {store}",
            "writable, remembers a phone without a name",
            "notified lately: net.whatsapp.WhatsApp, Büro Post",
        ]
    )


class Controller:
    """Answers each command of a bring-up at once; those that it does not know with Unknown HCI Command.

    Core Specification, Vol 4, Part E, 7.7.14.
    """

    port = 0
    RESET, VERSION, COMMANDS, ADDRESS = 0x0C03, 0x1001, 0x1002, 0x1009
    LE_BUFFERS, LE_FEATURES = 0x2002, 0x2003
    EVENT_MASK, LE_EVENT_MASK, LE_STATES = 0x0C01, 0x2001, 0x201C

    def __init__(self, answers: dict[int, bytes]) -> None:
        self._answers = {
            self.RESET: b"",
            self.VERSION: struct.pack("<BHBHH", 9, 0, 9, 15, 0),
            self.ADDRESS: bytes.fromhex("665544332211"),
            self.EVENT_MASK: b"",
            self.LE_EVENT_MASK: b"",
        } | answers

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                _, opcode, length = struct.unpack("<BHB", await reader.readexactly(4))
                await reader.readexactly(length)
                known = opcode in self._answers
                answer = bytes([0 if known else 1]) + self._answers.get(opcode, b"")
                writer.write(struct.pack("<BBBBH", 0x04, 0x0E, 3 + len(answer), 1, opcode) + answer)
        writer.close()


@contextlib.asynccontextmanager
async def serving(answers: dict[int, bytes]) -> AsyncIterator[str]:
    """A controller with these answers beside the usual ones; how the board file names it."""
    server = await asyncio.start_server(Controller(answers).serve, "127.0.0.1", 0)
    try:
        yield f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def of_radio(check, answers: dict[int, bytes] | None, *keys: str) -> str:
    """What is said of such a controller, or of one that says nothing, without its name."""
    async with contextlib.AsyncExitStack() as stack:
        if answers is None:
            hci = f"tcp:127.0.0.1:{(await stack.enter_async_context(silent.serving())).port}"
        else:
            hci = await stack.enter_async_context(serving(answers))
        said = await asyncio.to_thread(check, False, f"hci={hci}", *keys)
    line = next(line for line in said.splitlines() if " hci " in line)
    return line.replace(f" hci {hci}: ", " ")


def states(*bits: int) -> dict[int, bytes]:
    """LE Read Supported States (Core Specification, Vol 4, Part E, 7.8.27) with these bits."""
    return {Controller.LE_STATES: struct.pack("<Q", sum(1 << bit for bit in bits))}


BUFFERS = {Controller.LE_BUFFERS: struct.pack("<HB", 251, 12)}
BARE = BUFFERS | {Controller.LE_FEATURES: bytes(8)}
WHOLE = BUFFERS | {Controller.LE_FEATURES: bytes.fromhex("2101000000000000")}  # bits 0, 5 and 8
# Advertising and keys: octets 25, 26 and 28 of Supported Commands (6.27).
ROLES = WHOLE | {Controller.COMMANDS: bytes(25) + bytes([0xA0, 0x03, 0, 0x06]) + bytes(35)}
UP = "ok controller 11:22:33:44:55:66, HCI version 9 (Bluetooth 5.0); ACL buffers: 12 of 251 bytes; "
CAN = f"{UP}LE encryption, LE Secure Connections by lenker itself, long packets, LE 2M"
NO_STATES = "; does not say whether it can have sensors beside the phone"
ONE_LINK = "; no sensors: it cannot search or connect beside a link; use another controller, or sensors = off"
COMES = f"{CAN}; a phone can connect by itself"


@pytest.mark.parametrize(
    ("answers", "keys", "expected"),
    [
        (WHOLE, "", CAN + NO_STATES),
        (WHOLE | states(24, 25, 28), "", f"{CAN}; sensors beside the phone"),
        (WHOLE | states(*set(range(64)) - {24}), "", CAN + ONE_LINK),
        (WHOLE | states(*set(range(64)) - {28}), "", CAN + ONE_LINK),
        (WHOLE | states(24, 25, 28), "sensors=off", CAN),
        (
            WHOLE,
            "sensors=off notifications=WhatsApp,Signal",
            f"{CAN}; notifications of a paired iPhone; calls, and the apps WhatsApp,Signal",
        ),
        (WHOLE, "sensors=off notifications=calls music=on", f"{CAN}; calls and music of a paired iPhone"),
        (
            WHOLE,
            "sensors=off notifications=calls pairing=off",
            f"{CAN}; calls of a paired iPhone; no phone is paired with pairing = off: take that out of the board file",
        ),
        (
            ROLES | states(10, 14, 35),
            "sensors=off advertise=on",
            f"{COMES}: advertising while listening, beside sensors (LE states 800004400)",
        ),
        (
            ROLES | states(10, 28),
            "sensors=off advertise=on",
            f"{COMES}: advertising in turn with listening, not beside sensors (LE states 10000400)",
        ),
        (ROLES, "sensors=off advertise=on", f"{COMES}; the chip does not say beside what"),
        (
            WHOLE,
            "sensors=off advertise=on",
            f"{CAN}; no phone can connect by itself: the chip does not advertise; "
            "use another controller, or advertise = off",
        ),
        (
            BARE,
            "",
            f"{UP}no LE encryption{NO_STATES}; no phone can be paired without encryption: use another controller, "
            "or pairing = off",
        ),
        (BARE, "pairing=off", f"{UP}no LE encryption{NO_STATES}"),
        ({}, "", "failed the controller has no Low Energy: use one of Bluetooth 4.0 or later"),
        (
            None,
            "",
            "failed the controller does not answer command 0x0c03; "
            "see in dmesg whether its firmware was loaded, and cut its power once",
        ),
    ],
)
async def test_a_controller_is_told_with_what_it_can_do_or_what_to_do_about_it(check, answers, keys, expected):
    assert await of_radio(check, answers, *keys.split()) == expected


# The registers that each gauge answers with: PiSugar's own example, 4.127 V, and then 6 V; 0x02 is its output switch.
CHARGED = bytes.fromhex("0000c4") + bytes(31) + bytes.fromhex("101f") + bytes(6) + b"\x60" + bytes(213)
BOILING = CHARGED[:34] + bytes.fromhex("1770") + CHARGED[36:]


@pytest.mark.parametrize(
    ("gauge", "file", "content", "expected"),
    [
        ("pisugar3", "gauge-57", CHARGED, "ok battery pisugar3 at 0x57; 96%, 4.127 V, charging"),
        (
            "pisugar3",
            "gauge-57",
            BOILING,
            "failed battery pisugar3 at 0x57: 6.000 V and 96% cannot be one lithium cell",
        ),
        (
            "ina219@0x40",
            "gauge-40",
            bytes(256),
            "failed battery ina219 at 0x40: it is switched off by its configuration",
        ),
    ],
    ids=["well", "6 V", "off"],
)
def test_what_a_gauge_says_of_the_battery_or_what_is_wrong_with_it(check, tmp_path, gauge, file, content, expected):
    (tmp_path / "frames" / file).write_bytes(content)
    (line,) = [line for line in check(False, f"battery={gauge}").splitlines() if " battery " in line]
    assert line.startswith(expected)
