// SPDX-FileCopyrightText: 2026 The Lenker authors
// SPDX-License-Identifier: MIT

// A case for Lenker: a Raspberry Pi Zero, a 1.3 inch OLED module and two watertight buttons.
//
//   part = "body" | "lid" | "saddle"   as it lies on the printer's bed, without supports
//   part = "picture"                   assembled and taken apart, to look at
//   part = "clash"                     what is in the same place twice: must be empty
//
// All is in millimetres. Seen from the rider, x goes to the right, y away and z out of the face. The lower side is that
// towards the rider, at the least y, as the case is tilted to the rider. The origin is the middle of the body's back.

part = "picture";

$fn = 40;

// ---- What is built in ----

// Raspberry Pi Zero, by its mechanical drawing as several published models have it: board, holes for M2.5, sockets.
pi_board = [65, 30, 1.4];
pi_holes = [58, 23];
pi_hdmi = 12.4; // from the left edge of the board, as the next two
pi_usb = 41.4;
pi_power = 54;
pi_card = 16.9; // from the lower edge
pi_socket_over_edge = 1.3;
pi_socket_height = 3.4;
header_with_plugs = 18; // above the board: plugs of 14 mm, and the bend of their wires
card_over_edge = 2.3;
card = [15, 11, 1];

// A 1.3 inch module. Its glass is 34.5 × 23 × 1.4 mm and shows 29.42 × 14.7 mm: SparkFun's hardware overview of its
// Qwiic OLED 1.3in, by the glass's data sheet. Its board is about 35 × 33 mm: Silicon Chip, October 2023. Makers
// differ: so washers hold the edges of the board, and not its holes, and it can be moved by a millimetre.
module_board = [36.2, 34.4, 1.6]; // the largest that fits
module_glass = [34.5, 23, 1.5];
module_pins = 2.5; // behind the board
foam_tape = 0.5; // between lid and glass
visible = [29.42, 14.7];
visible_middle = [0, 1]; // from the middle of the board, towards its pins

// A watertight push button with a thread of 12 mm.
button_thread = 12;
button_bezel = 18;
button_nut = 17; // across its corners
button_nut_height = 3;
button_body = 13;
button_depth = 20; // behind what it is screwed to

// The plug of the cable, as thick as it may be.
plug = [12, 8];

// The bar that the saddle sits on, with a strip of rubber.
bar = 31.8;
rubber = 1;

// ---- What is printed ----

gap = 0.3; // between two printed parts
wall = 2.4;
floor_thickness = 3.4;
lid_thickness = 4;
standoff = 4;
inside = [93, 40]; // the room in the body, seen from the front
depth = 28; // from the floor to the lid
button_x = 35;
pi_middle = [3, -3]; // off the middle, so that the card can be pulled out and the plug reaches the socket

// The seal: the edge of the body stands in a groove of the lid, and presses a round cord.
cord = 2.5;
cord_pressed = 1.9;
rim = 4; // how far the lid reaches over the edge
rib = 1.8; // beside the groove
groove = wall + 2 * gap;
groove_in_lid = 1.4;

sheet = 1.5; // the clear sheet of the window, flush with the face
sheet_ledge = 1.5; // where it lies, at 45°
window = [33.4, 18.4]; // what is visible, and 2 mm around it
sheet_size = window + 2 * [sheet_ledge, sheet_ledge]; // the sheet is cut 0.4 mm smaller: 36 × 21 mm

drip = 4; // how far the lid stands out at its lower side
drip_lip = 1.8;
drip_height = 3; // below the seam

// Screws that cut their own thread: M3, countersunk for lid and saddle, with washers for the module; M2.5 for the Pi.
m3_thread = 2.5;
m3_free = 3.4;
m3_head = 6.3;
m25_thread = 2.1;
washer = 9;
clamp = 5.7; // a column for a washer
clamp_y = [1.5, -12]; // clear of the plugs on the header
clamp_x = module_board.x / 2 + 0.3 + clamp / 2;

// ---- What follows from that ----

// Rubber gives way to the sides only: it must not fill the groove.
assert(PI * cord * cord / 4 < 0.9 * groove * cord_pressed, "the cord is too thick for its groove");
assert(min(window - visible) >= 3, "the window hides what is visible");

side = wall + gap + rib;
outside = inside + 2 * [side, side];
corner = 5; // the middle of the lid's screws is that far from both edges
top = floor_thickness + depth; // the inner side of the lid
seam = top - rim;
edge = top + groove_in_lid - cord_pressed;
board_top = floor_thickness + standoff + pi_board.z;
power_x = pi_middle.x - pi_board.x / 2 + pi_power;
power_z = board_top + 1.3;
button_seat = 2.4; // the lid's thickness there
vents = [-32, -16, 0, 38];

bit = 0.01; // by which solids overlap that are to be one

module rounded(size, radius) {
  offset(radius) square(size - 2 * [radius, radius], center = true);
}

module four(distance) {
  for (x = [-1, 1], y = [-1, 1]) translate([x * distance.x / 2, y * distance.y / 2]) children();
}

module clamps() {
  for (x = [-1, 1], y = clamp_y) translate([x * clamp_x, y]) children();
}

screws = outside - 2 * [corner, corner];

module outline() {
  rounded(outside, corner);
}

// The room of the body, which leaves the corners to the screws of the lid. By `more` it is larger.
module room(more = 0) {
  offset(more) offset(2) offset(-2) difference() {
    rounded(inside, 2);
    four(screws) circle(m3_free / 2 + rib + gap + wall);
  }
}

// A hole along y, pointed above so that it needs no supports.
module drop(diameter, length) {
  rotate([-90, 0, 0]) linear_extrude(length) union() {
    circle(d = diameter);
    rotate(-135) square(diameter / 2);
  }
}

// ---- Body: printed on its back ----

module body() {
  difference() {
    union() {
      difference() {
        union() {
          linear_extrude(seam) outline();
          linear_extrude(edge) room(wall);
        }
        translate([0, 0, floor_thickness]) linear_extrude(depth) room();
      }
      translate([pi_middle.x, pi_middle.y, floor_thickness - 1]) linear_extrude(standoff + 1) four(pi_holes)
        circle(d = 6);
    }
    translate([pi_middle.x, pi_middle.y, floor_thickness + standoff - 5.4]) linear_extrude(20) four(pi_holes)
      circle(d = m25_thread);
    translate([power_x, -outside.y / 2, power_z]) opening();
    for (x = vents) translate([x, -outside.y / 2, floor_thickness + 1.6]) vent();
    four(2 * [saddle_screw, saddle_screw]) screw_hole(floor_thickness);
    translate([0, 0, seam - 12]) linear_extrude(20) four(screws) circle(d = m3_thread);
  }
}

// For the plug: flat above for 5 mm, which a printer bridges.
module opening() {
  w = plug.x / 2 + 0.5;
  h = plug.y / 2 + 0.5;
  slope = w - 2.5;
  translate([0, side + 1, 0]) rotate([90, 0, 0]) linear_extrude(side + 2)
    polygon([[-w, -h], [w, -h], [w, h], [w - slope, h + slope], [slope - w, h + slope], [-w, h]]);
}

// Where the case breathes, and where water that got in runs out.
module vent() {
  translate([0, -1, 0]) rotate([-90, 0, 0]) linear_extrude(side + 2) rotate(45) square(2.4, center = true);
}

// For a countersunk screw whose head is at `height`.
module screw_hole(height) {
  translate([0, 0, -1]) cylinder(d = m3_free, h = height + 2);
  translate([0, 0, height - m3_head / 2]) cylinder(d1 = 0, d2 = m3_head + 2 * bit, h = m3_head / 2 + bit);
}

// ---- Lid: printed on its face ----

module lid() {
  difference() {
    union() {
      translate([0, 0, top]) linear_extrude(lid_thickness) with_drip();
      translate([0, 0, seam]) linear_extrude(rim + bit) difference() {
        outline();
        room(-gap - rib);
      }
      translate([0, 0, seam - drip_height]) linear_extrude(rim + drip_height + bit) lip();
      translate([0, 0, top - foam_tape - module_glass.z - 1]) linear_extrude(5)
        clamps() circle(d = clamp);
    }
    translate([0, 0, seam - bit]) linear_extrude(rim + groove_in_lid + bit) difference() {
      room(wall + gap);
      room(-gap);
    }
    translate([0, 0, seam]) four(screws) screw_hole(rim + lid_thickness);
    translate([0, 0, top - 4]) linear_extrude(4 + 2.2) clamps() circle(d = m3_thread);
    translate([visible_middle.x, visible_middle.y, 0]) window_hole();
    for (x = [-1, 1]) translate([x * button_x, 0, top]) {
      translate([0, 0, -bit]) cylinder(d = button_nut + 2, h = lid_thickness - button_seat + bit);
      cylinder(d = button_thread + 0.4, h = 20);
    }
    translate([0, 0, top + lid_thickness - 0.6]) linear_extrude(1) letters();
  }
}

module with_drip() {
  hull() {
    outline();
    translate([0, -drip]) outline();
  }
}

// It goes round the lower corners, and keeps off the body.
module lip() {
  difference() {
    with_drip();
    offset(-drip_lip) with_drip();
    translate([-100, -outside.y / 2 - gap]) square([200, 100]);
  }
}

// The sheet lies on a slope of 45°, whose wedge takes the glue.
module window_hole() {
  translate([0, 0, top - 1]) linear_extrude(20) rounded(window, 2);
  translate([0, 0, top + lid_thickness - sheet]) linear_extrude(20) rounded(sheet_size, 2 + sheet_ledge);
  hull() {
    translate([0, 0, top + lid_thickness - sheet]) linear_extrude(bit) rounded(sheet_size, 2 + sheet_ledge);
    translate([0, 0, top + lid_thickness - sheet - sheet_ledge]) linear_extrude(bit) rounded(window, 2);
  }
}

// No font, which another machine might not have. The strokes are wide enough for any printer.
module stroke(points) {
  for (i = [1 : len(points) - 1]) hull() {
    translate(points[i - 1]) circle(d = 1.6, $fn = 12);
    translate(points[i]) circle(d = 1.6, $fn = 12);
  }
}

module letters() {
  translate([-button_x, 14.4]) letter_a();
  translate([button_x, 14.4]) letter_b();
}

module letter_a() {
  stroke([[-3, -3.4], [0, 3.4], [3, -3.4]]);
  stroke([[-2, -1.4], [2, -1.4]]);
}

module letter_b() {
  stroke([[-2.4, -3.4], [-2.4, 3.4], [1, 3.4], [2, 2.6], [2, 1], [1, 0], [-2.4, 0]]);
  stroke([[1, 0], [2.4, -1], [2.4, -2.4], [1, -3.4], [-2.4, -3.4]]);
}

// ---- Saddle: printed on its end ----

saddle = [58, 40, 16];
saddle_screw = 9; // from the middle, both ways: the saddle fits along a bar or along a stem
saddle_bottom = 9; // between the case and the bar
strap = [11, 3.2]; // the slots
strap_at = [14, 3]; // from the middle, and from the case

// Along z: the bar. At y = 0: the case.
module saddle() {
  radius = (bar + rubber) / 2;
  difference() {
    linear_extrude(saddle.x) difference() {
      translate([-saddle.y / 2, 0]) square([saddle.y, saddle.z]);
      translate([0, saddle_bottom + radius]) circle(radius, $fn = 120);
    }
    for (x = [saddle.x / 2 - strap_at.x - strap.x, saddle.x / 2 + strap_at.x])
      translate([-50, strap_at.y, x]) rotate([90, 0, 90]) linear_extrude(100)
        polygon([[0, 0], [strap.y, 0], [strap.y, strap.x], [strap.y / 2, strap.x + strap.y / 2], [0, strap.x]]);
    for (x = [-1, 1], y = [-1, 1])
      translate([y * saddle_screw, -bit, saddle.x / 2 + x * saddle_screw]) drop(m3_thread, 8);
  }
}

module saddle_in_place() {
  rotate([-90, 0, 90]) translate([0, 0, -saddle.x / 2]) saddle();
}

// ---- What is built in, to look at and to see that it fits ----

module block(size, at) {
  translate(at - [size.x / 2, size.y / 2, 0]) cube(size);
}

module pi() {
  left = pi_middle.x - pi_board.x / 2;
  lower = pi_middle.y - pi_board.y / 2;
  lift = 0.02;
  translate([0, 0, lift]) {
    color("seagreen") block(pi_board, [pi_middle.x, pi_middle.y, board_top - pi_board.z]);
    color("black") block([51, 5.1, header_with_plugs], [pi_middle.x, pi_middle.y + 11.5, board_top - bit]);
    color("silver") {
      for (socket = [[pi_hdmi, 11.2], [pi_usb, 8], [pi_power, 8]])
        block([socket.y, 6, pi_socket_height], [left + socket.x, lower - pi_socket_over_edge + 3, board_top - bit]);
      block([card.x, card.y, 1.5], [left + card.x / 2 - card_over_edge, lower + pi_card, board_top - bit]);
      for (x = [-1, 1], y = [-1, 1])
        translate([pi_middle.x + x * pi_holes.x / 2, pi_middle.y + y * pi_holes.y / 2, board_top - bit])
          cylinder(d = 5, h = 2);
    }
  }
}

// All the places of the card while it is pulled out. The lid is off then.
module card_on_its_way() {
  length = 2 * card.x - card_over_edge;
  block([length, card.y, 1.5],
        [pi_middle.x - pi_board.x / 2 - card_over_edge + card.x - length / 2, pi_middle.y - pi_board.y / 2 + pi_card,
         board_top + 0.1]);
}

module cable() {
  color("dimgray") translate([power_x, pi_middle.y - pi_board.y / 2 - pi_socket_over_edge - 0.1, power_z])
    rotate([90, 0, 0]) linear_extrude(22) rounded(plug, 2);
}

module panel() {
  face = top - foam_tape;
  color("midnightblue") block(module_glass, [0, visible_middle.y - 1, face - module_glass.z]);
  color("navy") block(module_board, [0, 0, face - module_glass.z - module_board.z + bit]);
  color("gold") block([11, 2.5, module_pins], [0, 15, face - module_glass.z - module_board.z - module_pins + 2 * bit]);
  color("silver") translate([0, 0, face - module_glass.z - module_board.z - 0.8]) {
    linear_extrude(0.8) clamps() circle(d = washer);
    translate([0, 0, -2.4]) linear_extrude(2.5) clamps() circle(d = 6);
  }
}

module buttons() {
  face = top + lid_thickness;
  seat = face - button_seat - 0.02;
  for (x = [-1, 1]) translate([x * button_x, 0, 0]) {
    color("firebrick") translate([0, 0, face + 0.02]) cylinder(d = button_bezel, h = 2);
    color("firebrick") translate([0, 0, face + 0.02]) cylinder(d = 10, h = 6);
    color("silver") translate([0, 0, seat - 1]) cylinder(d = button_thread, h = button_seat + 2);
    color("silver") translate([0, 0, seat - button_nut_height]) cylinder(d = button_nut, h = button_nut_height);
    color("dimgray") translate([0, 0, seat - button_depth]) cylinder(d = button_body, h = button_depth);
  }
}

module sheet() {
  color("lightblue", 0.4) translate([visible_middle.x, visible_middle.y, top + lid_thickness - sheet])
    linear_extrude(sheet) rounded(sheet_size - [0.4, 0.4], 2 + sheet_ledge);
}

module clash() {
  // What rests on another part is a hundredth of a millimetre above it.
  module lid_at_rest() { translate([0, 0, bit]) lid(); }
  intersection() { body(); lid_at_rest(); }
  intersection() { body(); union() { pi(); cable(); card_on_its_way(); panel(); buttons(); } }
  intersection() { lid(); union() { pi(); cable(); panel(); buttons(); } }
  intersection() { pi(); union() { panel(); buttons(); } }
  intersection() { panel(); buttons(); }
}

module assembly(apart) {
  color("darkorange") body();
  translate([0, 0, apart]) pi();
  cable();
  translate([0, 0, apart * 2]) panel();
  color("gold") translate([0, 0, apart * 3.2]) lid();
  translate([0, 0, apart * 4]) sheet();
  translate([0, 0, apart * 4.2]) buttons();
  color("black") translate([0, 0, apart * 3.2 + top + lid_thickness - 0.5]) linear_extrude(0.6) letters();
  color("sienna") translate([0, 0, -apart * 0.6]) saddle_in_place();
}

if (part == "body") body();
else if (part == "lid") translate([0, 0, top + lid_thickness]) rotate([180, 0, 0]) lid();
else if (part == "saddle") saddle();
else if (part == "clash") clash();
else {
  translate([-68, 0, 10]) rotate([30, 0, 15]) assembly(0);
  translate([62, 0, 0]) assembly(20);
}
