"""The names of the packets, by which a fault is put at a step."""

import pytest

from lenker_trials.sessions.bounds import ATTRIBUTE, bound, is_to_be_told
from lenker_trials.sessions.steps import Namer, OneFault, Recorder, text_of
from lenker_trials.wire.faults import FAULTS
from lenker_trials.wire.proxy import TO_CONTROLLER, TO_FIRMWARE

KOMOOT = "6c43b31d170fb2a2a84f2fd928e1c171"


def att(direction: str, pdu: str) -> tuple[str, bytes]:
    """An attribute PDU in one ACL packet of link 0x0040."""
    data = bytes.fromhex(pdu)
    size = len(data)
    header = b"\x02\x40" + (b"\x00" if direction == TO_CONTROLLER else b"\x20")
    return direction, header + (size + 4).to_bytes(2, "little") + size.to_bytes(2, "little") + b"\x04\x00" + data


def command(text: str) -> tuple[str, bytes]:
    return TO_CONTROLLER, bytes.fromhex(text)


def event(text: str) -> tuple[str, bytes]:
    return TO_FIRMWARE, bytes.fromhex(text)


def ask(text: str) -> tuple[str, bytes]:
    return att(TO_CONTROLLER, text)


def say(text: str) -> tuple[str, bytes]:
    return att(TO_FIRMWARE, text)


SESSION = [
    (command("01030c00"), "reset"),
    (event("040e0401030c00"), "reset:answer"),
    (command("010b2007 01 6000 6000 00 00"), "le-set-scan-parameters-fast"),
    (command("010b2007 01 0004 6600 00 00"), "le-set-scan-parameters-slow"),
    (command("010c2002 01 00"), "le-set-scan-enable-on"),
    (event("040e04010c2000"), "le-set-scan-enable-on:answer"),
    (event("043e0c0201 00 01 112233445566 00 c4"), "advertising-report"),
    (event("043e0c0201 04 01 112233445566 00 c4"), "scan-response"),
    (command("010c2002 00 00"), "le-set-scan-enable-off"),
    (event("040e04010c2000"), "le-set-scan-enable-off:answer"),
    (event("040f0400010d20"), "command-0x200d:answer"),
    (event("043e1301 00 4000 00 00 112233445566 1800 0000 9001 00"), "le-connection-complete"),
    (event("043e1301 02 0000 00 00 000000000000 0000 0000 0000 00"), "le-connection-failed"),
    (ask("02 0502"), "exchange-mtu"),
    (say("02 0502"), "phone-exchange-mtu"),
    (ask("03 0502"), "phone-exchange-mtu:answer"),
    (say("03 0502"), "exchange-mtu:answer"),
    (event("041305 01 4000 0200"), "completed"),
    (ask("06 0100 ffff 0028" + KOMOOT), "find-service"),
    (say("07 1000 1400"), "find-service:answer"),
    (ask("08 1000 1400 0328"), "find-characteristic"),
    (say("01 08 1000 0a"), "find-characteristic:answer"),
    (ask("04 1300 1400"), "find-descriptors"),
    (ask("12 1400 0100"), "subscribe"),
    (say("1b 1200 01020304"), "notification"),
    (ask("0a 1200"), "read"),
    (say("0b 010203040103000000"), "read:answer"),
    ((TO_FIRMWARE, bytes.fromhex("02401003004c656e")), "read:answer:rest"),
    (ask("0c 1200 1600"), "read-blob"),
    (ask("06 0100 ffff 0028 0118"), "find-service-sc"),
    (ask("08 0100 0800 0328"), "find-characteristic-sc"),
    (ask("12 0400 0200"), "subscribe-sc"),
    (ask("08 0100 ffff 002a"), "read-name"),
    (say("08 0100 ffff 012a"), "phone-read-appearance"),
    (ask("01 08 0100 0a"), "phone-read-appearance:answer"),
    (event("0405040040 0008"), "disconnection-complete"),
    (event("04100142"), "hardware-error"),
    (event("0213"), "malformed"),
    ((TO_FIRMWARE, b"\xff\x00"), "indicator-0xff"),
]


def test_every_packet_of_a_session_has_the_name_of_what_it_is_or_answers():
    namer = Namer()
    assert [namer.name(*packet) for packet, _ in SESSION] == [name for _, name in SESSION]


SENSORS_LINK = [
    (event("043e1301004000010156473e42b04218000000900100"), "le-connection-complete"),
    (command("01102000"), "le-clear-accept-list"),
    (command("01112007 01 6655443322c1"), "le-add-to-accept-list"),
    (event("040e0401112000"), "le-add-to-accept-list:answer"),
    (command("010d2019 6000 3000 01 00 000000000000 00 5000 6400 0000 9001 0000 0000"), "le-create-connection-listed"),
    (event("043e130100410000016655443322c15000000090 0100"), "sensor-le-connection-complete"),
    (ask("06 0100 ffff 0028 0d18"), "find-service-sc"),
    ((TO_CONTROLLER, bytes.fromhex("0241000d0009000400060100ffff00280d18")), "sensor-find-service"),
    ((TO_FIRMWARE, bytes.fromhex("0241200900050004000701000500")), "sensor-find-service:answer"),
    ((TO_FIRMWARE, bytes.fromhex("0241200900050004001b12000048")), "sensor-notification"),
    (event("0405040041 0008"), "sensor-disconnection-complete"),
    (event("0405040040 0008"), "disconnection-complete"),
]


def test_what_is_said_on_the_link_of_a_sensor_has_names_of_its_own():
    namer = Namer()
    assert [namer.name(*packet) for packet, _ in SENSORS_LINK] == [name for _, name in SENSORS_LINK]


NEWS = [
    (command("01192006 4000 0000 0000"), "le-enable-encryption"),
    (event("040f0400011920"), "le-enable-encryption:answer"),
    (event("04080400 4000 01"), "encryption-change"),
    (ask("08 0100 ffff 0f2a"), "read-zone"),
    (ask("06 0100 ffff 0028 0518"), "find-service-clock"),
    (ask("08 1000 1400 0328"), "find-characteristic-clock"),
    (ask("12 1300 0100"), "subscribe-clock"),
    (say("13"), "subscribe-clock:answer"),
    (ask("0a 1200"), "read-clock"),
    (ask("06 0100 ffff 0028 dcf855ad02c5f48e3a43360f2b50d389"), "find-service-music"),
    (ask("04 2300 2400"), "find-descriptors-music"),
    (ask("12 2400 0100"), "subscribe-music"),
    (ask("12 2300 020002"), "write-music"),
    (ask("06 0100 ffff 0028 d0002d121e4b0fa4994eceb531f40579"), "find-service-calls"),
    (ask("12 3400 0100"), "subscribe-calls"),
    (say("1b 3300 0018010107000000"), "notification-calls"),
    (say("1b 2300 02020041"), "notification-music"),
    (say("1b 1200 ea0709110e1e00040000"), "notification-clock"),
    (say("1b 4200 01020304"), "notification"),
    (ask("12 3800 0007000000018000"), "write-calls"),
    (say("01 12 3800 a2"), "write-calls:answer"),
    (event("043e1301 00 4000 00 00 112233445566 1800 0000 9001 00"), "le-connection-complete"),
    (ask("12 4300 0100"), "subscribe"),
    (say("1b 3300 01020304"), "notification"),
]


def test_what_a_paired_phone_has_beside_the_way_has_names_of_its_own_until_the_next_link():
    namer = Namer()
    assert [namer.name(*packet) for packet, _ in NEWS] == [name for _, name in NEWS]


def test_a_phone_that_is_known_has_no_discovery_to_be_let_go_in():
    assert bound("find-service-calls:answer", "drop") == bound("read:answer", "drop")


def test_a_sensor_may_be_away_for_longer_than_the_phone():
    of_phone, of_sensor = bound("subscribe:answer", "drop"), bound("sensor-subscribe:answer", "drop")
    assert of_sensor.seconds > of_phone.seconds and of_sensor.reason.startswith(of_phone.reason)


def test_steps_are_the_first_of_each_name_and_those_that_are_asked_for():
    recorder = Recorder()
    for _ in range(4):
        for packet, _ in SESSION[:2]:
            recorder.choose(*packet)
    steps = recorder.steps({"reset:answer": {3}})
    assert [text_of(step) for step in steps] == ["reset", "reset:answer", "reset:answer#3"]


def test_a_fault_acts_once_at_its_step_and_nowhere_else():
    hits = []
    plan = OneFault(("reset", 2), "drop", FAULTS["drop"], lambda: hits.append(1))
    reset = SESSION[0][0]
    assert [plan.choose(*reset) is not None for _ in range(4)] == [False, True, False, False]
    assert hits == [1]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bound_is_the_sum_of_its_reasons(fault):
    for step in {name for _, name in SESSION}:
        found = bound(step, fault)
        assert found.seconds == pytest.approx(sum(float(part.split()[-1]) for part in found.reason.split(" + ")))
        assert 0 < found.seconds < 120


def test_a_lost_answer_of_the_phone_may_cost_what_the_specification_gives_it():
    assert "attribute 30" in bound("read:answer", "drop").reason
    assert is_to_be_told("read:answer", "drop", ATTRIBUTE + 1)
    assert not is_to_be_told("read:answer", "drop", ATTRIBUTE - 1)
    assert not is_to_be_told("advertising-report", "reset", ATTRIBUTE + 1)
