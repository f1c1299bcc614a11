"""How Tests/mutate puts many changes into one program."""

import re

import pytest

from mutation.places import Place
from mutation.together import Together, bodies

FILE = "Sources/M/F.swift"


def place(source: str, old: str, new: str | None) -> Place:
    """The change of the one line that contains `old`."""
    [(number, line)] = [(number, line) for number, line in enumerate(source.split("\n"), 1) if old in line]
    return Place(FILE, number, "any", (line,), () if new is None else (line.replace(old, new),))


def lines_with(text: str, together: Together) -> list[int]:
    """The numbers of the lines that contain this, the first being 1."""
    return [number for number, line in enumerate(together.text().split("\n"), 1) if text in line]


def short(text: str) -> str:
    """A text of `Together`, with `<1>` where change 1 is chosen."""
    text = re.sub(r" if chosen_change\(\) == (\d+) ", r"<\1>", text.removeprefix("import Switch\n"))
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("source", "inner"),
    [
        ("func f() { a }", " a "),
        ("func f<T: P>(_ x: () -> T = { 1 }) throws(E) -> T { a }", " a "),
        ("static func < (l: A, r: A) -> Bool { a }", " a "),
        ("func f(\n  x: Int\n) -> Int\nwhere T: P {\n  a\n}", "\n  a\n"),
        ("init?(x: Int) { a }", " a "),
        ("var x: Int { a }", " a "),
        ("var x: Int {\n  @_lifetime(borrow self)\n  borrowing get { a }\n}", " a "),
        ("subscript(i: Int) -> Int { a }", " a "),
        ("func f() { var y: Int { b }; func g() { a } }", " var y: Int { b }; func g() { a } "),
        ('func f() { print("}") /* } */ }', ' print("}") /* } */ '),
    ],
)
def test_a_function_is_known_by_its_head(source, inner):
    assert [source[body.start : body.stop] for body in bodies(source)] == [inner]


@pytest.mark.parametrize("source", ["let x = 1", "enum E { case a }", "func f()", "let x = T.init(1)", "let f = { a }"])
def test_nothing_else_is_a_function(source):
    assert bodies(source) == []


SOURCE = "func f() -> Int {\n  if a < b { c() }\n  d()\n  return e\n}\nlet g = 1\nfunc h() { i() }\n"


def test_each_change_has_a_body_of_its_own_beside_the_one_without():
    places = {1: place(SOURCE, "<", ">"), 2: place(SOURCE, "d()", None), 3: place(SOURCE, "i()", "")}
    together = Together(SOURCE, places)
    assert short(together.text()) == (
        "func f() -> Int {<1>{ if a > b { c() } d() return e } else<2>{ if a < b { c() } return e }"
        " else { if a < b { c() } d() return e } } let g = 1 func h() {<3>{ } else { i() } } "
    )


def test_what_is_in_no_function_has_a_program_of_its_own():
    assert Together(SOURCE, {1: place(SOURCE, "= 1", "= 2")}).places == {}


def test_what_does_not_compile_is_left_out_and_the_others_stay():
    places = {1: place(SOURCE, "<", ">"), 2: place(SOURCE, "d()", None), 3: place(SOURCE, "i()", "j()")}
    together = Together(SOURCE, places)
    assert together.leave_out(lines_with("j()", together)) and set(together.places) == {1, 2}
    assert together.leave_out(lines_with("a > b", together)) and set(together.places) == {2}


def test_a_body_that_does_not_compile_beside_others_is_left_as_it_is():
    places = {1: place(SOURCE, "<", ">"), 2: place(SOURCE, "d()", None), 3: place(SOURCE, "i()", "j()")}
    together = Together(SOURCE, places)
    assert together.leave_out(lines_with("return e", together)[-1:]) and set(together.places) == {3}


def test_an_error_elsewhere_is_none_of_a_change():
    together = Together(SOURCE, {1: place(SOURCE, "<", ">")})
    assert not together.leave_out(lines_with("let g", together)) and set(together.places) == {1}


def test_lines_that_no_change_touches_stay_as_they_are():
    source = "  func f() { a }\n"
    assert Together(source, {}).text() == "import Switch\n" + source
