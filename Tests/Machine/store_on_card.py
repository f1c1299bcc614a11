"""The store on a card: what counts in it, and how many writes come before its next record."""

from pathlib import Path

from card import SECTOR, partitions
from sensor_records import SIZE, next_is_damaged, sensors_that_count

RECORD_WRITES = 8
"""Sectors that the kernel writes at once: the record's, or its checksum's, is the first or the last of one."""
SECTOR_GROUP = RECORD_WRITES * SECTOR


class StoreOnCard:
    """The second partition of a card, with a record in each half."""

    def __init__(self, image: Path) -> None:
        store = partitions(image)[1]
        self.start = store.start
        self._image = image
        self._places = (store.start, store.start + store.size // 2 // SECTOR_GROUP * SECTOR_GROUP)

    def put(self, record: bytes) -> None:
        """Writes a record into the first half."""
        with self._image.open("r+b") as card:
            card.seek(self.start)
            card.write(record)

    def sensors(self) -> bytes:
        """The places of those that count."""
        return sensors_that_count(*self._halves())

    def writes_before_record(self) -> int:
        """Those that spoil the checksum of a damaged record, before the next one is written over it."""
        return RECORD_WRITES if next_is_damaged(*self._halves()) else 0

    def _halves(self) -> tuple[bytes, bytes]:
        content = self._image.read_bytes()
        first, second = (content[place : place + SIZE] for place in self._places)
        return first, second
