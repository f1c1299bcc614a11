"""Cutting a stream of bytes into H4 packets, in either direction (Core Specification, Vol 4, Part A, 2)."""

from collections.abc import Iterator

COMMAND, ACL, SYNCHRONOUS, EVENT, ISO = range(1, 6)

# Where the length of the parameters stands, and in how many bytes.
_LENGTHS = {COMMAND: (3, 1), ACL: (3, 2), SYNCHRONOUS: (3, 1), EVENT: (2, 1), ISO: (3, 2)}


class Framer:
    """Cuts bytes, as they come, into whole packets.

    After a byte that begins no packet, everything is passed on as it is: what breaks the framing must be seen.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._rest += data
        while self._rest:
            end = self._end()
            if end is None:
                return
            packet, self._rest = self._rest[:end], self._rest[end:]
            yield packet

    def _end(self) -> int | None:
        """Where the first packet ends, or none while it is not whole."""
        lengths = _LENGTHS.get(self._rest[0])
        if lengths is None:
            return len(self._rest)
        offset, size = lengths
        if len(self._rest) < offset + size:
            return None
        end = offset + size + int.from_bytes(self._rest[offset : offset + size], "little")
        return end if end <= len(self._rest) else None
