"""Real buttons, as far as a machine without a GPIO chip can tell: what `--check` says and what the events say."""

import subprocess

import pytest

from lenker_bench.programs.processes import running_phone


@pytest.fixture
def check(lenker_command, tmp_path):
    """`check(*keys)` returns the exit status and what was said of buttons and the alert line."""

    def run(*keys: str) -> tuple[int, list[str]]:
        usual = ["hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}"]
        command = [*lenker_command, "--check", *usual, *keys]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        return result.returncode, [line for line in result.stdout.splitlines() if "buttons" in line or "alert" in line]

    return run


@pytest.mark.parametrize(
    ("chip", "advice"),
    [("/dev/no-such-chip", "no such chip: see gpiodetect"), ("/dev/null", "not a GPIO chip: see gpiodetect")],
)
def test_check_says_what_is_wrong_with_the_chip_and_what_to_do(check, chip, advice):
    status, lines = check(f"buttons=gpio:{chip}", "button-a=17", "button-b=27", "alert=22")
    assert status == 69
    assert len(lines) == 2
    assert lines[0].startswith(f"failed buttons {chip} line 17 line 27: {advice}")
    assert lines[1].startswith(f"failed alert {chip} line 22: {advice}")


def test_check_finds_a_chip_of_which_no_line_is_a_button(check):
    assert check("buttons=gpio:/dev/gpiochip0")[1] == [
        "failed buttons /dev/gpiochip0: no line is named: set button-a and button-b"
    ]


async def test_a_chip_that_is_not_there_is_said_once_and_the_ride_goes_on(lenker, a_ride):
    async with running_phone("--ride", a_ride) as phone:
        async with lenker(phone.port, "buttons=gpio:/dev/no-such-chip", "button-a=17") as firmware:
            error = await firmware.log.wait_for("error", source="gpio")
            assert error["message"].startswith("/dev/no-such-chip line 17: no such chip: see gpiodetect")
            await firmware.log.wait_for("instruction", distance=100)
            assert len([event for event in firmware.log.named("error") if event["source"] == "gpio"]) == 1
