"""Each stored value is private to one type, which changes it by its verbs: the compiler's parser says so."""

import re
from collections.abc import Iterator
from pathlib import Path

from swift_syntax import Node, syntax

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("Controller", "Link", "Search", "SensorLinks", "Central", "Exploring", "DeviceState", "Recording", "Device")
KINDS = frozenset(
    {
        "struct_decl",
        "enum_decl",
        "class_decl",
        "extension_decl",
        "func_decl",
        "constructor_decl",
        "var_decl",
        "access_control_attr",
        "setter_access_attr",
        "accessor_decl",
        "sequence_expr",
        "unresolved_decl_ref_expr",
        "unresolved_dot_expr",
        "assign_expr",
        "tuple_expr",
    }
)
TYPES = ("struct_decl", "enum_decl", "class_decl", "extension_decl")
PRIVATE = ("private", "fileprivate")

SWIFT = """
struct Open {
  var a = 0
  let b = 0
  private(set) var c = 0 { didSet { c = 1 } }
  fileprivate var d = 0
  package internal(set) var e = 0
  static var f: Int { 0 }
  var g: Int { 0 }
  var h = 0 { didSet {} }
  func i() { var j = 0 }
}
private struct Closed { var k = 0 }
extension Open { struct Inner { package var l, m: Int } }
"""

ASSIGNING = """
extension Device {
  mutating func a() { host = other() }
  mutating func b() { self.ride = x }
  mutating func c() { (d, scene) = (1, 2) }
  mutating func d() { phone.zone = nil }
  mutating func e() { let host = 1 }
}
"""


def access(node: Node, kind: str, attribute: str) -> str:
    """What an attribute of the declaration itself says, or nothing."""
    said = next((part.text for part in node.parts if part.kind == kind), "")
    found = re.search(rf"\b{attribute}=(\w+)", said)
    return found[1] if found else ""


def stored(type_: Node) -> Iterator[Node]:
    """The stored properties that a type has itself."""
    for part in type_.parts:
        getters = [
            a for a in part.parts if a.kind == "accessor_decl" and " didSet" not in a.text and " willSet" not in a.text
        ]
        if part.kind == "var_decl" and " static" not in part.text and not getters:
            yield part


def types_in(node: Node) -> Iterator[Node]:
    """The types and extensions in a source that another file can see."""
    for part in node.parts:
        if part.kind in TYPES and access(part, "access_control_attr", "access_level") not in PRIVATE:
            yield part
            yield from types_in(part)


def open_properties(root: Node) -> list[str]:
    """Those stored properties in a source that another file can set."""
    return [
        f"{type_.name}.{value.name}"
        for type_ in types_in(root)
        for value in stored(type_)
        if not value.text.rstrip(")").endswith(" let")
        and access(value, "access_control_attr", "access_level") not in PRIVATE
        and access(value, "setter_access_attr", "access") not in PRIVATE
    ]


def assigned(root: Node) -> set[str]:
    """What a source assigns by its name alone, or to `self`, a tuple's parts as well."""
    names = set()
    for expression in root.all("sequence_expr"):
        if len(expression.parts) > 1 and expression.parts[1].kind == "assign_expr":
            target = expression.parts[0]
            parts = target.parts if target.kind == "tuple_expr" else [target]
            names |= {part.attribute("name") for part in parts if part.kind == "unresolved_decl_ref_expr"}
            names |= {
                part.attribute("field")
                for part in parts
                if part.kind == "unresolved_dot_expr" and part.parts and part.parts[0].attribute("name") == "self"
            }
    return names


def sources(module: str) -> list[Path]:
    return sorted((ROOT / "Sources" / module).rglob("*.swift"))


def test_no_stored_value_can_be_set_from_another_file():
    found = {}
    for module in MODULES:
        for path, root in syntax(sources(module), KINDS).items():
            values = [value for value in open_properties(root) if not value.startswith("Device.")]
            found |= {str(path.relative_to(ROOT)): values} if values else {}
    assert found == {}


def test_the_device_wires_twenty_values_that_no_other_file_replaces():
    trees = syntax(sources("Device"), KINDS)
    wiring = ROOT / "Sources/Device/Device.swift"
    rooms = {value.name for type_ in types_in(trees[wiring]) if type_.name == "Device" for value in stored(type_)}
    assert 0 < len(rooms) <= 20
    replaced = {}
    for path, root in trees.items():
        for part in root.parts:
            if path != wiring and part.kind == "extension_decl" and '"Device"' in part.text:
                replaced[str(path.relative_to(ROOT))] = assigned(part) & rooms
    assert {path: names for path, names in replaced.items() if names} == {}


def test_only_the_store_of_the_device_asks_for_another_remembered_phone():
    asking = re.compile(r"\b(?:adoptBond|setBond)\(|\bstep\(\.forget\b")
    found = {path.name for path in sources("Device") if asking.search(path.read_text())}
    # Device.swift has the wrapper of `Host.setBond`.
    assert found == {"Device.swift", "Device+Store.swift"}


def test_values_that_another_file_can_set_are_found(tmp_path):
    (tmp_path / "a.swift").write_text(SWIFT)
    (tmp_path / "b.swift").write_text(ASSIGNING)
    trees = syntax([tmp_path / "a.swift", tmp_path / "b.swift"], KINDS)
    found = open_properties(trees[tmp_path / "a.swift"])
    assert found == ["Open.a", "Open.e", "Open.h", "Inner.l", "Inner.m"]
    assert assigned(trees[tmp_path / "b.swift"]) >= {"host", "ride", "scene"}
    assert "zone" not in assigned(trees[tmp_path / "b.swift"])
