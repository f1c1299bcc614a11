"""What a phone asks a central of its own accord: a large MTU, who it is, and other connection parameters."""

import asyncio
import contextlib
from collections.abc import Callable

from bumble import core, gatt, hci, l2cap
from bumble.device import Connection, Device

from .kinds import Kind

LARGEST_MTU = 517
PATIENCE = 30.0  # seconds for an answer; Core Specification, Vol 3, Part F, 3.3.3

L2CAP, LINK_LAYER, NOBODY = "l2cap", "link-layer", "nobody"


class Questions:
    """The phone's questions on one link. A wrong or missing answer is reported."""

    def __init__(self, device: Device, connection: Connection, kind: Kind, report: Callable[..., None]) -> None:
        self._device = device
        self._connection = connection
        self._kind = kind
        self._report = report
        self._way: str | None = None
        self._outcome: asyncio.Future[int] | None = None
        connection.on(Connection.EVENT_CONNECTION_PARAMETERS_UPDATE, self._on_update)
        connection.on(Connection.EVENT_CONNECTION_PARAMETERS_UPDATE_FAILURE, self._on_failure)

    async def ask_who(self) -> None:
        """Asks for an MTU if the kind does, and for the central's name and appearance."""
        client = self._connection.gatt_client
        try:
            if self._kind.asks_for_mtu:
                await client.request_mtu(LARGEST_MTU)
            names = await client.read_characteristics_by_uuid(gatt.GATT_DEVICE_NAME_CHARACTERISTIC, None)
            appearances = await client.read_characteristics_by_uuid(gatt.GATT_APPEARANCE_CHARACTERISTIC, None)
        except (core.BaseBumbleError, TimeoutError, asyncio.CancelledError) as error:
            self._report("unanswered", error=str(error) or type(error).__name__)
            return
        if names:
            appearance = int.from_bytes(appearances[0], "little") if appearances else None
            self._report("name", name=names[0].decode("utf-8", "replace"), appearance=appearance)

    async def ask_for_parameters(self) -> None:
        """Asks for the kind's connection parameters, and checks that the central does what it says."""
        if self._kind.parameters_after is None:
            return
        await asyncio.sleep(self._kind.parameters_after)
        status = hci.HCI_UNSUPPORTED_REMOTE_FEATURE_ERROR
        # A link that is lost at this moment is nobody's fault.
        with contextlib.suppress(core.BaseBumbleError):
            if self._kind.asks_by_link_layer:
                status = await self._ask(LINK_LAYER)
            if status == hci.HCI_UNSUPPORTED_REMOTE_FEATURE_ERROR:
                await self._ask(L2CAP)

    async def _ask(self, way: str) -> int:
        """Asks, and returns the status of the update, or why it was refused or not answered."""
        self._way = way
        self._outcome = asyncio.get_running_loop().create_future()
        ask = self._ask_by_link_layer if way == LINK_LAYER else self._ask_by_l2cap
        try:
            async with asyncio.timeout(PATIENCE):
                is_refused = not await ask()
                status = hci.HCI_UNACCEPTABLE_CONNECTION_PARAMETERS_ERROR if is_refused else await self._outcome
        except TimeoutError:
            self._report("complaint", message=f"connection parameters asked for by {way} were not given")
            return hci.HCI_SUCCESS
        finally:
            self._way = self._outcome = None
        if status != hci.HCI_SUCCESS:
            self._report("refused", asked=way, reason=status, wanted=str(self._kind.wanted_parameters))
        return status

    async def _ask_by_link_layer(self) -> bool:
        wanted = self._kind.wanted_parameters
        await self._device.send_async_command(
            hci.HCI_LE_Connection_Update_Command(
                connection_handle=self._connection.handle,
                connection_interval_min=wanted.interval_min,
                connection_interval_max=wanted.interval_max,
                max_latency=wanted.latency,
                supervision_timeout=wanted.timeout,
                min_ce_length=0,
                max_ce_length=0,
            )
        )
        return True

    async def _ask_by_l2cap(self) -> bool:
        wanted = self._kind.wanted_parameters
        manager = self._device.l2cap_channel_manager
        # What an earlier link left unanswered does not matter.
        manager.connection_parameters_update_response = None
        result = await manager.update_connection_parameters(
            self._connection, wanted.interval_min, wanted.interval_max, wanted.latency, wanted.timeout
        )
        return result == l2cap.L2CAP_CONNECTION_PARAMETERS_ACCEPTED_RESULT

    def _on_update(self) -> None:
        now = self._connection.parameters
        given = round(now.connection_interval / 1.25), now.peripheral_latency, round(now.supervision_timeout / 10)
        is_ours = self._outcome is not None and self._kind.wanted_parameters.are_met_by(*given)
        self._report(
            "parameters",
            asked=self._way if is_ours else NOBODY,
            interval=now.connection_interval,
            latency=now.peripheral_latency,
            timeout=round(now.supervision_timeout),
        )
        if is_ours and not self._outcome.done():
            self._outcome.set_result(hci.HCI_SUCCESS)

    def _on_failure(self, status: int) -> None:
        if self._outcome is not None and not self._outcome.done():
            self._outcome.set_result(int(status))
