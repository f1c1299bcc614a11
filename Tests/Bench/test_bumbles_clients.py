"""The virtual iPhone as Bumble's own clients of Apple's services see it: they share no code with it."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator

import pytest
from bumble.device import Peer
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.profiles import ams, ancs

from lenker_bench.phone.music import NEXT, PLAYING, SONGS, Music
from lenker_bench.phone.notifications import ACCEPT, MAIL, MESSAGE, REFUSE, TITLE, Habits, Notification
from lenker_bench.phone.notifications import Notifications as PhonesNotifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from virtual_air import Scene, on_the_air

pytestmark = pytest.mark.virtual_time

CALLER, SENDER, NEWS = "Anna Erfunden", "架空の友人", "None of this was ever written 🚲"
SMALLEST_MTU = 23
POSITIVE, NEGATIVE = ancs.EventFlags.POSITIVE_ACTION, ancs.EventFlags.NEGATIVE_ACTION
BOTH_TEXTS = [ancs.NotificationAttributeId.TITLE, ancs.NotificationAttributeId.MESSAGE]


@contextlib.asynccontextmanager
async def paired(mtu: int | None = None, **options: object) -> AsyncIterator[tuple[Scene, Peer]]:
    """An iPhone with these services, and a central on an encrypted link to it."""
    async with on_the_air("ios", pairing=PairingHabits(JUST_WORKS), **options) as scene:
        central = scene.central
        central.device.keystore = MemoryKeyStore()
        central.device.pairing_config_factory = lambda connection: PairingConfig(delegate=PairingDelegate())
        await central.connect(mtu=mtu)
        await central.connection.pair()
        yield scene, Peer(central.connection)


class Listener:
    """A client of the notifications of one phone, and what it was told."""

    def __init__(self, client: ancs.AncsClient) -> None:
        self.client = client
        self.told: asyncio.Queue[ancs.Notification] = asyncio.Queue()
        client.on(ancs.AncsClient.EVENT_NOTIFICATION, self.told.put_nowait)

    async def texts_of(self, uid: int, *attributes: ancs.NotificationAttributeId) -> list[str]:
        found = await self.client.get_notification_attributes(uid, attributes)
        assert [each.attribute_id for each in found] == list(attributes)
        return [each.value for each in found]


@contextlib.asynccontextmanager
async def listener(
    mtu: int | None = None, **habits: object
) -> AsyncIterator[tuple[Scene, PhonesNotifications, Listener]]:
    notifications = PhonesNotifications(Habits(is_there=True, **habits))
    async with paired(mtu, notifications=notifications) as (scene, peer):
        found = Listener(await ancs.AncsClient.for_peer(peer))
        await found.client.start()
        yield scene, notifications, found


@pytest.mark.parametrize(("action", "number"), [("positive", ACCEPT), ("negative", REFUSE)])
async def test_a_call_is_told_by_name_and_taken_or_refused(action, number):
    async with listener() as (scene, phone, bumble):
        uid = phone.call(CALLER)
        called = await bumble.told.get()
        kind = (called.event_id, called.category_id, called.event_flags)
        assert kind == (ancs.EventId.NOTIFICATION_ADDED, ancs.CategoryId.INCOMING_CALL, POSITIVE | NEGATIVE)
        assert called.notification_uid == uid
        assert await bumble.texts_of(uid, ancs.NotificationAttributeId.TITLE) == [CALLER]
        await getattr(bumble.client, f"perform_{action}_action")(uid)
        ended = await bumble.told.get()
        assert (ended.event_id, ended.notification_uid) == (ancs.EventId.NOTIFICATION_REMOVED, uid)
        assert any(event.get("action") == number for event in scene.log.named("notification"))


@pytest.mark.parametrize("part", [1, 2, 7, None])
@pytest.mark.parametrize("mtu", [None, 517])
async def test_an_answer_is_whole_however_it_is_cut(mtu, part):
    async with listener(mtu, part=part) as (_, phone, bumble):
        uid = phone.add(Notification(MAIL, {TITLE: SENDER, MESSAGE: NEWS}))
        assert await bumble.texts_of(uid, *BOTH_TEXTS) == [SENDER, NEWS]
        assert await bumble.texts_of(uid, *reversed(BOTH_TEXTS)) == [NEWS, SENDER]


async def test_a_text_is_no_longer_than_what_was_asked_for():
    async with listener() as (_, phone, bumble):
        uid = phone.call(CALLER)
        (title,) = await bumble.client.get_notification_attributes(uid, [(ancs.NotificationAttributeId.TITLE, 4)])
        assert title.value == CALLER[:4]


async def heard(client: ams.AmsClient, title: str) -> None:
    """Waits until the client knows that this title plays."""
    changed = asyncio.Event()
    client.on(ams.AmsClient.EVENT_TRACK_TITLE, changed.set)
    async with asyncio.timeout(10):
        while client.track_title != title:
            await changed.wait()
            changed.clear()


@pytest.mark.parametrize("mtu", [SMALLEST_MTU, 517])
async def test_all_songs_are_told_whole_one_after_the_other(mtu):
    async with paired(mtu, music=Music(PLAYING)) as (scene, peer):
        client = await ams.AmsClient.for_peer(peer)
        await client.start()
        await client.observe(ams.EntityId.TRACK, [ams.TrackAttributeId.ARTIST, ams.TrackAttributeId.TITLE])
        for title, artist in itertools.islice(itertools.cycle(SONGS), len(SONGS) + 1):
            await heard(client, title)
            assert client.track_artist == artist
            await client.next_track()
        assert ams.RemoteCommandId.NEXT_TRACK in client.supported_commands
        assert {event["command"] for event in scene.log.named("music")} == {NEXT}
