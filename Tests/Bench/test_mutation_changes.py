"""Which changes Tests/mutate makes to a source, and what it leaves alone."""

import pytest

from mutation.places import Place, places_in
from mutation.swift_code import code_only


def changed(source: str) -> set[tuple[str, ...]]:
    """What the lines of a source become."""
    return {place.texts[2] for place in places_in("Sources/M/F.swift", source)}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("a // b < c\nd", "a         \nd"),
        ("a /* 1 /* 2 */ 3 */ b", "a                   b"),
        ('a("b // c") // d', 'a("      ")     '),
        ('a("\\(b("c)")) d") e', 'a("            ") e'),
        ('a(#"b\\"#) c', 'a(#"  "#) c'),
        ('a("""\n  1 "2" 3\n  """) b', 'a("""\n         \n  """) b'),
    ],
)
def test_comments_and_texts_are_no_code(source, code):
    assert code_only(source) == code


@pytest.mark.parametrize(
    ("line", "others"),
    [
        ("let a = b < c", {"let a = b <= c", "let a = b >= c"}),
        ("let a = b == c", {"let a = b != c"}),
        ("let a = b && c", {"let a = b || c"}),
        ("let a = b &+ c", {"let a = b &- c"}),
        ("for a in b..<c {", {"for a in b...c {"}),
        ("let a = min(b, c)", {"let a = max(b, c)"}),
        ("let a = true", {"let a = false"}),
        ("let a = 0x0F", {"let a = 0x10", "let a = 0x0E"}),
        ("let a = 0", {"let a = 1"}),
        ("let a = !b", {"let a = b"}),
        ("let a = b ? c : d", {"let a = !b ? c : d"}),
        ("if a {", {"if !(a) {"}),
        ("if a, let b = c {", {"if !(a), let b = c {", "if let b = c {"}),
        ("guard let a = b, c else {", {"guard let a = b, !(c) else {", "guard let a = b else {"}),
        ("for a in b where c {", {"for a in b {", "for a in b where !(c) {"}),
        ("case .a: b(c)", {"case .a: break"}),
    ],
)
def test_a_line_is_changed_in_each_way_that_matters(line, others):
    assert changed(line) == {(other,) for other in others}


@pytest.mark.parametrize(
    "line",
    [
        "public import Bytes",
        "/// More than 1 && less than 2.",
        '  case .a: "1 < 2"',
        "func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {",
        "let a = FixedBuffer<512>()",
        "let a = b.0",
        "a.map { $0.b }",
        "@_lifetime(copy a, 1)",
        'precondition(a < 1, "1")',
        "let a: Span<UInt8>",
    ],
)
def test_what_is_no_behaviour_is_left_alone(line):
    assert {other for other in changed(line) if other} == set()


def test_a_condition_in_a_line_of_its_own_is_left_out():
    found = changed("guard a,\n  b,\n  let c = d\nelse { return }")
    assert {("guard",), ()} <= found


def test_a_statement_is_left_out_but_not_half_of_one():
    source = "func f() {\n  a.b(c)\n  let d = e\n  g(\n    h)\n  i =\n    j(k)\n  l(m)\n    .n()\n}"
    assert {place.old for place in places_in("F", source) if place.kind == "dropped"} == {("  a.b(c)",)}


def test_the_value_of_a_function_is_not_left_out():
    assert places_in("F", "func f() -> Int {\n  a(b)\n}") == []


def test_statements_about_the_same_thing_are_exchanged():
    orders = [place for place in places_in("F", "  a.b(c)\n  a.d(e)\n  f(g)\n") if place.kind == "order"]
    assert [(place.number, place.new) for place in orders] == [(1, ("  a.d(e)", "  a.b(c)"))]


def test_a_function_returns_nothing_or_the_opposite():
    assert ("return !(a.b)",) in changed("func f() -> Bool {\n  return a.b\n}")
    assert ("return nil",) in changed("func f() -> A? {\n  return a.b\n}")
    assert ("var a: Bool { !(b.c) }",) in changed("var a: Bool { b.c }")


def test_a_change_is_made_in_its_line_and_keeps_the_comment_and_the_text():
    source = 'a\nb(1)  // 1 "x"\nc("1")\n'
    texts = {place.made_in(source) for place in places_in("F", source)}
    assert 'a\nb(2)  // 1 "x"\nc("1")\n' in texts and 'a\nc("1")\n' in texts


def test_the_same_change_of_the_same_line_elsewhere_has_a_number():
    places = places_in("F", "a(true)\nb\na(true)\n")
    assert [(place.number, place.occurrence) for place in places if place.new] == [(1, 0), (3, 1)]


def test_a_place_is_not_taken_for_another_one():
    place = Place("F", 1, "value", ("a",), ("b",))
    with pytest.raises(AssertionError):
        place.made_in("c\n")
