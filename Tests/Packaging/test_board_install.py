"""The installation on a Raspberry Pi: what the package does to a system, and what `install` does to get it there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from packing import BOARD


class System:
    """A system of its own below a folder, where nothing runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc"):
            (folder / name).mkdir(parents=True)
        for name in ("status", "available"):
            (folder / "var/lib/dpkg" / name).touch()
        (folder / "etc/group").write_text("root:x:0:\ngpio:x:42:\n")

    def dpkg(self, *arguments: object) -> None:
        options = [f"--root={self.folder}", "--force-script-chrootless", "--force-architecture", "--force-depends"]
        command = ["fakeroot", "dpkg", *options, "--force-confdef", "--force-confold", *map(str, arguments)]
        # The tools that dpkg and the scripts of the package call are in the administrator's folders.
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr

    def path(self, name: str) -> Path:
        return self.folder / name

    @property
    def is_enabled(self) -> bool:
        return self.path("etc/systemd/system/multi-user.target.wants/lenker.service").is_symlink()


@pytest.fixture
def system(tmp_path, package) -> System:
    system = System(tmp_path / "system")
    system.dpkg("--install", package)
    return system


def test_it_is_switched_on_and_has_its_groups(system):
    assert system.is_enabled
    groups = [line.split(":")[0] for line in system.path("etc/group").read_text().splitlines()]
    # The one that was there is left alone.
    assert sorted(groups) == ["gpio", "i2c", "root"]
    assert "gpio:x:42:" in system.path("etc/group").read_text()


def test_an_upgrade_keeps_what_its_owner_has_changed(system, package):
    board = system.path("etc/lenker/board.conf")
    board.write_text("units = imperial\n")
    system.path("etc/systemd/system/multi-user.target.wants/lenker.service").unlink()
    system.dpkg("--install", package)
    assert board.read_text() == "units = imperial\n"
    assert not system.is_enabled


def test_when_it_is_removed_the_phone_is_remembered_and_when_it_is_purged_not(system):
    bond = system.path("var/lib/private/lenker/bond")
    bond.parent.mkdir(parents=True)
    bond.write_text("a phone")
    system.path("var/lib/lenker").symlink_to("private/lenker")
    system.dpkg("--remove", "lenker")
    assert bond.exists() and system.path("etc/lenker/board.conf").exists()
    assert not system.path("usr/bin/lenker").exists()
    system.dpkg("--purge", "lenker")
    left = [path for path in system.folder.rglob("*lenker*") if "dpkg" not in path.parts]
    assert left == []


# Boards/pi-zero-2-w/install


class Pi:
    """Commands in the place of ssh and of those on the Pi, which write down how they were called."""

    def __init__(self, folder: Path) -> None:
        self.commands = folder / "commands"
        self.calls_file = folder / "calls"
        self.scratch = folder / "scratch"
        self.package = folder / "lenker.deb"
        self.commands.mkdir()
        self.scratch.mkdir()
        self.calls_file.touch()
        self.package.write_bytes(b"a package\0\n\xff")
        self.command("ssh", '[ "$1" != -t ] || shift; [ "$1" = -- ] && [ "$2" = pi@bike ] && exec sh -c "$3"')
        self.command("sudo", 'exec "$@"')
        self.command("id", "echo 1000")
        self.dpkg("arm64")
        self.command("systemctl", "exit 0")

    def command(self, name: str, script: str) -> None:
        path = self.commands / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.calls_file}"\n{script}\n')
        path.chmod(0o755)

    def dpkg(self, architecture: str, status: int = 0) -> None:
        """What it installs is kept in `installed`."""
        keep = f'for file; do :; done; cp "$file" "{self.calls_file.parent}/installed"; exit {status}'
        self.command("dpkg", f'if [ "$1" = --print-architecture ]; then echo {architecture}; else {keep}; fi')

    def install(
        self, *arguments: object, path: str = os.environ["PATH"], stdin: int = subprocess.DEVNULL
    ) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PATH": f"{self.commands}:{path}", "TMPDIR": str(self.scratch)}
        command = [BOARD / "install", *map(str, arguments)]
        return subprocess.run(
            command, cwd="/", env=environment, stdin=stdin, capture_output=True, text=True, check=False
        )

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines()


@pytest.fixture
def pi(tmp_path) -> Pi:
    return Pi(tmp_path)


@pytest.mark.parametrize("host", [["pi@bike"], []], ids=["over ssh", "here"])
def test_the_package_gets_there_whole_and_is_installed(pi, host):
    result = pi.install("--deb", pi.package, *host)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Lenker runs on" in result.stdout and "/etc/lenker/board.conf" in result.stdout
    assert (pi.package.parent / "installed").read_bytes() == pi.package.read_bytes()
    (call,) = [call for call in pi.calls if call.startswith("sudo ")]
    assert "--force-confold -i " in call
    assert any(call.startswith("ssh ") for call in pi.calls) == bool(host)
    assert list(pi.scratch.iterdir()) == [], "it leaves nothing there"


def test_root_needs_no_sudo(pi):
    pi.command("id", "echo 0")
    assert pi.install("--deb", pi.package, "pi@bike").returncode == 0
    assert not any(call.startswith("sudo ") for call in pi.calls)


def test_on_a_terminal_sudo_can_ask_for_a_password(pi):
    """Raspberry Pi OS wants one since 2026; ssh needs a terminal there for it, and for nothing else."""
    terminal, end = os.openpty()
    assert pi.install("--deb", pi.package, "pi@bike", stdin=end).returncode == 0
    assert len([call for call in pi.calls if call.startswith("ssh -t -- pi@bike ")]) == 1
    assert (pi.package.parent / "installed").read_bytes() == pi.package.read_bytes()
    os.close(terminal)
    os.close(end)


def test_another_architecture_is_refused_before_anything_is_done(pi):
    pi.dpkg("armhf")
    result = pi.install("pi@bike")
    assert result.returncode == 1
    assert "armhf" in result.stderr and "64-bit Raspberry Pi OS" in result.stderr
    assert len(pi.calls) == 2


def test_without_swift_it_says_how_to_get_the_package(pi, tmp_path):
    few = tmp_path / "few"
    few.mkdir()
    for name in ("bash", "sh"):
        (few / name).symlink_to(shutil.which(name))
    result = pi.install(path=str(few))
    assert result.returncode == 1
    assert "Boards/pi-zero-2-w/deb" in result.stderr and "--deb" in result.stderr


def test_a_pi_that_is_not_there_is_said(pi):
    pi.command("ssh", "echo 'ssh: no route' >&2; exit 255")
    result = pi.install("--deb", pi.package, "pi@bike")
    assert result.returncode == 1
    assert "ssh: no route" in result.stderr and "cannot run dpkg on pi@bike" in result.stderr


def test_a_failed_installation_is_said_and_leaves_nothing(pi):
    pi.dpkg("arm64", status=2)
    result = pi.install("--deb", pi.package, "pi@bike")
    assert result.returncode == 1 and "could not be installed on pi@bike" in result.stderr
    assert list(pi.scratch.iterdir()) == []


def test_a_service_that_does_not_run_is_said(pi):
    pi.command("systemctl", "exit 3")
    result = pi.install("--deb", pi.package, "pi@bike")
    assert result.returncode == 1 and "systemctl status lenker" in result.stderr


@pytest.mark.parametrize("arguments", [["--deb"], ["--fast"], ["pi@bike", "pi@car"]])
def test_wrong_arguments_are_refused_with_the_usage(pi, arguments):
    result = pi.install(*arguments)
    assert (result.returncode, pi.calls) == (64, [])
    assert result.stderr.startswith("usage: ")
