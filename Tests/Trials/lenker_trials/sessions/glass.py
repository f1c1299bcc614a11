"""What a picture of the panel shows of a ride: whether there is a turn, and what stands beside the digits."""

from pathlib import Path

from lenker_bench.view.pbm import Picture, read_picture

ARROW_WIDTH, ARROW_TOP, ARROW_BOTTOM = 40, 1, 40  # pixels of a turn on 128 × 64, above a street of two lines
CORNER_LEFT, CORNER_BOTTOM = 112, 27
LARGEST_SHIFT = 2  # rows by which the picture is moved to spare the panel
# A stale turn has every other pixel of its arrow.
LEAST_LIT = 0.35

Region = frozenset[tuple[int, int]]


def _lit(picture: Picture, left: int, top: int, right: int, bottom: int, lit: int = 1) -> Region:
    rows = picture.rows
    return frozenset((x, y) for y in range(top, bottom) for x in range(left, right) if rows[y][x] == lit)


class Glass:
    """Knows a turn by its arrow, which must be the same during a ride; the first one is learnt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arrow: Region | None = None

    def read(self) -> Picture:
        """What the glass shows now."""
        return read_picture(self._folder / "latest.pbm")

    def learn(self) -> None:
        """A turn shows now."""
        self._arrow = self._arrow_of(self.read(), 1)

    def shows_turn(self) -> bool:
        """Whether there is the turn's arrow, be it new or stale, inverted, or moved to spare the panel."""
        picture = self.read()
        return any(self._is_arrow(self._arrow_of(picture, lit)) for lit in (1, 0))

    def corner(self) -> Region:
        """The upper right corner, where the mark of a phone in doubt is."""
        return _lit(self.read(), CORNER_LEFT, 0, self.read().width, CORNER_BOTTOM)

    def _arrow_of(self, picture: Picture, lit: int) -> Region:
        return _lit(picture, 0, ARROW_TOP, ARROW_WIDTH, ARROW_BOTTOM, lit)

    def _is_arrow(self, found: Region) -> bool:
        if len(found) < len(self._arrow) * LEAST_LIT:
            return False
        shifts = range(-LARGEST_SHIFT, LARGEST_SHIFT + 1)
        return any(found <= {(x, y + shift) for x, y in self._arrow} for shift in shifts)
