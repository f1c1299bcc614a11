"""When a central that reads with care has a value whole."""

from dataclasses import dataclass

from . import komoot


@dataclass
class _InParts:
    value: bytes
    first_end: int  # offset
    is_at_end: bool = False


class Reading:
    """The reading of one value that may change in the midst of it, by one central.

    Behind a part that may be cut the central reads on. What it then has of several parts may be of two values, so it
    reads the first one again: if that is still the same, it has the value. Before that the next instruction must not
    come, or nobody ever has this one.
    """

    def __init__(self) -> None:
        self._parts: _InParts | None = None

    def answered(self, value: bytes, offset: int, part: bytes, room: int) -> bool:
        """Whether the central has the value now that it got this part of it; `room` is the most that fits in one."""
        return (
            self._answered_first(value, part, room) if offset == 0 else self._answered_more(value, offset, part, room)
        )

    def _answered_first(self, value: bytes, part: bytes, room: int) -> bool:
        before, self._parts = self._parts, None
        if before is not None and before.is_at_end and before.value == value:
            return True
        if komoot.may_be_cut(part, room):
            self._parts = _InParts(value, len(part))
            return False
        return len(part) == len(value)

    def _answered_more(self, value: bytes, offset: int, part: bytes, room: int) -> bool:
        if self._parts is None or self._parts.value != value:
            self._parts = None
            return False
        if len(part) >= room:
            return False
        self._parts.is_at_end = offset + len(part) == len(value)
        return self._parts.is_at_end and offset + len(part) == self._parts.first_end
