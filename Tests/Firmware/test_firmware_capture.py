"""The capture of HCI packets, read by Wireshark's own reader."""

from lenker_bench.programs.processes import running_phone
from recording import wait_for_instructions
from tshark import read


async def test_a_capture_shows_the_way_to_the_first_instruction(lenker, a_ride, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with running_phone("--ride", a_ride, "--seed", 1) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            # One of them may have come whole in its notification; the others are read.
            await wait_for_instructions(firmware.log, 3)
            await firmware.stop()

    fields = ("hci_h4.direction", "bthci_cmd.opcode", "btatt.opcode", "frame.time_delta")
    packets = read(capture, *fields)
    commands = [int(opcode, 0) for _, opcode, _, _ in packets if opcode]
    assert commands[0] == 0x0C03, "Reset comes first"
    assert {0x200B, 0x200C, 0x200D, 0x0406} <= set(commands), "scan, connect, disconnect"
    # The phone asks us for our name at the same time: what is ours are requests sent and responses received.
    sides = [(int(opcode, 0), int(direction, 0)) for direction, _, opcode, _ in packets if opcode]
    attribute = [opcode for opcode, is_received in sides if opcode & 1 == is_received]
    # The MTU, the service, the characteristic, its descriptor, the subscription, the read.
    steps = [0x02, 0x03, 0x06, 0x07, 0x08, 0x09, 0x04, 0x05, 0x12, 0x13, 0x0A, 0x0B]
    positions = [attribute.index(step) for step in steps]
    assert positions == sorted(positions)
    assert all(float(delta) >= 0 for *_, delta in packets)


async def test_both_directions_are_told_apart(lenker, a_ride, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with running_phone("--ride", a_ride, "--seed", 1) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await firmware.log.wait_for("instruction", direction=2)
            await firmware.stop()
    for direction, code, _ in read(capture, "hci_h4.direction", "hci_h4.type", "frame.number"):
        if int(code, 0) == 0x01:
            assert int(direction, 0) == 0, "commands are sent"
        if int(code, 0) == 0x04:
            assert int(direction, 0) == 1, "events are received"
