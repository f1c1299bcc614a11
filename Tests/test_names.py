"""The name of a test says by itself what it shows, as a log has nothing else of it."""

import re

from named_tests import names_in_python, names_in_swift, names_of_tests, sentence
from swift_syntax import syntax

# What goes on with the sentence of another test.
GOES_ON = re.compile(r"(?:so|nor|or|but|neither|and|yet)(?=[A-Z_]|$)")

SWIFT = """
// @Test func inAComment() {}
let text = "@Test func inAText() {}"
@Suite struct Tests {
  @Test(arguments: [1]) func centralBehaviour7_norThis(_ number: Int) {}
  @Test
  func normallyItIs() { func inside() {} }
  func helper() {}
}
"""

PYTHON = """
class TestIt:
    async def test_and_so():
        "def test_in_a_text(): 0"

def helper(): 0
def test_central_behaviour_7_so(): 0
def test_soft(): 0
"""


def test_no_name_of_a_test_goes_on_with_the_sentence_of_another_one():
    names = names_of_tests()
    assert sum(map(len, names.values())) > 2_000
    wrong = {file: [name for name in found if GOES_ON.match(sentence(name))] for file, found in names.items()}
    assert {file: found for file, found in wrong.items() if found} == {}


def test_the_names_of_tests_are_found_in_code_alone(tmp_path):
    source = tmp_path / "Tests.swift"
    source.write_text(SWIFT)
    in_swift = names_in_swift(syntax([source])[source])
    in_python = names_in_python(PYTHON)
    assert in_swift == ["centralBehaviour7_norThis", "normallyItIs"]
    assert in_python == ["test_and_so", "test_central_behaviour_7_so", "test_soft"]
    goes_on = [bool(GOES_ON.match(sentence(name))) for name in in_swift + in_python]
    assert goes_on == [True, False, True, True, False]
