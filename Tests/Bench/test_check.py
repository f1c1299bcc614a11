"""`--check` on a terminal, and its test picture; what it says of real devices is in `Tests/Machine/check.txt`."""

import os
import pty
import subprocess

import pytest

from lenker_bench.pbm import Picture, read_picture
from lenker_bench.processes import ROOT

PICTURES = ROOT / "Tests" / "ScreensTests" / "Pictures"
PANELS = ["ssd1306-128x64", "ssd1306-128x32", "ssd1306-64x48", "ssd1306-72x40", "sh1106-128x64"]


@pytest.fixture
def check(lenker_command, tmp_path):
    """`check(terminal, *keys, NAME=value)`: what it says to a terminal or a pipe, with these variables alone."""

    def run(is_terminal: bool, *keys: str, **variables: str) -> str:
        command = [*lenker_command, "--check", "hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}/frames", *keys]
        if not is_terminal:
            return subprocess.run(command, env=variables, stdout=subprocess.PIPE, timeout=60).stdout.decode()
        ours, theirs = pty.openpty()
        with open(ours, "rb", buffering=0) as screen:
            subprocess.run(command, env=variables, stdout=theirs, timeout=60)
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


@pytest.mark.parametrize("panel", PANELS)
def test_the_test_picture_is_on_the_glass_of_each_panel(check, tmp_path, panel):
    expected = read_picture(PICTURES / f"check-{panel.split('-')[1]}.pbm")
    check(False, f"panel={panel}")
    check(False, f"panel={panel}", "rotation=180")
    assert read_picture(tmp_path / "frames" / "frame-000001.pbm") == expected
    assert read_picture(tmp_path / "frames" / "latest.pbm").rows == turned(expected)


def test_the_pictures_of_an_earlier_run_stay(check, tmp_path):
    frames = tmp_path / "frames"
    frames.mkdir()
    for number in (1, 41):
        (frames / f"frame-{number:06}.pbm").write_text("of a ride")
    assert "the test picture is in frame 42" in check(False)
    assert (frames / "frame-000041.pbm").read_text() == "of a ride"
    assert read_picture(frames / "frame-000042.pbm") == read_picture(PICTURES / "check-128x64.pbm")


def test_a_store_is_told_by_the_name_in_it_and_by_what_is_wrong(check, tmp_path):
    store = tmp_path / "bond"
    assert check(False, f"store={store}").splitlines()[-1] == f"ok store {store}; writable, remembers no phone"
    store.write_bytes(b"a letter to a friend")
    assert check(False, f"store={store}").splitlines()[-1] == (
        f"ok store {store}; holds no bond that can be read: a file is kept aside at the start"
    )
    assert store.read_bytes() == b"a letter to a friend"
