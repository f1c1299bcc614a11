"""The package for Raspberry Pi OS: what is in it, what the unit allows the program, and what its installation does."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bonding import LONG, pair, riders_phone
from builds import command_of, scan_command_of
from lenker_bench.programs.processes import ROOT, running_firmware
from notices import missing_in_package, parts, unclaimed
from packing import BOARD, pack

UNIT = BOARD / "lenker.service"
BY_ROOT = [BOARD / "lenker-rebind.service", BOARD / "lenker-unblock.service"]
UNITS = ["lenker.service", "lenker-radio.target", "lenker-rebind.socket", *(unit.name for unit in BY_ROOT)]
SCRIPTS = [
    BOARD / "deb",
    BOARD / "install",
    *(BOARD / "debian" / name for name in ("manual", "postinst", "prerm", "postrm")),
]

# The calls of Sources/CLinux/hci.c, i2c.c and of libgpiod, for devices that no test machine has.
DEVICE_CALLS = {"bind", "setsockopt", "ioctl", "recvfrom", "sendto", "read", "faccessat", "newfstatat", "readlinkat"}
# By number, where the emulator has no name for it: include/uapi/asm-generic/unistd.h.
UNNAMED_CALLS = {"293": "rseq"}


def run(*command: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


@pytest.fixture(scope="module")
def contents(package: Path, tmp_path_factory) -> Path:
    """The folder that the package's files are unpacked in."""
    folder = tmp_path_factory.mktemp("contents")
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    """The keys of the unit, each with its values in order."""
    return unit_keys(UNIT)


def unit_keys(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if match := re.fullmatch(r"(\w+)=(.*)", line):
            found.setdefault(match[1], []).append(match[2])
    return found


# The package


def test_lintian_has_nothing_against_it(package):
    result = run("lintian", "--allow-root", "--fail-on", "error,warning", package)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_same_binary_and_commit_give_the_same_package(package, tmp_path):
    again = pack(TZ="Asia/Kathmandu", LANG="tr_TR.UTF-8", TMPDIR=str(tmp_path))
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(package.read_bytes()).digest()


def test_the_package_has_what_the_unit_starts(contents, unit):
    program, option, board = unit["ExecStart"][0].split()
    assert option == "--board"
    assert os.access(contents / program[1:], os.X_OK)
    assert (contents / board[1:]).read_bytes() == (BOARD / "board.conf").read_bytes()
    header = run("readelf", "-h", contents / program[1:]).stdout
    assert re.search(r"Machine:\s+AArch64", header)


@pytest.mark.parametrize(("program", "command_of"), [("lenker", command_of), ("lenker-scan", scan_command_of)])
def test_the_program_is_the_one_that_was_tested(contents, program, command_of):
    result = run("qemu-aarch64", contents / "usr/bin" / program, "--version")
    assert result.stdout == run(*command_of("aarch64"), "--version").stdout != ""


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("https://somebody@forge.example/lenker.git", "https://forge.example/lenker"),
        ("git@forge.example:lenker.git", "https://forge.example/lenker"),
        ("https://forge.example/lenker/", "https://forge.example/lenker"),
        ("/home/somebody/lenker", ""),
    ],
)
def test_the_homepage_is_where_the_clone_comes_from(origin, address):
    result = run(ROOT / "Boards" / "homepage", env={**os.environ, "LENKER_HOMEPAGE": origin})
    assert (result.returncode, result.stdout.strip()) == (0, address)


def test_it_says_where_its_sources_are(package):
    address = run(ROOT / "Boards" / "homepage").stdout.strip()
    found = [run("dpkg-deb", "-f", package, name).stdout.strip() for name in ("Homepage", "Vcs-Browser", "Vcs-Git")]
    assert found == ([address, address, f"{address}.git"] if address else ["", "", ""])


def test_the_board_file_is_its_owners(package):
    assert run("dpkg-deb", "--info", package, "conffiles").stdout == "/etc/lenker/board.conf\n"


def test_everything_belongs_to_root_and_nobody_else_may_write(package):
    lines = run("dpkg-deb", "-c", package).stdout.splitlines()
    assert len(lines) > 10
    for line in lines:
        mode, owner = line.split()[:2]
        assert owner == "root/root" and mode[5] == "-" and mode[8] == "-" and "s" not in mode, line


def test_each_file_of_the_package_is_one_of_a_part(contents):
    files = [str(path.relative_to(contents)) for path in contents.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert unclaimed("package", "files", files) == []


def test_it_has_the_notice_of_each_part_for_people_and_programs(contents):
    text = (contents / "usr/share/doc/lenker/copyright").read_text("utf-8")
    folders = [ROOT / ".build/sysroot/arm64"]
    assert missing_in_package(text, folders) == []
    rows = re.split(r"\n\n(?=Files: )", text)
    of_package = [part.name for part in parts() if "package" in part.packages]
    assert len(rows) == 1 + len(of_package)
    for number, name in enumerate(of_package, 1):
        assert missing_in_package("\n\n".join(rows[:number] + rows[number + 1 :]), folders) == [name]


def test_its_changes_are_those_of_the_changelog(contents):
    text = gzip.decompress((contents / "usr/share/doc/lenker/changelog.gz").read_bytes()).decode("utf-8")
    assert re.match(
        r"lenker \(\d+\.\d+\.\d+(?:~dev(?:\+[0-9a-f]{8})?)?\) unstable; urgency=medium\n\n  \[ Added \]\n  \* ", text
    )
    result = run("dpkg-parsechangelog", "-l", "-", "-S", "Version", input=text)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("name", ["lenker.8", "lenker-scan.1", "board.conf.5"])
def test_its_manual_pages_are_those_made_from_the_reference(contents, name):
    file = contents / f"usr/share/man/man{name[-1]}" / f"{name}.gz"
    assert gzip.decompress(file.read_bytes()).decode("utf-8") == run(BOARD / "debian" / "manual", name).stdout != ""


def test_a_package_between_two_releases_is_older_than_the_next_one(package):
    version = run("dpkg-deb", "-f", package, "Version").stdout.strip()
    number = re.match(r"\d+\.\d+\.\d+", version)[0]
    assert version == number or run("dpkg", "--compare-versions", version, "lt", number).returncode == 0
    assert run("dpkg", "--compare-versions", version, "gt", "0.2.0").returncode == 0


def test_its_scripts_are_without_the_usual_mistakes():
    result = run("shellcheck", *SCRIPTS)
    assert (result.returncode, result.stdout) == (0, "")


# The unit


def test_systemd_understands_the_units(contents, tmp_path):
    units = tmp_path / "usr/lib/systemd/system"
    shutil.copytree(contents, tmp_path, dirs_exist_ok=True)
    # Those that it builds on.
    for name in ("sysinit", "basic", "shutdown", "multi-user"):
        shutil.copy(f"/lib/systemd/system/{name}.target", units)
    (units / "bluetooth.service").write_text("[Service]\nExecStart=/usr/bin/lenker\n")
    for name in (*UNITS, "bluetooth.service"):
        result = run("systemd-analyze", "verify", "--man=no", f"--root={tmp_path}", name)
        said = [line for line in result.stderr.splitlines() if re.search("lenker|bluetooth", line)]
        assert (result.returncode, said) == (0, []), result.stderr


@pytest.mark.parametrize("unit", [UNIT, *BY_ROOT], ids=lambda unit: unit.name)
def test_the_units_expose_little(unit):
    result = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    (level,) = re.findall(rf"Overall exposure level for {unit.name}: (\d+\.\d+)", result.stdout)
    assert float(level) < 2.0


# The system calls


def allowed_calls(unit: dict[str, list[str]]) -> set[str]:
    """What the unit's filter lets through, groups within groups included."""
    waiting, found = ["@default", *unit["SystemCallFilter"][0].split()], set()
    while waiting:
        name = waiting.pop()
        if name.startswith("@"):
            listed = run("systemd-analyze", "syscall-filter", name).stdout.splitlines()[1:]
            waiting += [line.strip() for line in listed if line.strip() and not line.strip().startswith("#")]
        else:
            found.add(name)
    return found


def calls(log: Path) -> set[str]:
    """The names of the system calls in what the emulator wrote."""
    text = log.read_text("utf-8", "replace")
    unnamed = {UNNAMED_CALLS[number] for number in re.findall(r"Unknown syscall (\d+)", text)}
    return unnamed | set(re.findall(r"^\d+ (\w+)\(", text, re.M))


@pytest.mark.nightly
async def test_all_system_calls_of_a_ride_are_allowed(tmp_path, unit):
    command = command_of("aarch64")
    traced = [command[0], "-strace", "-D", str(tmp_path / "calls"), *command[1:]]
    files = [f"{key}=file:{tmp_path / key}" for key in ("events", "i2c-trace", "btsnoop")]
    buttons = tmp_path / "buttons"
    async with riders_phone() as phone:
        keys = [f"hci=tcp:127.0.0.1:{phone.port}", f"display=pbm:{tmp_path}/frames", f"store={tmp_path}/bond"]
        notify = [f"NOTIFY_SOCKET={tmp_path}/nobody", "WATCHDOG_USEC=300000"]
        command = ["env", *notify, *traced]
        async with running_firmware(
            command, [*keys, *files, f"buttons=fifo:{buttons}"], events=tmp_path / "events", buttons=buttons
        ) as firmware:
            await pair(firmware, phone)
            await firmware.log.first("instruction", LONG)
            await firmware.stop()
            assert firmware.status == 0
    used = calls(tmp_path / "calls")
    assert {"ppoll", "openat", "pwrite64", "fdatasync", "renameat", "getrandom", "sendto"} <= used
    assert used | DEVICE_CALLS <= allowed_calls(unit)


def test_the_filter_lets_through_little_else(unit):
    """Else the test above would pass whatever the unit says."""
    allowed = allowed_calls(unit)
    others = {"mount", "ptrace", "clone", "clone3", "fork", "execveat", "init_module", "bpf", "setuid", "chown"}
    others |= {"clock_settime", "reboot", "keyctl", "io_uring_setup", "perf_event_open", "unshare", "kill"}
    assert allowed & others == set()
    # With these systemd starts the program.
    assert {"execve", "exit_group", "rt_sigreturn"} <= allowed
