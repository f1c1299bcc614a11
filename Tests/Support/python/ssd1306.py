"""What the glass of a panel shows after the I2C messages that it got.

Written from the data sheets, SSD1306 revision 1.1, SH1106 version 2.3, SSD1309 and SH1107 version 2.1, and from nothing
else: it is there to find what the firmware's own mirror image has wrong. It is strict: what the data sheets do not
define raises `PanelFault`.
"""

from dataclasses import dataclass

PAGES = 8  # 16 with the SH1107


class PanelFault(Exception):
    """A message that the controller would not understand."""


@dataclass(frozen=True)
class Glass:
    """A panel's glass and its wiring: how many columns the controller has, and which of them are wired."""

    width: int
    height: int
    columns: int = 128
    first_segment: int = 0
    com_pins: int = 0x12


GLASSES = {
    "ssd1306-128x64": Glass(128, 64),
    "ssd1306-128x32": Glass(128, 32, com_pins=0x02),
    "ssd1306-64x48": Glass(64, 48, first_segment=32),
    "ssd1306-72x40": Glass(72, 40, first_segment=28),
    "sh1106-128x64": Glass(128, 64, columns=132, first_segment=2),
    "ssd1309-128x64": Glass(128, 64),
    "sh1107-128x128": Glass(128, 128),
}

# Commands of two and three bytes: SSD1306 and SSD1309 table 9-1, SH1106 section "Command Table".
ARGUMENTS = dict.fromkeys([0x20, 0x81, 0x8D, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, 0xFD], 1) | {0x21: 2, 0x22: 2}

# Commands of two bytes; its mode is a command of one.
SH1107_ARGUMENTS = {0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDB, 0xDC}


class Panel:
    """One panel after power-on; `write` takes a message without its address."""

    def __init__(self, kind: str) -> None:
        self.glass = GLASSES[kind]
        self.is_sh1106 = kind.startswith("sh1106")
        self.is_ssd1309 = kind.startswith("ssd1309")
        self.is_sh1107 = kind.startswith("sh1107")
        self.page_count = 16 if self.is_sh1107 else PAGES
        # After power-on the RAM holds anything; a pattern shows what is never written.
        self.ram = [bytearray(0x55 for _ in range(self.glass.columns)) for _ in range(self.page_count)]
        self.is_on = False
        # A module with an SSD1309 makes the voltage; the converter of the SH1107 runs after power-on.
        self.has_supply = self.is_ssd1309 or self.is_sh1107
        self.is_inverted = self.is_remapped = self.is_reversed = False
        self.contrast = 0x7F
        self.mode = 2
        self.columns = (0, self.glass.columns - 1)
        self.pages = (0, PAGES - 1)
        self.column = self.page = 0
        self.rows = 128 if self.is_sh1107 else 64
        self.start_line = 0
        self.com_pins = 0x12
        self._command = bytearray()

    def write(self, message: bytes) -> None:
        """SSD1306 section 8.1.5.2: a control byte with Co = 1 stands before one byte, with Co = 0 before all others."""
        rest = bytearray(message)
        if not rest:
            raise PanelFault("an empty message")
        while rest:
            control = rest.pop(0)
            if control & 0x3F:
                raise PanelFault(f"control byte {control:02x}")
            count = 1 if control & 0x80 else len(rest)
            part, rest = rest[:count], rest[count:]
            for byte in part:
                if control & 0x40:
                    self._write_data(byte)
                else:
                    self._write_command(byte)

    def _write_data(self, byte: int) -> None:
        if self._command:
            raise PanelFault(f"data within command {self._command.hex()}")
        # SSD1306 section 10.1.8: the remap "only affects subsequent data input". The SH1106 remaps what it shows.
        is_mirrored = self.is_remapped and not (self.is_sh1106 or self.is_sh1107)
        self.ram[self.page][127 - self.column if is_mirrored else self.column] = byte
        if self.mode == 2:
            self.column = min(self.column + 1, self.glass.columns - 1)
            return
        # Section 10.1.3, horizontal mode: along the columns, then to the next page, then back to the start.
        self.column += 1
        if self.column > self.columns[1]:
            self.column = self.columns[0]
            self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    def _write_command(self, byte: int) -> None:
        self._command.append(byte)
        if len(self._command) > self._argument_count(self._command[0]):
            code, *arguments = self._command
            self._command.clear()
            self._execute(code, arguments)

    def _argument_count(self, code: int) -> int:
        if self.is_sh1107:
            return int(code in SH1107_ARGUMENTS)
        return ARGUMENTS.get(code, 0)

    def _execute(self, code: int, arguments: list[int]) -> None:
        """What all controllers have; each table has more."""
        if code in (0xA0, 0xA1):
            self.is_remapped = code == 0xA1
        elif code in (0xA6, 0xA7):
            self.is_inverted = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.is_on = code == 0xAF
        elif code in (0xC0, 0xC8):
            self.is_reversed = code == 0xC8
        elif code == 0x81:
            self.contrast = arguments[0]
        elif code == 0xD3 and arguments != [0]:
            raise PanelFault(f"{code:02x} {arguments}: no COM output is to be shifted")
        elif code not in (0xA4, 0xD3, 0xD5, 0xD9, 0xDB, 0xE3):
            (self._execute_sh1107 if self.is_sh1107 else self._execute_others)(code, arguments)

    def _execute_others(self, code: int, arguments: list[int]) -> None:
        """The SSD1306's table and the SH1106's, and what the SSD1309 has otherwise."""
        if code <= 0x1F or 0xB0 <= code <= 0xB7:
            self._set_page_mode_address(code)
        elif code in (0x20, 0x21, 0x22):
            self._set_window(code, arguments)
        elif code == 0xFD and self.is_ssd1309:
            if arguments != [0x12]:
                raise PanelFault("the controller is locked")
        elif code in (0x8D, 0xAD) and self.is_ssd1309:
            raise PanelFault(f"the SSD1309 has no command {code:02x}")
        elif code == 0x8D and not self.is_sh1106:
            self.has_supply = arguments == [0x14]
        elif code == 0xAD and self.is_sh1106:
            self.has_supply = arguments == [0x8B]
        elif code == 0xA8:
            self.rows = arguments[0] + 1
        elif code == 0xDA:
            self.com_pins = arguments[0]
        elif 0x40 <= code <= 0x7F:
            self.start_line = code & 0x3F
        elif code not in (0x2E, 0xAD):
            raise PanelFault(f"command {code:02x}")

    def _execute_sh1107(self, code: int, arguments: list[int]) -> None:
        """Its table of commands; "Don't use any commands not mentioned above" (page 23)."""
        if 0x18 <= code <= 0x1F:
            raise PanelFault(f"the SH1107 has no command {code:02x}")
        if code <= 0x17:
            shift = 4 if code >= 0x10 else 0
            self.column = self.column & (0x0F if shift else 0x70) | (code & (0x07 if shift else 0x0F)) << shift
        elif code == 0x20:
            self.mode = 2
        elif 0xB0 <= code <= 0xBF:
            self.page = code & 0x0F
        elif code == 0xAD:
            if arguments[0] & 0xF0 != 0x80:
                raise PanelFault(f"{code:02x} {arguments}: no mode of the converter")
            self.has_supply = bool(arguments[0] & 1)
        elif code == 0xA8:
            self.rows = (arguments[0] & 0x7F) + 1
        elif code == 0xDC:
            self.start_line = arguments[0] & 0x7F
        else:
            raise PanelFault(f"the SH1107 has no command {code:02x}")

    def _set_page_mode_address(self, code: int) -> None:
        if self.mode != 2:
            raise PanelFault(f"command {code:02x} is for page addressing mode only")
        if code >= 0xB0:
            self.page = code & 7
        elif code >= 0x10:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        else:
            self.column = self.column & 0xF0 | code

    def _set_window(self, code: int, arguments: list[int]) -> None:
        if self.is_sh1106:
            raise PanelFault(f"the SH1106 has no command {code:02x}")
        if code == 0x20:
            if arguments not in ([0], [2]):
                raise PanelFault("vertical addressing is not modelled")
            (self.mode,) = arguments
            return
        first, last = arguments
        if self.mode == 2 or first > last or last > (127 if code == 0x21 else PAGES - 1):
            raise PanelFault(f"{code:02x} {first} {last} in mode {self.mode}")
        if code == 0x21:
            self.columns, self.column = (first, last), first
        else:
            self.pages, self.page = (first, last), first

    def picture(self) -> tuple[tuple[int, ...], ...]:
        """`picture()[y][x]` is 1 where the glass is lit, mounted so that A1 and C8 have the picture upright.

        So the left edge of the glass is at the highest wired segment, and its upper edge at the last COM output.
        """
        glass = self.glass
        if not (self.is_on and self.has_supply):
            return ((0,) * glass.width,) * glass.height
        if self.is_sh1107:
            if self.rows != 128:
                raise PanelFault(f"{self.rows} lines on glass with 128")
            return tuple(tuple(self._pixel_of_sh1107(x, y) for x in range(128)) for y in range(128))
        if self.rows != glass.height or self.com_pins != glass.com_pins:
            raise PanelFault(f"{self.rows} rows and COM pins {self.com_pins:02x} on glass with {glass.height} rows")
        return tuple(tuple(self._pixel(x, y) for x in range(glass.width)) for y in range(glass.height))

    def _pixel_of_sh1107(self, x: int, y: int) -> int:
        """Figure 10: bits of a page are segments, and columns of the RAM are lines; with A0 and C0 it is upright."""
        segment = 127 - y if self.is_remapped else y
        com = 127 - (x + self.glass.first_segment) % 128 if self.is_reversed else (x + self.glass.first_segment) % 128
        column = (com + self.start_line) % 128
        return self.ram[segment // 8][column] >> segment % 8 & 1 ^ self.is_inverted

    def _pixel(self, x: int, y: int) -> int:
        segment = self.glass.columns - 1 - self.glass.first_segment - x
        # Remapped, segment 0 shows the last column: the SSD1306 has put it there, the SH1106 looks there.
        is_mirrored = self.is_remapped and self.is_sh1106
        column = self.glass.columns - 1 - segment if is_mirrored else segment
        com = self.glass.height - 1 - y
        row = self.rows - 1 - com if self.is_reversed else com
        # Section 10.1.6: the start line is the RAM's row that is shown first, and the rows go round.
        row = (row + self.start_line) % 64
        return self.ram[row // 8][column] >> row % 8 & 1 ^ self.is_inverted
