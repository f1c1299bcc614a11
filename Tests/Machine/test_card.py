"""The card image of the Pi Zero W, as a file."""

import random
import re
import shutil
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from builds import command_of
from card import BLOCK, ERROR_SIZE, SECTOR, Card, copy_of, entries_of, make_image, partitions
from deciding import Decider
from initramfs import LINK
from lenker_bench.programs.processes import ROOT
from notices import missing, parts, unclaimed, unclaimed_packages, without
from updates import COPY_AGAIN, FILE, NEW_BOARD, NOT_WHOLE, contents, update, zip_of

BOARD = ROOT / "Boards" / "pi-zero-w"
FAT, OTHER = 0x0C, 0xDA
BEGIN_OF_2026 = 1767225600
ERASED = 2
FAT_TIME, FAT_DATE = 0, (2026 - 1980) << 9 | 1 << 5 | 1


@pytest.fixture(scope="module")
def card(card_image: Path) -> Card:
    return Card(card_image)


def test_the_same_inputs_make_the_same_bytes_wherever_and_by_whomever(card_image, tmp_path):
    other = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "86400"}
    make_image(tmp_path / "again.img", command_of("armv6")[-1], environment=other)
    assert (tmp_path / "again.img").read_bytes() == card_image.read_bytes()
    assert zip_of(tmp_path / "again.img").read_bytes() == zip_of(card_image).read_bytes()


def test_the_update_has_the_same_lenker_its_settings_and_notices_and_replaces_no_file_of_the_card(card, card_image):
    files = contents(card_image)
    assert list(files) == [NEW_BOARD, FILE, "licences-update.txt"]
    assert not {name.lower() for name in files} & {name.lower() for name in card.names()}
    program = Path(command_of("armv6")[-1])
    version = subprocess.run([*command_of("armv6"), "--version"], check=True, capture_output=True, text=True).stdout
    assert files[FILE] == update(program.read_bytes(), version.removeprefix("lenker ").rstrip("\n"))
    assert files[NEW_BOARD] == card.read("board.conf")
    notices = program.with_name("licences.txt").read_bytes()
    assert notices and files["licences-update.txt"] == notices.replace(b"\n", b"\r\n")


def test_an_unzipping_that_broke_off_at_any_of_50_bytes_leaves_the_whole_update_or_says_what_is_wrong(
    card_image, tmp_path
):
    files = contents(card_image)
    decide = Decider(tmp_path, "0.0.1")
    total = sum(map(len, files.values()))
    source = random.Random(1)
    for end in sorted(source.randrange(total) for _ in range(50)):
        drive = tmp_path / str(end)
        drive.mkdir()
        left = end
        for name, content in files.items():
            if left > 0:
                (drive / name).write_bytes(content[:left])
            left -= len(content)
        copied = (drive / FILE).stat().st_size if (drive / FILE).exists() else None
        ((version, said),) = decide(drive)
        assert (version != "-") == (copied == len(files[FILE])), end
        assert said == (NOT_WHOLE + COPY_AGAIN if copied and version == "-" else ""), end
        shutil.rmtree(drive)


def test_the_update_s_files_have_one_time_and_nothing_of_who_made_them(card_image):
    with zipfile.ZipFile(zip_of(card_image)) as archive:
        for file in archive.infolist():
            assert (file.date_time, file.extra, file.external_attr >> 16) == ((2026, 1, 1, 0, 0, 0), b"", 0o100644)


def test_an_update_has_room_on_the_card_twice(card, card_image):
    """Some systems write the new file before they delete the old one."""
    card = copy_of(card.image, card_image.with_name("filled.img"))
    for number in range(2):
        for name, content in contents(card_image).items():
            card.write(f"{number}{name}", content)
            assert card.read(f"{number}{name}") == content


def test_it_is_smaller_than_64_mb_and_has_two_partitions(card_image):
    size = card_image.stat().st_size
    assert size < 64_000_000
    boot, bond = partitions(card_image)
    assert (boot.kind, bond.kind) == (FAT, OTHER)
    assert boot.start > 0 and boot.start + boot.size <= bond.start and bond.start + bond.size <= size


def test_central_behaviour_104_the_first_partition_has_the_type_that_each_pis_firmware_starts_from(card):
    boot, _ = partitions(card.image)
    assert boot.kind == 0x0C


def test_whatever_is_written_later_has_a_block_of_flash_of_its_own(card):
    boot, bond = partitions(card.image)
    diagnostics = ["lenker-error.txt", "lenker-report.btsnoop"]
    places = [bond.start, bond.start + bond.size // 2, card.place(diagnostics[0])]
    assert card.place(diagnostics[1]) // BLOCK == places[2] // BLOCK
    blocks = [place // BLOCK for place in places]
    assert len(set(blocks)) == 3 and bond.start % BLOCK == 0 and (boot.start + boot.size) % BLOCK == 0
    for name in card.names():
        if name not in diagnostics:
            last = card.place(name) + len(card.read(name)) - 1
            assert not any(card.place(name) // BLOCK <= block <= last // BLOCK for block in blocks), name
    data = bytearray(card.image.read_bytes())
    for place, size in zip(places, (SECTOR, SECTOR, ERROR_SIZE), strict=True):
        data[place : place + size] = bytes(size)
        start = place - place % BLOCK
        assert not any(data[start : start + BLOCK])


def test_a_report_has_room_in_one_piece_and_none_is_there_yet(card):
    assert card.read("lenker-report.btsnoop") == bytes(96 * 1024)
    clusters = card.clusters("lenker-report.btsnoop")
    assert clusters == list(range(clusters[0], clusters[0] + len(clusters)))


def test_a_new_card_has_two_records_that_remember_nobody(card):
    _, bond = partitions(card.image)
    data = bytearray(card.image.read_bytes()[bond.start : bond.start + bond.size])
    for sequence, place in enumerate((0, bond.size // 2), 1):
        record = struct.pack("<8sBBHI492x", b"\x89LKBOND\n", 1, ERASED, 0, sequence)
        assert data[place : place + SECTOR] == record + struct.pack("<I", zlib.crc32(record))
        data[place : place + SECTOR] = bytes(SECTOR)
    assert not any(data)


def test_all_that_the_pi_s_firmware_is_told_to_load_is_on_the_card(card):
    names = card.names()
    assert {"bootcode.bin", "cmdline.txt"} <= set(names)
    for line in card.read("config.txt").decode().splitlines():
        key, _, value = line.replace(" ", "=", 1).partition("=")
        if key in ("kernel", "initramfs", "device_tree"):
            assert value.split(" ")[0] in names


def test_central_behaviour_159_a_zero_2_w_which_takes_both_sections_ends_with_its_own(card):
    """Raspberry Pi's documentation of config.txt: `[pi0w]` is for it, too, and the last of two settings counts."""
    settings: dict[str, dict[str, str]] = {}
    for line in card.read("config.txt").decode().splitlines():
        if line.startswith("["):
            keys = settings.setdefault(line, {})
        elif settings and line and not line.startswith("#"):
            key, _, value = line.replace(" ", "=", 1).partition("=")
            keys[key] = value
    assert list(settings) == ["[pi0w]", "[pi02]", "[all]"] and not settings["[all]"]
    assert settings["[pi0w]"].keys() == settings["[pi02]"].keys() >= {"kernel", "initramfs", "device_tree"}
    assert all(value.startswith("zero2.") for value in settings["[pi02]"].values())


def test_central_behaviour_157_a_patch_that_is_not_the_known_one_is_refused(tmp_path):
    other = tmp_path / "SYN43430A1.hcd"
    other.write_bytes(b"BCM")
    result = subprocess.run([BOARD / "image", "--patch", other], check=False, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (65, "") and str(other) in result.stderr


def test_the_pi_s_firmware_itself_chooses_the_small_one_and_has_both(card):
    """Raspberry Pi's documentation of config.txt: so it does with gpu_mem=16, and `start_file` is not to be set."""
    settings = card.read("config.txt").decode().splitlines()
    assert "gpu_mem=16" in settings
    assert not [line for line in settings if line.startswith(("start", "fixup"))]
    sizes = [len(card.read(name)) for name in ("start.elf", "fixup.dat", "start_cd.elf", "fixup_cd.dat")]
    assert sizes[0] > 2 * sizes[2] > 1_000_000 and sizes[1] > sizes[3] > 1_000


def test_hdmi_and_television_are_off_and_nothing_is_looked_for_or_waited_for(card):
    """The names are those of Raspberry Pi's documentation, see config.txt."""
    settings = dict(re.findall(r"^(\w+)=(\d+)$", card.read("config.txt").decode(), re.MULTILINE))
    off = ["hdmi_ignore_hotplug", "disable_splash", "ignore_lcd", "disable_poe_fan"]
    on = ["enable_tvout", "force_eeprom_read", "boot_delay", "camera_auto_detect", "display_auto_detect"]
    assert {settings.get(name) for name in off} == {"1"} and {settings.get(name) for name in on} == {"0"}


@pytest.mark.parametrize(("kind", "limit"), [("zero", 7_650_000), ("zero2", 8_950_000)])
def test_what_the_pi_reads_before_its_kernel_runs_is_little(card, kind, limit):
    first = ["bootcode.bin", "config.txt", "start_cd.elf", "fixup_cd.dat", "cmdline.txt"]
    sizes = {name: len(card.read(name)) for name in (*first, f"{kind}.dtb", f"{kind}.gz", f"{kind}.img")}
    print(kind, sum(sizes.values()), "bytes:", sizes)
    assert sum(sizes.values()) < limit


def test_the_settings_on_the_card_are_those_of_the_board(card):
    assert card.read("board.conf") == (BOARD / "board.conf").read_bytes()


@pytest.fixture(params=["zero.dtb", "zero2.dtb"])
def tree(card, tmp_path, request) -> Callable[[str, str, str], str]:
    """What fdtget says of a device tree on the card: by kind, node and property."""
    (tmp_path / request.param).write_bytes(card.read(request.param))

    def get(kind: str, node: str, name: str) -> str:
        command = ["fdtget", "-t", kind, tmp_path / request.param, node, name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return get


def test_the_bus_runs_at_400_khz(tree):
    assert tree("u", "/soc/i2c@7e804000", "clock-frequency") == "400000"


def test_the_radio_chip_has_its_slow_clock_though_wi_fi_has_no_driver(tree):
    pins = tree("u", "/soc/serial@7e201000", "pinctrl-0").split()
    assert tree("u", "/soc/gpio@7e200000/gpclk2_gpio43", "phandle") in pins and len(pins) == 3
    assert tree("s", "/soc/mmc@7e300000", "status") == "disabled"


def test_the_card_s_files_have_one_time(card):
    times = list(card.times())
    assert len(times) == len(card.names()) + 1, "the label too"
    for file in times:
        assert (file.made, file.used, file.written) == ((0, FAT_TIME, FAT_DATE), FAT_DATE, (FAT_TIME, FAT_DATE))


@pytest.mark.parametrize("archive", ["zero.gz", "zero2.gz"])
def test_central_behaviour_157_the_first_file_system_is_root_s_and_has_no_other_board_s_patch(card, archive):
    assert len(card.read(archive)) % 4 == 0, "as the Pi's firmware likes it"
    entries = {entry.path: entry for entry in entries_of(card.read(archive))}
    assert {"init", "bin/lenker", "etc/board.conf", "etc/modules.panel", "etc/modules.radio"} <= entries.keys()
    patches = {path for path, entry in entries.items() if path.startswith("lib/firmware/brcm/") and entry.content}
    chip, model = ("BCM43430A1", "zero-w") if archive == "zero.gz" else ("BCM43430B0", "zero-2-w")
    # Without the name of a board it would be one for all.
    assert patches == {f"lib/firmware/brcm/{chip}.raspberrypi,model-{model}.hcd"}
    assert entries["init"].mode == 0o100755
    for entry in entries.values():
        assert (entry.owner, entry.time) == ((0, 0), BEGIN_OF_2026)
        assert entry.mode == LINK or not entry.mode & 0o022, f"others can write {entry.path}"


# The notices


def unpacked() -> list[Path]:
    """Where the packages are that the card was made of; each folder has a list of them."""
    made = ROOT / ".build"
    return [made / "pi-zero-w/debian/armel", made / "pi-zero-w/debian/armhf", made / "sysroot/armel"]


def test_each_file_of_the_card_is_one_of_a_part(card):
    files = set(card.names())
    for archive in ("zero.gz", "zero2.gz"):
        entries = entries_of(card.read(archive))
        files |= {entry.path for entry in entries if entry.mode & 0o170000 == 0o100000}
    assert len(files) > 30
    assert unclaimed("card", "files", files) == []


def test_each_package_that_the_card_was_made_of_is_one_of_a_part():
    lists = [(folder / "packages").read_text().splitlines() for folder in unpacked()]
    packages = {line.split()[0] for lines in lists for line in lines}
    # Its headers have numbers and the shapes of structures, and no code that is compiled in.
    packages.remove("libbluetooth-dev")
    assert len(packages) == 7
    assert unclaimed_packages("card", packages) == []


def test_the_card_has_the_notice_of_each_part(card):
    text = card.read("licences.txt").decode("utf-8")
    assert missing("card", text, unpacked()) == []
    assert "source: Debian linux 6." in text and "glibc (= " in text
    for part in parts():
        if "card" in part.packages:
            assert missing("card", without(text, part), unpacked()) == [part.name]
