"""`lenker-scan` as a program: how it ends, what it says, and who reads it."""

import asyncio
import os
import pty
import signal
import subprocess

import pytest

from streets import bytes_in, running_street, scan

UUID = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
GROUP = f"--group=home={UUID}"
LENGTH_OF_REPORT = 64  # bytes of a capture, about


async def started(command: list[str], *arguments: object, stdout: int = asyncio.subprocess.PIPE):
    return await asyncio.create_subprocess_exec(
        *command, *map(str, arguments), stdout=stdout, stderr=asyncio.subprocess.PIPE
    )


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        ("hci=usb0", 64, 'argument:1: "usb0" is not a valid value for hci'),
        ("hci=tcp:127.0.0.1:9", 69, "nobody listens there"),
        (f"locate {GROUP} --fingerprint a=/nowhere/a.json", 66, "/nowhere/a.json"),
    ],
)
async def test_what_is_wrong_has_its_status_and_a_sentence(scan_command, arguments, status, complaint):
    scanned = await scan(scan_command, *arguments.split())
    assert scanned.status == status
    assert complaint in scanned.complaint
    assert scanned.output == "" or scanned.lines[-1]["event"] == "summary"


async def test_behind_a_wrong_argument_the_usage_is_shown_whole(scan_command):
    usage = (await scan(scan_command, "--help")).output.partition("Tells what")[0]
    scanned = await scan(scan_command, f"--{'x' * 2000}")
    assert scanned.status == 64
    assert usage and scanned.complaint.endswith(f"\n{usage}")


async def test_help_and_version_are_for_standard_output(scan_command, lenker_command):
    shown = await scan(scan_command, "--help")
    assert (shown.status, shown.complaint) == (0, "")
    for command in ("inspect", "train", "locate", "switch"):
        assert f"\n  lenker-scan {command} " in shown.output
    version = await scan(scan_command, "--version")
    firmware = await scan(lenker_command, "--version")
    assert version.output == firmware.output.replace("lenker", "lenker-scan")


async def test_a_signal_ends_it_politely(scan_command):
    async with running_street("--street=20") as street:
        process = await started(scan_command, f"hci=tcp:127.0.0.1:{street.port}")
        first = await process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        rest = await process.stdout.read()
        assert await process.wait() == 0
        assert first.startswith(b'{"t":')
        assert b'"event":"summary","lost":0}' in rest.splitlines()[-1]


async def test_a_radio_that_goes_ends_it_with_69(scan_command):
    async with running_street("--street=20") as street:
        process = await started(scan_command, f"hci=tcp:127.0.0.1:{street.port}")
        await process.stdout.readline()
        await street.stop()
        output, complaint = await process.communicate()
    assert process.returncode == 69
    assert complaint.startswith(b"lenker-scan: tcp:127.0.0.1:")
    # It does not come back by itself, as Lenker does.
    assert complaint.endswith(b"the controller closed the connection; start lenker-scan again\n")
    assert b'"event":"summary","lost":0}' in output.splitlines()[-1]


async def test_a_closed_pipe_ends_it_with_0(scan_command):
    async with running_street("--street=20") as street:
        command = " ".join([*scan_command, f"hci=tcp:127.0.0.1:{street.port}"])
        process = await asyncio.create_subprocess_shell(
            f"set -o pipefail; {command} | head -n 3",
            executable="/bin/bash",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, complaint = await process.communicate()
    assert (process.returncode, complaint) == (0, b"")
    assert len(output.splitlines()) == 3


async def test_a_full_disk_ends_it(scan_command):
    async with running_street("--street=20") as street:
        with open("/dev/full", "wb") as full:
            process = await started(scan_command, f"hci=tcp:127.0.0.1:{street.port}", stdout=full.fileno())
            assert await process.wait() == 0


async def test_who_reads_slowly_is_told_what_was_lost(scan_command, tmp_path):
    """Nobody reads for the first 4,000: the pipe and 64 lines are full, and each line that is out is whole."""
    capture = tmp_path / "capture"
    async with running_street("--street=200", "--rate=2000") as street:
        reading, writing = os.pipe()
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        process = await started(scan_command, radio, f"btsnoop=file:{capture}", stdout=writing)
        os.close(writing)
        await bytes_in(capture, 4_000 * LENGTH_OF_REPORT)
        with open(reading) as output:
            first = await asyncio.to_thread(output.readline)
            rest = asyncio.create_task(asyncio.to_thread(output.read))
            process.send_signal(signal.SIGINT)
            lines = [first.rstrip(), *(await rest).splitlines()]
        assert await process.wait() == 0
    assert all(line.startswith("{") and line.endswith("}") for line in lines)
    assert '"event":"summary"' in lines[-1]
    assert int(lines[-1].rpartition(":")[2].rstrip("}")) > 1_000


async def test_it_ends_with_its_reader_though_nothing_is_to_be_told(scan_command):
    """Else it would keep the radio, as nobody else is there who advertises that."""
    async with running_street("--street=5") as street:
        reading, writing = os.pipe()
        process = await started(scan_command, f"hci=tcp:127.0.0.1:{street.port}", "--service=FFF0", stdout=writing)
        os.close(writing)
        os.close(reading)
        assert await process.wait() == 0


async def test_a_terminal_gets_a_table(scan_command):
    async with running_street("--street=30") as street:
        main, other = pty.openpty()
        process = await started(scan_command, f"hci=tcp:127.0.0.1:{street.port}", "--seconds=2", stdout=other)
        os.close(other)
        shown = await asyncio.to_thread(read_all, main)
        assert await process.wait() == 0
    assert "ADDRESS" in shown and "SIGNAL" in shown and "#" in shown
    assert '"event"' not in shown
    # The screen, the cursor and the breaking of lines are as they were.
    assert shown.count("\x1b[?1049h") == shown.count("\x1b[?1049l") == 1
    assert shown.rstrip().endswith("\x1b[?7h")
    assert "\x1b[?25h" in shown


def read_all(descriptor: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(descriptor, 4096)
        except OSError:  # The other side of the terminal is closed.
            break
        if not part:
            break
        parts.append(part)
    os.close(descriptor)
    return b"".join(parts).decode()


def test_it_is_small(scan_command):
    """No cryptography, no panel, no fonts: only what listens."""
    symbols = subprocess.run(["nm", "-D", scan_command[-1]], capture_output=True, text=True, check=True).stdout
    assert "mbedtls" not in symbols
