"""Command line of the gallery: every screen, each layout on every panel, and where a language needs room."""

import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ..programs.processes import ROOT
from ..view.panel import draw_panel
from ..view.pbm import Picture, PictureError
from ..view.sheet import expected_pictures
from .parser import EXIT_USAGE, Parser

FOLDER = ROOT / ".build" / "gallery"
STRIP_FILE = ROOT / "Boards" / "bench" / "pictures" / "screens.png"
LARGE = "128x64"
SQUARE = "128x128"

PANELS = {
    LARGE: "128x64 (SSD1306, SH1106, SSD1309)",
    SQUARE: "128x128 (SH1107), also upright",
    "128x32": "128x32",
    "64x48": "64x48",
    "72x40": "72x40",
}
# The same with `rotation = 90` or `270`.
UPRIGHT_PANELS = {
    "64x128": "64x128",
    "32x128": "32x128",
    "48x64": "48x64",
    "40x72": "40x72",
}
LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch"}


@dataclass(frozen=True)
class Sheet:
    """A picture of screens: what stands beside each other of one screen, and in how many columns they are."""

    file: str
    cells: dict[tuple[str, str], str]
    """Panels and languages, and what is written above them."""
    columns: int
    screens: tuple[str, ...] = ()
    """Some screens; all of them where none is named."""


def in_english(panels: dict[str, str]) -> dict[tuple[str, str], str]:
    return {(panel, "en"): title for panel, title in panels.items()}


ENGLISH = Sheet("gallery.png", in_english(PANELS), 2)
UPRIGHT = Sheet("gallery-upright.png", in_english(UPRIGHT_PANELS), 4)
# A screen is here where its words stand in other lines or letters than the English ones.
TRANSLATED = Sheet("gallery-languages.png", {(LARGE, code): name for code, name in LANGUAGES.items()}, 2)
SHEETS = [ENGLISH, UPRIGHT, TRANSLATED]
STRIP = Sheet(
    STRIP_FILE.name,
    in_english({LARGE: ""}),
    3,
    ("compare-123456", "radar-vehicles", "turn", "ride", "turn-near", "data"),
)

SCREENS = {
    "check": "The test picture of --check",
    "start": "Start",
    "updated": "Another version than before",
    "no-phone": "No phone",
    "searching": "Searching",
    "found-60": "Found, with its signal",
    "compare-123456": "Compare the code",
    "phone-asked": "You said yes: confirm on the phone",
    "pairing-delayed": "Pairing failed: the next try must wait",
    "paired": "Paired",
    "no-code": "A phone without a code",
    "failed-timeout": "Pairing failed",
    "waiting": "Waiting for the phone",
    "connecting": "Connecting",
    "ready": "Ready: start a tour",
    "refused": "The phone must be paired",
    "departure": "Departure",
    "turn": "Navigation",
    "turn-two-lines": "A street of two lines",
    "turn-hyphenated": "A long word, hyphenated",
    "turn-near": "A turn nearer than 100 m",
    "turn-scrolled": "A long street, scrolling",
    "alert": "Next-turn alert",
    "turn-due": "After the alert: marked until it is done",
    "off-route": "Off the route",
    "turn-nameless": "A turn without a street",
    "turn-hebrew-long": "A street from right to left",
    "extra-speed": "Speed above the distance: extra = speed",
    "turn-estimated": "The phone is silent: estimated with the wheel",
    "radar-clear": "Radar: no vehicle",
    "radar-vehicles": "Radar: vehicles; pulse: extra = heart",
    "radar-silent": "Radar: it sends nothing",
    "stale-9s-no-link": "The link is lost",
    "stale-75s": "The phone is silent: the last turn and its age",
    "stale-75s-in-doubt": "The same, and the phone has lost its key",
    "finish": "Finish",
    "arrived": "Arrived",
    "ride": "Ride page",
    "ride-clock": "Ride page with an iPhone's clock",
    "ride-over": "Ride page after the ride",
    "ride-none": "No ride yet",
    "call": "iPhone: a call",
    "notification": "iPhone: a notification",
    "music": "iPhone: music",
    "music-none": "iPhone: no music",
    "data": "Data page, four values",
    "data-three": "Data page, three values",
    "data-two": "Data page, two values",
    "data-heart": "Data page, one value",
    "data-radar": "Data page with a radar",
    "sensors": "Sensors page",
    "sensors-five": "Sensors page, one of each kind",
    "sensors-none": "Sensors page, none yet",
    "sensor-search": "Looking for a sensor",
    "sensor-still-speed": "Sensor found, without a value",
    "sensor-heart": "Sensor found: yours?",
    "sensor-cadence": "Cadence sensor found: yours?",
    "sensor-vehicles": "Radar found: yours?",
    "sensor-choice-two": "Two straps found: which one is yours?",
    "sensor-choice-mixed": "Several sensors found",
    "no-sensor-found": "No sensor found",
    "sensor-pairing": "A sensor has lost its key",
    "sensor-saved": "Sensor saved",
    "sensor-battery": "Sensor battery low",
    "own-battery": "Lenker's battery low",
    "forgetting-sensors": "Forgetting the sensors: B is held",
    "sensors-forgotten": "Sensors forgotten",
    "phone-paired": "Which phone: button B",
    "unpairing-500": "Forgetting the phone: B is held",
    "unpaired": "Phone forgotten",
    "forgotten": "The phone forgot Lenker",
    "code-missing": "Paired without a code; now one is required",
    "switch-bluetooth": "The phone ends each link at once",
    "unpair-failed": "Error: the phone is not forgotten",
    "report-saved": "Report saved",
    "report-failed": "Error: no report",
    "wrong-settings": "Error in the board file",
    "no-store": "Error: the memory cannot be read",
    "no-radio": "Error: no Bluetooth",
    "trouble-radio": "The same on the card",
}
SCALE, MARGIN, GAP, GUTTER, TITLE, HEADER = 2, 16, 12, 40, 20, 22
PAGE, INK, FAINT = (16, 18, 22), (226, 232, 240), (140, 148, 160)
COLORS = 32


def column(titles: list[str], names: list[str], rows: list[list[Image.Image | None]]) -> Image.Image:
    """Screens one below the other, with the panels' names above them all."""
    widths = [max((panel.width for panel in panels if panel), default=0) for panels in zip(*rows, strict=True)]
    heights = [TITLE + max(panel.height for panel in panels if panel) + GAP for panels in rows]
    image = Image.new("RGB", (sum(widths) + GAP * (len(widths) - 1), HEADER + sum(heights)), PAGE)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(13)
    lefts = [sum(widths[:index]) + GAP * index for index in range(len(widths))]
    for left, title in zip(lefts, names, strict=True):
        draw.text((left, 0), title, FAINT, font)
    top = HEADER
    for title, panels, height in zip(titles, rows, heights, strict=True):
        draw.text((0, top), title, INK, font)
        for left, panel in zip(lefts, panels, strict=True):
            if panel:
                image.paste(panel, (left, top + TITLE), panel)
        top += height
    return image


def pictures_of(sheet: Sheet) -> dict[str, list[Picture | None]]:
    """What stands on it of each screen; of the first panel the English picture must. Raises `PictureError` else."""
    pictures = {}
    for screen in sheet.screens or SCREENS:
        expected = expected_pictures(screen)
        cells = [expected.get(cell) for cell in sheet.cells]
        if cells[0] is None:
            raise PictureError(f"{screen}: no picture '{', '.join(next(iter(sheet.cells)))}'")
        if sheet is not TRANSLATED or sum(cell is not None for cell in cells) > 1:
            pictures[screen] = cells
    return pictures


def draw(sheet: Sheet) -> Image.Image:
    """Raises `PictureError` for a picture that is missing."""
    pictures = pictures_of(sheet)
    titles, names = [SCREENS[screen] for screen in pictures], list(sheet.cells.values())
    rows = [[picture and draw_panel(picture, SCALE) for picture in cells] for cells in pictures.values()]
    count = -(-len(rows) // sheet.columns)
    columns = [
        column(titles[first : first + count], names, rows[first : first + count])
        for first in range(0, len(rows), count)
    ]
    width = sum(part.width for part in columns) + GUTTER * (len(columns) - 1)
    height = max(part.height for part in columns)
    image = Image.new("RGB", (width + 2 * MARGIN, height + 2 * MARGIN), PAGE)
    left = MARGIN
    for part in columns:
        image.paste(part, (left, MARGIN))
        left += part.width + GUTTER
    return image.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def main() -> int:
    parser = Parser(
        prog="gallery",
        description="Every screen, and each layout on every panel, on sheets: gallery.png, on panels that stand "
        "upright gallery-upright.png, and gallery-languages.png, which has the screens whose layout depends on the "
        "language.",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--out", metavar="DIR", type=Path, default=FOLDER, help="where the sheets go (default: .build/gallery)"
    )
    choice.add_argument(
        "--strip", action="store_true", help=f"write only the six screens of the README, {STRIP_FILE.relative_to(ROOT)}"
    )
    options = parser.parse_args()
    files = {STRIP_FILE: STRIP} if options.strip else {options.out / sheet.file: sheet for sheet in SHEETS}
    try:
        for path, sheet in files.items():
            image = draw(sheet)
            path.parent.mkdir(parents=True, exist_ok=True)
            image.save(path, format="PNG", optimize=True)
    except (PictureError, OSError) as error:
        print(f"gallery: {error}", file=sys.stderr)
        return EXIT_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main())
