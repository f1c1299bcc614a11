"""The virtual phone: a Bumble host with the kind's habits of advertising, addresses and listening."""

import asyncio
import functools
import random
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime

from bumble import hci
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from ..wire.air import Air
from ..wire.rootcanal import RootCanal, radio_on
from .advertiser import Advertiser
from .clock import Clock
from .coming import Coming
from .gadgetbridge import BALANCED, Gadgetbridge
from .habits import NO_HABITS, Habit, StrangeLinks
from .kinds import Kind
from .music import Music
from .navigation import Listener, Navigation
from .navigators import Said
from .notifications import Notifications
from .pairing import Identity, PairingHabits, SecurityManager
from .questions import Questions
from .rides import Step
from .services import PhoneServer
from .subscribers import Reader, Subscriber

ADDRESS_LIFETIME = 15 * 60.0  # seconds; Core Specification, Vol 3, Part C, appendix A
RIDERS_PHONE = "rider"
FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"
MOVES_AFTER = 1.0  # seconds from a call to services that move


class Phone:
    """One phone on the air, with an app whose service is there while it navigates.

    The random numbers decide who it is. Its events have its `name` in their field `phone`. Without an
    `advertising_interval`, in milliseconds, it is that of the air, or else that of its kind.
    """

    def __init__(
        self,
        air: Air | RootCanal,
        kind: Kind,
        steps: list[Step],
        speed: float,
        random_source: random.Random,
        report: Callable[..., None],
        pairing: PairingHabits | None = None,
        address_lifetime: float | None = None,
        name: str = RIDERS_PHONE,
        advertising_interval: float | None = None,
        clock: Clock | None = None,
        music: Music | None = None,
        notifications: Notifications | None = None,
        habits: frozenset[Habit] = NO_HABITS,
        gadgetbridge: Gadgetbridge | None = None,
        has_komoot: bool = True,
        firmware: Callable[[], str] = lambda: FIRMWARE_ADDRESS,
    ) -> None:
        self.habits = habits
        kind = replace(kind, parameters_after=None) if Habit.LOSES_RELAXED in habits else kind
        self.kind = kind = kind if gadgetbridge is None else replace(kind, wanted_parameters=BALANCED)
        self._strange_links = StrangeLinks(habits, self._lose_links)
        self._random = random_source
        self._report = report = functools.partial(report, phone=name)
        self.identity = Identity.drawn(random_source)
        self._listeners: dict[Connection, Listener] = {}
        self._is_forgotten = False
        self._is_away = False
        self._watchdog: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task] = []
        self.chip = radio_on(air, name, self.identity.public_address.to_string(False), random_source)
        self.navigation = Navigation(kind, steps, speed, random_source, report)
        configuration = DeviceConfiguration(
            name=kind.device_name,
            address=self.identity.static_address,
            irk=self.identity.irk,
            gap_service_enabled=False,
            gatt_service_enabled=False,
        )
        self.device = Device(config=configuration, host=Host(self.chip, AsyncPipeSink(self.chip)))
        self._advertiser = Advertiser(
            self.device,
            kind,
            advertising_interval or air.advertising_interval or kind.advertising_interval,
            address_lifetime or ADDRESS_LIFETIME,
            self._private_address,
            self._advertisement,
            self._wants_to_advertise,
            report,
        )
        self._clock, self.music = clock or Clock(), music or Music()
        self.gadgetbridge = gadgetbridge
        if gadgetbridge is not None:
            gadgetbridge.report, gadgetbridge.shown, gadgetbridge.music = report, self._clock.shown, self.music
        self.notifications = notifications or Notifications()
        self.music.report = self.notifications.report = report
        if Habit.CALL_MOVES in habits:
            self.notifications.on_call = lambda: asyncio.get_running_loop().call_later(MOVES_AFTER, self.move_calls)
        self.device.gatt_server = self._server = PhoneServer(
            self.device,
            kind,
            self._clock,
            self.music,
            self.notifications,
            read=lambda: self.navigation.value,
            on_read=self._on_read,
            on_subscription=self._on_subscription,
            on_search=lambda is_there: report("searched", found=is_there),
        )
        if not has_komoot:
            self._server.remove_navigation()
        pairing = pairing or PairingHabits()
        self.device.smp_manager = self.security = SecurityManager(self.device, kind, self.identity, pairing, report)
        manner = replace(kind.comes, scans=Habit.SCANS in habits) if kind.comes else None
        self.coming = Coming(self.device, firmware, manner, pairing, report) if manner else None
        self._requests_before = 0
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)

    async def start(self) -> None:
        """Powers the phone on; from then on it advertises as its kind does."""
        await self.device.power_on()
        await self._advertiser.start()
        self._start(self._advertiser.keep_advertising())
        self._start(self._clock.keep_changing(self.set_clock))
        self._start(self.notifications.keep_notifying())
        if self.coming is not None:
            if not self._is_away:
                self.coming.go()
            self._start(self.coming.keep_coming())

    def set_clock(self, time: datetime) -> None:
        """Its clock shows this time from now on, and those who subscribed are told."""
        self._clock.set(time)
        if self.gadgetbridge is not None:
            self.gadgetbridge.set_clock()
        self._start(self.device.notify_subscribers(self._clock.time, self._clock.current_time()))

    async def stop(self) -> None:
        """Takes the phone off the air for good."""
        while self._tasks:
            # Once is not enough: Bumble takes a cancellation for a command that failed.
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=0.1)
        self._cancel_watchdog()
        self.chip.leave()

    # Rides

    async def ride(self, rides: int = 1, pause: float = 0.0) -> bool:
        """Plays the ride `rides` times, with pauses in between; whether each last instruction was heard.

        The service goes at the end of each ride, and comes back before the next one on the same links.
        """
        all_heard = True
        for number in range(rides):
            if number > 0:
                await asyncio.sleep(pause)
                self.offer_service()
            all_heard &= await self.navigation.play()
            self.navigation.clear()
            self.withdraw_service()
        self._report("finished", rides=rides, heard=self.navigation.heard, last_heard=all_heard)
        return all_heard

    async def ride_by(self, turns: list[Said], rides: int = 1, pause: float = 0.0) -> bool:
        """The same with the turns of another app, which Gadgetbridge passes on; komoot's service stays as it is."""
        all_heard = True
        for number in range(rides):
            await asyncio.sleep(pause if number else 0)
            all_heard &= await self.gadgetbridge.play(turns)
        self._report("finished", rides=rides, heard=self.gadgetbridge.heard, last_heard=all_heard)
        return all_heard

    def withdraw_service(self) -> None:
        """Navigation stops: the app's service vanishes, and with it all subscriptions."""
        self._requests_before = self._server.requests
        first, last = self._server.remove_navigation()
        self._report("service", state="gone", first=first, last=last)
        self._forget_all()
        self._service_changed(first, last)

    def offer_service(self) -> None:
        """Navigation begins: the app's service is there again, elsewhere in the database."""
        first, last = self._server.add_navigation()
        requests = self._server.requests - self._requests_before
        self._report("service", state="back", first=first, last=last, requests=requests)
        self._service_changed(first, last)

    def move_service(self) -> None:
        """The app's service gets other handles, as when the app was started again in mid-ride."""
        if not self._server.has_navigation:
            return
        first, _ = self._server.remove_navigation()
        begin, last = self._server.add_navigation()
        self._report("service", state="moved", first=begin, last=last)
        self._forget_all()
        self._service_changed(first, last)

    def move_calls(self) -> None:
        """The phone's own services move, and calls have other numbers then."""
        self.notifications.move()
        for connection in self.device.connections.values():
            self._server.shout_service_changed(connection)

    def _service_changed(self, first: int, last: int) -> None:
        self._advertiser.look_again()
        if self.kind.indicates_service_changed:
            for connection in self.device.connections.values():
                if self._server.wants_service_changed(connection):
                    self._start(self._indicate(connection, first, last))

    async def _indicate(self, connection: Connection, first: int, last: int) -> None:
        try:
            await self._server.indicate_service_changed(connection, first, last)
        except TimeoutError:
            self._report("complaint", message="the indication of Service Changed was not confirmed")
        else:
            self._report("confirmed", first=first, last=last)

    # Losses

    def drop(self) -> None:
        """Loses every link, as by a supervision timeout."""
        self._lose_links(hci.HCI_CONNECTION_TIMEOUT_ERROR)

    def _lose_links(self, reason: int) -> None:
        for link in list(self.chip.le_connections.values()):
            self._report("dropped", handle=link.handle)
            self.chip.lose_link(link, reason)

    def vanish(self) -> None:
        """Goes out of reach: loses every link, and is not heard any more."""
        self._is_away = True
        if self.coming is not None:
            self.coming.stay_away()
        self.chip.silence()
        self.drop()
        self._advertiser.look_again()

    def come_back(self) -> None:
        """Comes back into reach, and advertises."""
        self._is_away = False
        if self.coming is not None:
            self.coming.go()
        self._advertiser.look_again()

    def _start(self, work: Coroutine) -> asyncio.Task:
        self._tasks.append(task := asyncio.create_task(work))
        task.add_done_callback(self._tasks.remove)
        return task

    # Advertising

    def _wants_to_advertise(self) -> bool:
        if self._is_away:
            return False
        if not self._server.has_navigation:
            return Habit.STAYS_ON_AIR in self.habits and not self.device.connections
        if self.kind.advertises_until_subscribed:
            return not self._listeners or self._is_forgotten
        return not self.device.connections

    def _advertisement(self) -> bytes:
        return self.kind.advertisement() if self._server.has_navigation else self.kind.usual_advertisement()

    async def change_address(self) -> None:
        """Uses a new address from now on; links keep the one that they began with."""
        await self._advertiser.change_address()

    def _private_address(self) -> hci.Address:
        return self.identity.private_address(self._random)

    # Centrals

    def _on_connection(self, connection: Connection) -> None:
        self._report("connected", address=connection.peer_address.to_string(False), role=connection.role.name.lower())
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: self._on_disconnection(connection, reason))
        connection.on(Connection.EVENT_CONNECTION_ATT_MTU_UPDATE, lambda: self._report("mtu", mtu=connection.att_mtu))
        self.security.attend(connection)
        self._strange_links.attend(connection)
        self._advertiser.look_again()
        if self._is_away:
            # It was just being connected to when it went out of reach.
            asyncio.get_running_loop().call_soon(self.drop)
            return
        if self.coming is not None:
            self.coming.attend(connection)
        if self.gadgetbridge is not None:
            self._start(self.gadgetbridge.use(connection))
        questions = Questions(self.device, connection, self.kind, self._report)
        self._start(questions.ask_who())
        if connection.role == hci.Role.PERIPHERAL:
            # A central says itself which parameters hold.
            asking = self._start(questions.ask_for_parameters())
            connection.on(Connection.EVENT_DISCONNECTION, lambda reason: asking.cancel())

    def _on_disconnection(self, connection: Connection, reason: int) -> None:
        self._forget(connection)
        self.music.left(connection)
        self.notifications.left(connection)
        self._report("disconnected", reason=int(reason))
        self._advertiser.look_again()

    def _on_subscription(self, connection: Connection, is_on: bool) -> None:
        if not is_on:
            self._forget(connection)
        elif connection not in self._listeners:
            self._report("subscribed", mtu=connection.att_mtu)
            subscriber = self._listeners[connection] = Subscriber(self._server, connection)
            self._restart_watchdog()
            # The write is answered first.
            asyncio.get_running_loop().call_soon(self._listen, connection, subscriber)
        self._advertiser.look_again()

    def _listen(self, connection: Connection, subscriber: Subscriber) -> None:
        is_registered = self.kind.notifies_every_subscriber or len(self._listeners) == 1
        if self._listeners.get(connection) is subscriber and is_registered:
            self.navigation.add(subscriber)

    def _forget(self, connection: Connection) -> None:
        listener = self._listeners.pop(connection, None)
        if listener is not None:
            self.navigation.remove(listener)
        if not self._listeners:
            self._cancel_watchdog()

    def _forget_all(self) -> None:
        for connection in list(self._listeners):
            self._forget(connection)

    def _on_read(self, connection: Connection, is_complete: bool) -> None:
        if not self.kind.has_configuration_descriptor and connection not in self._listeners:
            reader = self._listeners[connection] = Reader()
            self.navigation.add(reader)
        self.navigation.was_read(is_complete)
        self._restart_watchdog()

    # The read watchdog

    def _restart_watchdog(self) -> None:
        self._cancel_watchdog()
        if self.kind.read_watchdog is not None and self._listeners:
            self._watchdog = asyncio.get_running_loop().call_later(self.kind.read_watchdog, self._on_silence)

    def _cancel_watchdog(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None
        if self._is_forgotten:
            self._is_forgotten = False
            self._advertiser.look_again()

    def _on_silence(self) -> None:
        self._report("silence", seconds=self.kind.read_watchdog)
        self._is_forgotten = True
        self._advertiser.look_again()
