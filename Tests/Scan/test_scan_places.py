"""`lenker-scan train` and `locate` among the beacons of the bench, and who else reads what they tell."""

import asyncio
import json
import signal
from collections import defaultdict
from pathlib import Path

import pytest

from builds import regular_and_aarch64
from event_socket import connected
from interposing import interposer
from streets import running_street, scan

UUID = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
GROUP = f"--group=home={UUID}"
BEACONS = [f"--beacon={UUID}/1/{minor}@-{50 + 10 * minor}" for minor in (1, 2, 3)]
OLD = b"old"
SECONDS = 10
"""As few as a training takes; how they are counted is shown in virtual time, in PlaceToolTests."""


def training(port: int, place: str, file: object) -> list[str]:
    return ["train", GROUP, f"--location={place}", f"--out={file}", f"--seconds={SECONDS}", f"hci=tcp:127.0.0.1:{port}"]


@regular_and_aarch64
@pytest.mark.thorough
async def test_a_place_that_was_learned_is_found_again(build, scan_command, tmp_path):
    file = tmp_path / "garage.json"
    async with running_street(*BEACONS, "--air=instant") as street:
        trained = await scan(scan_command, *training(street.port, "garage", file))
        assert (trained.status, trained.complaint) == (0, "")
    learned = json.loads(file.read_text())
    assert learned.pop("seconds") == SECONDS
    assert sorted(learned) == [f"{UUID}.Maj:1.Min:{minor}" for minor in (1, 2, 3)]
    for minor in (1, 2, 3):
        assert set(learned[f"{UUID}.Maj:1.Min:{minor}"]) == {-50 - 10 * minor}

    async with running_street(*BEACONS, "--air=instant") as street:
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        told = await told_until_located(scan_command, "locate", GROUP, f"--fingerprint=garage={file}", radio)
    named = defaultdict(list)
    for line in told:
        named[line["event"]].append(line)
    assert [line["group"] for line in named["enterRegion"]] == ["home"]
    assert [line["location"] for line in named["enterLocation"]] == ["garage"]
    assert named["currentLocation"][0]["location"] == "garage"
    assert max(len(line["beacons"]) for line in named["ibeacons"]) == 3


async def told_until_located(command: list[str], *arguments: str) -> list[dict]:
    """What the tool tells up to the place that it has come to, however long that takes on this machine."""
    process = await asyncio.create_subprocess_exec(*command, *arguments, stdout=asyncio.subprocess.PIPE)
    told = []
    async for line in process.stdout:
        told.append(json.loads(line))
        if told[-1]["event"] == "enterLocation":
            break
    process.send_signal(signal.SIGINT)
    await process.communicate()
    assert process.returncode == 0
    return told


@pytest.mark.thorough
async def test_killed_at_any_moment_of_the_writing_it_leaves_the_old_file_or_the_new_one(scan_command, tmp_path):
    """Before, in the midst of and behind each system call that creates, writes, syncs and renames."""
    for number in range(1, 100):
        folder = tmp_path / "moments" / str(number)
        folder.mkdir(parents=True)
        (folder / "garage.json").write_bytes(OLD)
    file = tmp_path / "garage.json"
    moments = ["env", f"LD_PRELOAD={interposer('file_moments', tmp_path)}", f"FILE_MOMENTS={tmp_path / 'moments'}"]
    async with running_street(*BEACONS, "--air=instant") as street:
        trained = await scan([*moments, *scan_command], *training(street.port, "garage", file))
    assert (trained.status, trained.complaint) == (0, "")
    new = file.read_bytes()
    left = [contents(tmp_path / "moments" / str(number)) for number in range(1, 100)]
    found = [names.get("garage.json") for names in left]
    assert all(set(names) <= {"garage.json", "garage.json.new"} for names in left)
    # Two moments of the creation, three of the write, two of a sync, of the renaming and of the folder's sync; the copy
    # that lives has the new file, and nobody else was there.
    renamed = 2 + 3 + 2 + 1
    assert found == [OLD] * renamed + [new] * 4 + [OLD] * (99 - renamed - 4)
    assert [sorted(names) for names in left[renamed : renamed + 4]] == [["garage.json"]] * 4


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_a_file_that_is_no_fingerprint_is_named_with_its_place(scan_command, tmp_path):
    file = tmp_path / "garage.json"
    file.write_text("{")
    located = await scan(scan_command, "locate", GROUP, f"--fingerprint=garage={file}", "hci=tcp:127.0.0.1:9")
    assert located.status == 65
    assert located.complaint.startswith(f"lenker-scan: {file}:1:2: ")


async def test_other_programs_read_it_by_topic(scan_command, tmp_path):
    socket = tmp_path / "events"
    async with running_street("--street=20", *BEACONS) as street:
        process = await asyncio.create_subprocess_exec(
            *scan_command,
            "--beacons",
            "topics=device",
            f"events=unix:{socket}",
            f"hci=tcp:127.0.0.1:{street.port}",
            stdout=asyncio.subprocess.PIPE,
        )
        async with connected(socket) as beacons, connected(socket) as advertisements:
            for (reader, writer), topic in ((beacons, "beacons"), (advertisements, "advertisementData")):
                writer.write(f"on {topic}\n".encode())
                assert json.loads(await reader.readline()) == {"event": "subscribed", "id": 1}
            assert json.loads(await beacons[0].readline())["event"] == "ibeacons"
            advertisement = json.loads(await advertisements[0].readline())
            assert (advertisement["event"], advertisement["ibeacon"]["uuid"]) == ("advertisement", UUID)
            process.send_signal(signal.SIGINT)
            output = await process.stdout.read()
            assert await process.wait() == 0
    assert [json.loads(line)["event"] for line in output.splitlines()] == ["summary"]
    assert not socket.exists()
