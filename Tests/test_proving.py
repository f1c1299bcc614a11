"""What `Tests/fuzz --prove` undoes is there to be undone."""

from pathlib import Path

import pytest

from proving import DEFECTS, Defect

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_each_mending_is_there_once(defect: Defect):
    for edit in defect.edits:
        assert (ROOT / edit.file).read_text("utf-8").count(edit.mended) == 1, edit.mended
