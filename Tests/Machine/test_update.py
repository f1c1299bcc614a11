"""Which program guard starts, by what lies on the drive: update.c, compiled for this machine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deciding import Decider
from updates import COPY_AGAIN, FILE, HEADER_SIZE, MAGIC, NOT_WHOLE, update

OWN = "1.2.3"
PROGRAM = bytes(range(100))
NEWER = update(PROGRAM, "1.3.0")
REFUSED = [("-", NOT_WHOLE + COPY_AGAIN)]


@pytest.fixture(scope="module")
def decide(tmp_path_factory) -> Decider:
    return Decider(tmp_path_factory.mktemp("decide"), OWN)


@pytest.fixture
def drive(tmp_path) -> Callable[..., Path]:
    """A drive with these files."""

    def make(files: dict[str, bytes]) -> Path:
        place = tmp_path / f"drive-{len(list(tmp_path.iterdir()))}"
        place.mkdir()
        for name, content in files.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_bytes(content)
        return place

    return make


def test_a_newer_update_is_started_from_memory_and_nothing_is_said(decide, drive):
    assert decide(drive({FILE: NEWER})) == [("1.3.0", "")]
    assert decide.program.read_bytes() == PROGRAM and decide.program.stat().st_mode & 0o777 == 0o755


def test_without_an_update_the_image_s_own_program_is_started_and_nothing_is_said(decide, drive):
    assert decide(drive({}), drive({"board.conf": b"", "licences.txt": b""})) == [("-", ""), ("-", "")]


@pytest.mark.parametrize(
    ("version", "taken"),
    [("1.2.3", True), ("1.2.4-dev+12345678", True), ("1.10.0", True), ("2.0.0-dev", True), ("1.2.3-dev", False)],
)
def test_a_version_that_is_not_older_is_taken(decide, drive, version, taken):
    ((found, said),) = decide(drive({FILE: update(PROGRAM, version)}))
    assert (found == version, said == "") == (taken, taken)


def test_an_update_that_broke_off_anywhere_is_refused_with_what_to_do(decide, drive):
    drives = [drive({FILE: NEWER[:count]}) for count in range(len(NEWER))]
    assert set(decide(*drives)) == set(REFUSED)


def test_an_update_with_any_wrong_bit_is_refused(decide, drive):
    def flipped(bit: int) -> bytes:
        changed = bytearray(NEWER)
        changed[bit // 8] ^= 1 << bit % 8
        return bytes(changed)

    drives = [drive({FILE: flipped(bit)}) for bit in range(8 * (HEADER_SIZE + 4))]
    assert set(decide(*drives)) == set(REFUSED)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        MAGIC,
        bytes(len(NEWER)),
        NEWER + b"\0",
        NEWER[:-50] + bytes(50),
        update(PROGRAM, "1.3.0", magic=b"\x89BACKUP\n"),
        b"\xff" * 5_000_000,
    ],
    ids=["empty", "magic alone", "zeros", "too long", "its end not written", "of another kind", "something else"],
)
def test_what_is_no_whole_update_is_refused(decide, drive, content):
    assert decide(drive({FILE: content})) == REFUSED


def test_a_program_that_is_too_large_for_a_card_is_refused(decide, drive):
    assert decide(drive({FILE: update(bytes((16 << 20) + 1), "1.3.0")})) == REFUSED


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            update(PROGRAM, "1.3.0", board="pi-zero-x"),
            f"{FILE} is for another board, pi-zero-x, and was not started. Unzip the update for this board.",
        ),
        (
            update(PROGRAM, "1.2.2"),
            f"{FILE} has Lenker 1.2.2, which is older than the card's own 1.2.3, and was not started. Delete it.",
        ),
        (
            update(PROGRAM, "1.3.0", layout=2),
            f"{FILE} needs a newer card and was not started. Save board.conf, then write the new image.",
        ),
    ],
    ids=["board", "older", "layout"],
)
def test_a_whole_update_that_does_not_fit_is_refused_with_what_to_do(decide, drive, content, said):
    assert decide(drive({FILE: content})) == [("-", said)]


def test_names_that_fill_their_places_are_read_to_their_end(decide, drive):
    version = "1.3.0-" + "x" * 26
    ((found, _),) = decide(drive({FILE: update(PROGRAM, version)}))
    assert found == version[:31]
    ((_, said),) = decide(drive({FILE: update(PROGRAM, "1.3.0", board="b" * 16)}))
    assert f", {'b' * 16}," in said


def test_a_folder_of_that_name_is_refused(decide, drive):
    place = drive({})
    (place / FILE).mkdir()
    assert decide(place) == REFUSED


def test_a_folder_that_the_zip_was_unpacked_into_is_as_good_and_the_newest_counts(decide, drive):
    old, new = update(b"old", "1.3.0"), update(b"new", "1.4.0")
    assert decide(drive({f"lenker-1.3.0-update/{FILE}": old})) == [("1.3.0", "")]
    for files in ({FILE: old, f"b/{FILE}": new}, {FILE: new, f"b/{FILE}": old}):
        assert decide(drive(files)) == [("1.4.0", "")]
        assert decide.program.read_bytes() == b"new"
    assert decide(drive({f".Trash/{FILE}": new})) == [("-", "")]


def test_a_new_update_that_broke_off_leaves_the_one_before_and_is_told(decide, drive):
    files = {FILE: update(b"old", "1.3.0"), f"lenker 2/{FILE}": NEWER[:-1]}
    assert decide(drive(files)) == [("1.3.0", f"lenker 2/{NOT_WHOLE}{COPY_AGAIN}")]
    assert decide.program.read_bytes() == b"old"


def test_a_zip_that_was_copied_and_not_unpacked_is_told(decide, drive):
    name = "lenker-1.3.0-update.zip"
    told = ("-", f"{name} is not unpacked: unzip it onto this drive.")
    assert decide(drive({name: b"PK"}), drive({name: b"PK", FILE: NEWER})) == [told, ("1.3.0", "")]
    assert decide(drive({"-update.zip": b"", "lenker-.zip": b"", "other-update.zip": b""})) == [("-", "")]


def test_a_drive_that_cannot_be_read_has_no_update(decide, tmp_path):
    assert decide(tmp_path / "none") == [("-", "")]
