"""What somebody sees of the page, and does with it."""

import base64
import io
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import Page

from lenker_bench.view.pbm import Picture


def picture_of(image: Image.Image, cell: int) -> Picture:
    """The states of the panel's pixels: each is sampled near its middle, within a frame of one pixel."""
    reds = image.convert("RGB").getchannel("R")
    middle = cell + cell // 2 - 1
    rows = tuple(
        tuple(int(reds.getpixel((x, y)) > 40) for x in range(middle, image.width - cell, cell))
        for y in range(middle, image.height - cell, cell)
    )
    return Picture(len(rows[0]), len(rows), rows)


@dataclass(frozen=True)
class Shown:
    """A page that somebody looks at."""

    page: Page
    address: str

    def open(self, settings: str = "") -> None:
        self.page.goto(f"{self.address}#{settings}")
        self.page.locator("#phone-state:not(:empty)").wait_for()

    def run(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    def ride(self, milliseconds: int) -> None:
        """The short ride, from its beginning on."""
        self.open("ride=short&speed=1")
        self.run(milliseconds)

    @property
    def cell(self) -> int:
        """How wide a pixel of the panel is, with its gap."""
        return int(self.page.locator("#panel").get_attribute("data-cell"))

    @property
    def image(self) -> Image.Image:
        png = self.page.locator("#panel").evaluate("canvas => canvas.toDataURL()").partition(",")[2]
        return Image.open(io.BytesIO(base64.b64decode(png)))

    @property
    def picture(self) -> Picture:
        return picture_of(self.image, self.cell)

    @property
    def words(self) -> str:
        """What the panel says, as text."""
        return self.page.locator("#words").inner_text()

    @property
    def phone(self) -> str:
        return self.page.locator("#phone-state").inner_text()

    @property
    def trouble(self) -> str:
        return self.page.locator("#trouble").inner_text()

    @property
    def progress(self) -> int:
        """How many thousandths of the ride are over."""
        return self.page.locator("#progress").evaluate("bar => bar.value")

    @property
    def events(self) -> list[str]:
        return self.page.locator("#log p:visible").all_inner_texts()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).select_option(value)

    def give(self, ride: bytes) -> None:
        """Opens a file as the ride."""
        self.page.locator("#file").set_input_files({"name": "ride.csv", "mimeType": "text/csv", "buffer": ride})

    def ride_far(self) -> None:
        """Rides to a turn that is so far that nothing comes in between."""
        self.give(b"milliseconds,direction,distance,street\n0,8,3000,Ring\n900000,3,5,Ring\n")
        self.page.locator("#ride option[value=own]:not([hidden])").wait_for(state="attached")
        self.run(5_000)

    def pair_again(self) -> str:
        """Forgets the phone and pairs until there are digits to compare, which it returns."""
        self.hold("b", 3_200)
        self.run(4_000)
        self.hold("a", 100)
        self.run(2_000)  # nobody reads six digits in less than one
        return self.page.locator("#digits").inner_text()

    def hold(self, key: str, milliseconds: int) -> None:
        self.page.keyboard.down(key)
        self.run(milliseconds)
        self.page.keyboard.up(key)
        self.run(100)
