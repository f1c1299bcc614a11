"""Command line of the gallery: every screen on every panel, lying and upright, and where a language needs room."""

import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ..programs.processes import ROOT
from ..view.panel import draw_panel
from ..view.pbm import Picture, PictureError
from ..view.sheet import expected_pictures
from .options import EXIT_USAGE, Parser

FOLDER = ROOT / ".build" / "gallery"
STRIP_FILE = ROOT / "Boards" / "bench" / "pictures" / "screens.png"
LARGE = "128x64"

PANELS = {
    LARGE: "128x64 (SSD1306, SH1106, SSD1309)",
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
    "no-phone": "No phone",
    "searching": "Searching",
    "found-60": "Found, with its signal",
    "compare-123456": "Compare the code",
    "phone-asked": "The rider said yes: it is the phone's turn",
    "pairing-delayed": "It has failed to pair, and has to wait",
    "paired": "Paired",
    "no-code": "A phone without a code",
    "failed-timeout": "Pairing failed",
    "waiting": "Waiting for the phone",
    "connecting": "Connecting",
    "ready": "Ready, waiting for a route",
    "refused": "Error: the phone wants to be paired",
    "departure": "Departure",
    "turn": "Navigation",
    "turn-two-lines": "A street of two lines",
    "turn-hyphenated": "A street that is parted in a word",
    "turn-near": "A turn that is nearer than 100 m",
    "turn-scrolled": "A long street, scrolling",
    "alert": "Next-turn alert",
    "turn-due": "After the alert: marked until it is done",
    "off-route": "Off the route",
    "turn-nameless": "A turn without a street",
    "turn-hebrew-long": "A street from right to left",
    "extra-speed": "With the speed of the wheel, as extra = speed",
    "turn-estimated": "The phone is silent: estimated by the wheel",
    "radar-clear": "A radar: the road is clear",
    "radar-vehicles": "A radar: vehicles, and the pulse, as extra = heart",
    "radar-silent": "A radar that says nothing",
    "stale-9s-no-link": "The link is lost",
    "stale-75s": "Stale: the last instruction, with its age",
    "stale-75s-in-doubt": "Stale, and the phone did not know the display",
    "finish": "Finish",
    "arrived": "Arrived",
    "ride": "The page of the ride, on the page button",
    "ride-clock": "The same with the time of a paired iPhone",
    "ride-over": "The same after the ride",
    "ride-none": "The same before the first one",
    "call": "A paired iPhone rings, as notifications = calls",
    "notification": "It notifies of something, as notifications = all",
    "music": "What a paired iPhone plays, as music = on",
    "music-none": "The same while it plays nothing",
    "data": "The page of the data, with four figures",
    "data-three": "The same with three",
    "data-two": "The same with two",
    "data-heart": "The same with one",
    "data-radar": "The same with a radar",
    "sensors": "The page of the sensors",
    "sensors-five": "The same with one of each kind",
    "sensors-none": "The same before the first one",
    "sensor-search": "Looking for a sensor",
    "sensor-still-speed": "A sensor that says nothing yet",
    "sensor-heart": "Whether it is the rider's",
    "sensor-cadence": "The same of a sensor at the crank",
    "sensor-vehicles": "The same of a radar",
    "no-sensor-found": "No sensor was found",
    "sensor-saved": "A sensor is remembered",
    "sensor-battery": "Its battery is nearly empty",
    "forgetting-sensors": "Forgetting the sensors, in progress",
    "sensors-forgotten": "The sensors are forgotten",
    "phone-paired": "Which phone, after a press of B",
    "unpairing-500": "Unpairing, in progress",
    "unpaired": "Unpaired by the rider",
    "forgotten": "The phone has forgotten the display",
    "code-missing": "It was paired without a code, which is required",
    "switch-bluetooth": "What helps a phone that ends each link",
    "unpair-failed": "Error: the store cannot be written",
    "report-saved": "A report for the author was written",
    "report-failed": "Error: the report cannot be written",
    "wrong-settings": "Error: a mistake in the board file",
    "no-store": "Error: the store cannot be read",
    "no-radio": "No radio",
    "trouble-radio": "No radio, where nobody has a command line",
}
SCALE, MARGIN, GAP, GUTTER, TITLE, HEADER = 2, 16, 12, 40, 20, 22
PAGE, INK, FAINT = (16, 18, 22), (226, 232, 240), (140, 148, 160)
COLORS = 32


def column(titles: list[str], names: list[str], rows: list[list[Image.Image | None]]) -> Image.Image:
    """Screens one below the other, with the panels' names above them all."""
    widths = [max(panel.width for panel in panels if panel) for panels in zip(*rows, strict=True)]
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
    """What stands on it of each screen; only a translation may be missing. Raises `PictureError` else."""
    pictures = {}
    for screen in sheet.screens or SCREENS:
        expected = expected_pictures(screen)
        cells = [expected.get(cell) for cell in sheet.cells]
        for (panel, language), picture in zip(sheet.cells, cells, strict=True):
            if picture is None and language == "en":
                raise PictureError(f"{screen}: no picture '{panel}, en'")
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
        description="Every screen on every panel, on sheets: gallery.png, on panels that stand upright "
        "gallery-upright.png, and gallery-languages.png, which has the screens whose layout depends on the language.",
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
