"""How each kind of phone is found; when it is to be seen is in `test_phone_in_time`."""

import pytest
from bumble.core import UUID, AdvertisingData

from central import Report, central_at
from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.processes import running_phone

# 71C1E128-D92F-4FA8-A2B2-0F171DB3436C, least significant byte first, as it goes over the air.
SERVICE_ON_AIR = bytes.fromhex("6c43b31d170fb2a2a84f2fd928e1c171")
COMPLETE_LIST_OF_128_BIT_UUIDS, COMPLETE_LOCAL_NAME, MANUFACTURER_DATA = 0x07, 0x09, 0xFF


def structures(report: Report) -> dict[int, bytes]:
    return dict(AdvertisingData.from_bytes(report.data).ad_structures)


async def test_an_iphone_advertises_the_service_and_a_name(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, _ = await central.find()
    found = structures(advertisement)
    assert found[COMPLETE_LIST_OF_128_BIT_UUIDS] == SERVICE_ON_AIR
    assert found[COMPLETE_LOCAL_NAME] == b"komoot"


async def test_a_background_iphone_advertises_one_bit_of_the_overflow_area(a_ride):
    async with running_phone("--kind=ios-background", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, scan_response = await central.find()
    assert SERVICE_ON_AIR not in advertisement.data + scan_response.data
    overflow = structures(advertisement)[MANUFACTURER_DATA]
    assert overflow[:3] == bytes.fromhex("4c0001") and len(overflow) == 19
    assert overflow[3:][5] & 0x08


async def test_an_android_phone_has_its_name_in_the_scan_response(a_ride):
    async with running_phone("--kind=android", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, scan_response = await central.find()
    assert structures(advertisement)[COMPLETE_LIST_OF_128_BIT_UUIDS] == SERVICE_ON_AIR
    assert COMPLETE_LOCAL_NAME not in structures(advertisement)
    assert structures(scan_response)[COMPLETE_LOCAL_NAME] == b"Pixel 7"


@pytest.mark.parametrize("kind", KINDS)
async def test_the_address_is_resolvable_and_the_same_for_the_same_seed(a_ride, kind):
    addresses = []
    for seed in (7, 7, 8):
        options = (f"--kind={kind}", f"--seed={seed}", "--ride", a_ride)
        async with running_phone(*options) as phone, central_at(phone.port) as central:
            advertisement, _ = await central.find()
            addresses.append(advertisement.address)
    assert all(address.is_resolvable for address in addresses)
    assert addresses[0] == addresses[1] != addresses[2]


@pytest.mark.parametrize("kind", KINDS)
def test_advertising_data_fit(kind):
    assert len(KINDS[kind].advertisement()) <= 31
    assert len(KINDS[kind].scan_response()) <= 31


@pytest.mark.parametrize(
    ("uuid", "bit"),
    [
        ("71C1E128-D92F-4FA8-A2B2-0F171DB3436C", 44),
        ("B82AB3FC-1595-4F6A-80F0-FE094CC218F9", 7),
        ("17E033D3-490E-4BC9-9FE8-2F567643F4D3", 16),
        ("C1F5983C-FA94-4AC8-8E2E-BB86D6DE9B21", 73),
        ("9AA4730F-B25C-4CC3-B821-C931559FC196", 69),
        ("7A0B8D2E-4C1F-4E6A-9B3D-2F5E8C1A7D10", 117),
        ("3333", 62),
        ("1001", 62),
    ],
)
def test_overflow_bits_are_the_measured_ones(uuid, bit):
    assert komoot.overflow_bit(UUID(uuid)) == bit
