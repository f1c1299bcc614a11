"""Debian's systemd in the virtual machine, with the package's units as they are on a board."""

from pathlib import Path

from initramfs import LINK, PROGRAM, Archive, add_modules
from lenker_bench.programs.processes import ROOT
from machine import HERE, MADE, MODULES, first_file_system

BOARD = ROOT / "Boards" / "pi-zero-2-w"
UNITS = "lib/systemd/system"

# The machine's console as one more service; it is sent the lines of the tests.
CONSOLE = """[Service]
ExecStart=/bin/busybox sh /console
"""
# bluetoothd, as far as systemd sees it.
BLUETOOTHD = """[Service]
ExecStart=/bin/busybox sleep 1000000
"""
TARGET = """[Unit]
Requires=basic.target
Wants=console.service
"""


def system_with_systemd(firmware: Path) -> Archive:
    """Boots into systemd; `lenker.service` is there, and nobody has started it."""
    archive = first_file_system(firmware)
    for program in ("/lib/systemd/systemd", "/bin/systemctl"):
        archive.add_program(program, Path(program))
    archive.add("init", b"/lib/systemd/systemd", LINK)
    for target in Path("/lib/systemd/system").glob("*.target"):
        archive.add(f"{UNITS}/{target.name}", target.read_bytes())
    archive.add(f"{UNITS}/default.target", TARGET.encode())
    archive.add(f"{UNITS}/console.service", CONSOLE.encode())
    archive.add(f"{UNITS}/bluetooth.service", BLUETOOTHD.encode())
    for unit in BOARD.glob("lenker*.*"):
        archive.add(f"{UNITS}/{unit.name}", unit.read_bytes())
    archive.add(f"{UNITS}/bluetooth.service.d/lenker.conf", (BOARD / "debian" / "bluetooth.conf").read_bytes())

    # The bus of the PC itself, as the first one.
    add_modules(archive, MADE / "modules", (MADE / "kernel").read_text().strip(), [*MODULES, "i2c-piix4"])

    archive.add("usr/bin/lenker", b"/bin/lenker", LINK)
    archive.add("etc/lenker/board.conf", (BOARD / "board.conf").read_bytes())
    archive.add("etc/group", b"root:x:0:\ni2c:x:990:\ngpio:x:991:\n")
    archive.add("etc/machine-id", b"0123456789abcdef0123456789abcdef\n")
    # Folders that the unit protects.
    for folder in ("home", "root", "usr/lib", "boot", "var/lib", "var/tmp"):
        archive.add(f"{folder}/.keep", b"")
    # What systemd has mounted is to stay as it is.
    lines = (HERE / "init").read_text("utf-8").splitlines(keepends=True)
    archive.add("console", "".join(line for line in lines if not line.startswith("mount ")).encode(), PROGRAM)
    return archive
