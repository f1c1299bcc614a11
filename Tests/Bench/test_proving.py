"""What `Tests/fuzz --prove` undoes."""

import pytest

import proving
from mutation.tree import Broken, Tree


@pytest.mark.parametrize("defect", proving.DEFECTS, ids=lambda defect: defect.name)
def test_each_mending_is_still_there_to_be_undone(defect, tmp_path):
    tree = Tree(tmp_path, "prove")
    before = {}
    for edit in defect.edits:
        before[edit.file] = (proving.ROOT / edit.file).read_text("utf-8")
        path = tree.path / edit.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before[edit.file], "utf-8")
    with proving.undone(tree, defect.edits):
        for edit in defect.edits:
            assert edit.mended not in (tree.path / edit.file).read_text("utf-8")
    assert {file: (tree.path / file).read_text("utf-8") for file in before} == before


@pytest.mark.parametrize(("text", "count"), [("other\n", 0), ("guard\nguard\n", 2)])
def test_one_that_is_not_there_once_is_told_with_its_text(tmp_path, text, count):
    tree = Tree(tmp_path, "prove")
    tree.path.mkdir(parents=True)
    (tree.path / "a.swift").write_text(text)
    with (
        pytest.raises(Broken, match=rf"a\.swift: .*{count} times:\nguard"),
        proving.undone(tree, (proving.Edit("a.swift", "guard\n", ""),)),
    ):
        pass
    assert (tree.path / "a.swift").read_text() == text
