"""`lenker-scan inspect` and `switch` with a device that an independent stack makes, whole and with its faults."""

from builds import regular_and_aarch64
from streets import running_street, scan

CROWNSTONE_SERVICE = "24F30000-7D10-4805-BFC1-7663A01C3BFF"
CROWNSTONE_SWITCH = "24F30002-7D10-4805-BFC1-7663A01C3BFF"


def address_in(street) -> str:
    return next(event["address"] for event in street.events if event["event"] == "device")


@regular_and_aarch64
async def test_all_that_a_device_has_is_told_with_its_values(build, scan_command):
    async with running_street("--gatt", "--air=instant") as street:
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        scanned = await scan(scan_command, "inspect", address_in(street), "--read", radio)
    assert (scanned.status, scanned.complaint) == (0, "")
    services = [line["uuid"] for line in scanned.named("service")]
    assert services[:4] == ["1800", "1801", "180A", "180F"]
    assert CROWNSTONE_SERVICE in services
    named = {line["uuid"]: line for line in scanned.named("characteristic")}
    values = {line["attribute"]: line for line in scanned.named("value")}
    assert values[named["2A00"]["attribute"]]["text"] == "Crownston"
    assert values[named["2A24"]["attribute"]]["text"] == "Straße"
    assert values[named["2A19"]["attribute"]]["bytes"] == [87]
    # The longest that there is, in parts; and one that wants a link that nobody has.
    assert max(len(line.get("bytes", [])) for line in values.values()) == 512
    assert {line["error"] for line in values.values() if "error" in line} >= {0x05}
    properties = {word for line in named.values() for word in line["properties"]}
    assert properties >= {"read", "write", "write-without-response", "notify", "indicate", "broadcast"}
    assert {"2902", "2901", "2904"} <= {line["uuid"] for line in scanned.named("descriptor")}


async def test_a_switch_is_written_and_the_device_left(scan_command):
    async with running_street("--gatt", "--air=instant") as street:
        radio = f"hci=tcp:127.0.0.1:{street.port}"
        scanned = await scan(scan_command, "switch", address_in(street), "0.5", radio)
        written = await street.next("written")
        assert (scanned.status, scanned.complaint) == (0, "")
        assert [line["state"] for line in scanned.named("link")] == ["connecting", "connected"]
        assert len(scanned.named("switched")) == 1
        assert (written["uuid"], written["data"]) == (CROWNSTONE_SWITCH, "80")
        assert (await street.next("device"))["state"] != "connected"
