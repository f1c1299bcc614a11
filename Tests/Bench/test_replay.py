"""The command that plays recordings; what it finds out is tested with the firmware."""

import subprocess

import pytest

from lenker_bench.programs.processes import ROOT

COMMAND = ROOT / "Boards" / "bench" / "replay"


@pytest.mark.parametrize(("arguments", "status"), [([], 64), (["--speed=2", "file"], 64), (["--help"], 0)])
def test_its_arguments_are_checked_before_anything_is_built(arguments, status):
    result = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert "usage: replay" in result.stdout + result.stderr and "building" not in result.stderr
