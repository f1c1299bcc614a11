"""What the firmware understands of Gadgetbridge's lines, against a JavaScript engine that evaluates them."""

import json
import subprocess
from collections import Counter

import pytest

from gadgetbridge import WATCH, Author
from gadgetbridge_meaning import meaning
from lenker_bench.phone.gadgetbridge_lines import units, written_text
from lenker_bench.programs.processes import ROOT

GADGETBRIDGE_LINES = ROOT / ".build" / "debug" / "GadgetbridgeLines"  # made by `swift build`, and with the units
LINES = 100_000


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("Mühlenweg", '"Mühlenweg"'),
        ("Straße äußere Größe", 'atob("U3RyYd9lIOR132VyZSBHcvbfZQ==")'),
        ("äöüß", 'atob("5Pb83w==")'),
        ("Łódź", '"\\u0141\\xf3d\\u017a"'),
        ("🚲", '"\\ud83d\\udeb2"'),
        ("a\x10b\x001\x00c\v", 'atob("YRBiADEAYws=")'),
        ('"\\', '"\\"\\\\"'),
    ],
)
def test_a_text_is_written_as_gadgetbridge_does(text, literal):
    assert written_text(units(text)) == literal


# Beside other programs, on a slow machine.
@pytest.mark.timeout(600)
def test_the_firmware_understands_100_000_lines_as_javascript_does():
    quickjs = pytest.importorskip("quickjs", reason="no JavaScript engine; install quickjs from Tests/requirements.txt")
    context = quickjs.Context()
    context.eval(WATCH)
    evaluated = context.get("evaluated")
    author = Author(34)
    lines = [author.line() for _ in range(LINES)]
    written = "".join(line + "\n" for line in lines).encode("latin-1")
    run = subprocess.run([GADGETBRIDGE_LINES], input=written, capture_output=True, check=True)
    answers = run.stdout.decode().splitlines()
    assert len(answers) == len(lines)
    kinds = Counter()
    for line, answer in zip(lines, answers, strict=True):
        expected = meaning(line, evaluated(line.removeprefix("\x10")))
        assert expected == json.loads(answer), line
        kinds[expected["kind"]] += 1
    assert len(kinds) == 13 and min(kinds.values()) > 30, kinds
