"""What a release has beside the programs: its list for Raspberry Pi Imager, its notes, its version."""

import hashlib
import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

OS_LIST = ROOT / "Boards" / "pi-zero-w" / "os-list"
CHANGES = ROOT / "Boards" / "changes"
VERSION = ROOT / "Boards" / "version"

# doc/json-schema/os-list-schema.json of raspberrypi/rpi-imager, and `devices`, which its schema-notes.md asks for.
REQUIRED = {
    "name": str,
    "description": str,
    "icon": str,
    "url": str,
    "extract_size": int,
    "extract_sha256": str,
    "image_download_size": int,
    "release_date": str,
    "devices": list,
}
ADDRESS = "https://forge.example/lenker/releases/download/v1.2.3"


def run(*command: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "lenker.img"
    path.write_bytes(b"a card" * 1000)
    return path


def compressed(image: Path, content: bytes) -> Path:
    path = image.with_name("lenker-1.2.3.img.xz")
    path.write_bytes(lzma.compress(content))
    return path


def test_the_imager_finds_the_card_and_can_prove_it_whole(image):
    packed = compressed(image, image.read_bytes())
    result = run(OS_LIST, "1.2.3", "2026-11-26", ADDRESS, image, packed)
    assert (result.returncode, result.stderr) == (0, "")
    (entry,) = json.loads(result.stdout)["os_list"]
    assert {name: type(entry.get(name)) for name in REQUIRED} == REQUIRED
    assert entry["url"] == f"{ADDRESS}/{packed.name}" and "1.2.3" in entry["name"]
    assert entry["extract_size"] == 6000 and entry["image_download_size"] == packed.stat().st_size
    assert entry["extract_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", entry["release_date"])
    assert entry["icon"] == f"{ADDRESS}/lenker.svg" and (OS_LIST.parent / "lenker.svg").exists()


def test_the_imager_offers_no_settings_that_the_card_has_no_use_for(image):
    result = run(OS_LIST, "1.2.3", "2026-11-26", ADDRESS, image, compressed(image, image.read_bytes()))
    assert "init_format" not in json.loads(result.stdout)["os_list"][0]


def test_a_list_of_another_card_is_not_made(image):
    result = run(OS_LIST, "1.2.3", "2026-11-26", ADDRESS, image, compressed(image, b"another card"))
    assert result.returncode != 0 and result.stdout == "" and "is not" in result.stderr


def test_a_release_has_the_notes_of_its_own_section():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    title, section = re.findall(r"^## (\S+) – [^\n]*\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[0]
    result = run(CHANGES, title)
    assert (result.returncode, result.stdout.strip()) == (0, section.strip())
    assert "\n## " not in result.stdout


def test_a_version_without_a_section_has_no_notes():
    result = run(CHANGES, "999.0.0")
    assert (result.returncode, result.stdout) == (1, "")


def test_the_version_of_a_clone_has_its_commit_and_that_of_a_release_has_none(tmp_path):
    """In a copy of what the script reads."""
    boards, source = tmp_path / "Boards", tmp_path / "Sources/Version/Version.swift"
    boards.mkdir()
    source.parent.mkdir(parents=True)
    (boards / "version").write_bytes(VERSION.read_bytes())
    (boards / "version").chmod(0o755)

    def version(number: str) -> str:
        source.write_text(f'package var lenkerNumber: String {{ "{number}" }}\n')
        return run(boards / "version").stdout.strip()

    assert (version("1.2.3"), version("1.3.0-dev")) == ("1.2.3", "1.3.0-dev"), "no git"
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    assert run("git", "init", "--quiet", tmp_path).returncode == 0
    assert run(*git, "commit", "--quiet", "--allow-empty", "-m", "first").returncode == 0
    commit = run(*git, "rev-parse", "HEAD").stdout
    assert (version("1.2.3"), version("1.3.0-dev")) == ("1.2.3", f"1.3.0-dev+{commit[:8]}")


def test_the_version_is_written_for_the_build_only_when_it_has_changed(tmp_path):
    file = tmp_path / "LenkerVersion.swift"
    assert run(VERSION, "--swift", file).returncode == 0
    number = run(VERSION).stdout.strip()
    assert f'package var lenkerVersion: String {{ "{number}" }}' in file.read_text()
    before = file.stat().st_mtime_ns
    assert run(VERSION, "--swift", file).returncode == 0
    assert file.stat().st_mtime_ns == before


def test_a_version_is_short_enough_for_the_device():
    """`Upkeep` keeps 32 bytes of it."""
    assert len(run(VERSION).stdout.strip()) <= 32


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_takes_actions_by_their_commits_and_starts_what_is_there(workflow):
    text = workflow.read_text("utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert [action for action in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action)] == []
    started = set(re.findall(r"(?<![\w./])((?:Boards|Tests)/[\w/.-]*\w)", text))
    assert [path for path in sorted(started) if not (ROOT / path).exists() and not list(ROOT.glob(f"{path}*"))] == []


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_a_form_is_yaml(form):
    """A value with a colon and a blank in it is none, unless it is quoted."""
    assert re.findall(r"^ *(?:- )?[a-z_]+: [^\"|].*: .*$", form.read_text("utf-8"), re.MULTILINE) == []


def test_the_form_for_a_phone_asks_for_all_that_a_report_needs():
    text = (ROOT / ".github" / "ISSUE_TEMPLATE" / "phone.yml").read_text("utf-8")
    assert {"phone", "system", "komoot", "board", "version", "laptop", "report"} <= set(re.findall(r"id: (\w+)", text))


def test_no_workflow_is_given_more_than_it_needs():
    """By zizmor: credentials that stay, permissions that are wide, texts of others in a script."""
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.exists():
        pytest.skip("no zizmor; install it with Boards/install tests")
    result = run(zizmor, "--offline", "--quiet", "--no-progress", ROOT / ".github" / "workflows")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_release_is_attested_and_has_the_sums_of_all_its_files():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    sums, attested, published = (text.index(part) for part in (">SHA256SUMS", "subject-path: release/*", "gh release"))
    assert sums < attested < published
    assert "id-token: write" in text and "attestations: write" in text


def test_the_scripts_are_without_the_usual_mistakes():
    names = ("changes", "homepage", "version", "licences/notices", "licences/sources")
    result = run("shellcheck", *(ROOT / "Boards" / name for name in names))
    assert (result.returncode, result.stdout) == (0, "")
