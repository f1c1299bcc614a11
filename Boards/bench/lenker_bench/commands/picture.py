"""Command line of the picture maker: what the panel showed, as a PNG or an animation that looks like the panel."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from PIL import Image

from ..phone.rides import RideError, read_ride
from ..programs.building import SettingError, build_ride, ride_in_virtual_time
from ..programs.processes import StartError
from ..view.animation import FORMATS, AnimationError, Shown, encoded, read_run, timed
from ..view.panel import draw_panel
from ..view.pbm import Picture, PictureError, read_picture
from ..view.sheet import read_sheet
from .parser import EXIT_USAGE, Parser, positive

EXIT_FAILED = 1
LARGEST_SCALE = 32
SCALE, COLUMNS, FASTER = 4, 3, 1.0


def scale(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LARGEST_SCALE:
        raise argparse.ArgumentTypeError(f"'{text}' is not from 1 to {LARGEST_SCALE}")
    return int(text)


def animation(text: str) -> Path:
    if Path(text).suffix.lower() not in FORMATS:
        raise argparse.ArgumentTypeError(f"'{text}' ends with none of {', '.join(FORMATS)}")
    return Path(text)


def arrange(panels: list[Image.Image], columns: int, gap: int) -> Image.Image:
    """All panels on one sheet, in rows of this many."""
    columns = min(columns, len(panels))
    width, height = max(panel.width for panel in panels), max(panel.height for panel in panels)
    rows = -(-len(panels) // columns)
    sheet = Image.new("RGBA", (columns * (width + gap) - gap, rows * (height + gap) - gap), (0, 0, 0, 0))
    for number, panel in enumerate(panels):
        sheet.paste(panel, (number % columns * (width + gap), number // columns * (height + gap)))
    return sheet


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="picture",
        usage="picture FILE.pbm|SHEET.txt ... -o OUT.png [--scale N] [--columns N]\n"
        "       picture --animate OUT RIDE.csv [KEY=VALUE ...] [--faster N] [--scale N]\n"
        "       picture --animate OUT DIR [--faster N] [--scale N]",
        description="Bitmaps and sheets of them as one PNG, or a ride as a GIF or APNG, with the look of the panel.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="bitmaps, sheets; or a ride, or the folder of a run")
    result = parser.add_mutually_exclusive_group(required=True)
    result.add_argument("-o", "--output", metavar="OUT.png", type=Path, help="all bitmaps on one sheet")
    result.add_argument(
        "--animate",
        metavar="OUT",
        type=animation,
        help=f"one ride in its own time, by the ending ({', '.join(FORMATS)})",
    )
    parser.add_argument("--scale", metavar="N", type=scale, default=SCALE, help=f"image pixels a pixel ({SCALE})")
    parser.add_argument("--columns", metavar="N", type=scale, help=f"panels a row of the sheet ({COLUMNS})")
    parser.add_argument("--faster", metavar="N", type=positive, help="the animation so many times as fast as the ride")
    options = parser.parse_args(arguments)
    if options.animate is None:
        if options.faster is not None:
            parser.error("--faster is for --animate")
        return options
    if options.columns is not None:
        parser.error("--columns is for a sheet of pictures")
    source, *settings = options.files
    for setting in settings:
        if "=" not in setting:
            parser.error(f"'{setting}' is not KEY=VALUE: an animation is made of one ride")
    if settings and Path(source).is_dir():
        parser.error(f"{source}: its ride is over, and had the board keys that it had")
    return options


def ridden(source: Path, settings: list[str]) -> list[Shown]:
    """What the panel showed: in a run that has left its folder, or on a ride that is ridden now, in virtual time."""
    if source.is_dir():
        return read_run(source)
    steps = read_ride(source)
    with tempfile.TemporaryDirectory() as folder:
        ride_in_virtual_time(asyncio.run(build_ride()), steps, settings, Path(folder))
        return read_run(Path(folder))


def animate(options: argparse.Namespace) -> None:
    source, *settings = options.files
    pictures = timed(ridden(Path(source), settings), options.faster or FASTER)
    options.animate.write_bytes(encoded(pictures, options.scale, options.animate))


def pictures_in(path: Path) -> list[Picture]:
    return list(read_sheet(path).values()) if path.suffix == ".txt" else [read_picture(path)]


def draw_sheet(options: argparse.Namespace) -> None:
    pictures = [picture for path in options.files for picture in pictures_in(Path(path))]
    panels = [draw_panel(picture, options.scale) for picture in pictures]
    sheet = arrange(panels, options.columns or COLUMNS, 4 * options.scale)
    sheet.save(options.output, format="PNG", optimize=True)


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        if options.animate is None:
            draw_sheet(options)
        else:
            animate(options)
    except (PictureError, RideError, SettingError) as error:
        print(f"picture: {error}", file=sys.stderr)
        return EXIT_USAGE
    except (AnimationError, StartError) as error:
        print(f"picture: {error}", file=sys.stderr)
        return EXIT_FAILED
    except OSError as error:
        print(f"picture: {options.output or options.animate}: {error.strerror}", file=sys.stderr)
        return EXIT_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main())
