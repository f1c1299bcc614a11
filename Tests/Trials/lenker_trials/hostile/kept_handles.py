"""What is kept of the phone's handles, and who has them by now. Each play returns what the program did."""

from bumble import gatt

from lenker_bench.phone import komoot
from lenker_bench.phone.services import WHOLE_DATABASE
from lenker_bench.phone.strangers import STRANGERS_STEP

from .case import Case
from .scene import NotHeld, Scene

NO_INSTRUCTION = b"\x07\x00"


def _move(scene: Scene, value: bytes) -> gatt.Characteristic:
    """The service gets other handles, and another app's characteristic those that it had."""
    server = scene.phone.device.gatt_server
    first, _ = server.remove_navigation()
    other = server.add_other_app(first, value)
    server.add_navigation()
    return other


async def taken_over(scene: Scene) -> str:
    """The change is told and confirmed, so that it is not told again; the other app's value looks like a turn."""
    touched = []
    (connection,) = scene.connections
    other = _move(scene, komoot.encode(9, STRANGERS_STEP))
    other.on("subscription", lambda *change: touched.append(change))
    await scene.phone.device.gatt_server.indicate_service_changed(connection, *WHOLE_DATABASE)
    scene.phone.drop()
    did = await scene.back()
    if touched:
        raise NotHeld("the other app was subscribed to")
    return f"the other app was left alone; {did}"


async def taken_over_in_silence(scene: Scene) -> str:
    scene.phone.vanish()
    await scene.told("link", state="disconnected")
    _move(scene, NO_INSTRUCTION)
    scene.phone.come_back()
    did = await scene.back()
    scene.phone.drop()
    return f"{did}; {await scene.back()} on the next link"


KEPT_HANDLES = (
    Case(
        "handles-taken-over",
        72,
        "Service Changed, and the link is lost; the old handles are another app's, which seems to tell a turn",
        "the other app is neither subscribed to nor shown; the rider's phone is back within 5 s of the end",
        taken_over,
    ),
    Case(
        "handles-taken-over-in-silence",
        72,
        "the same while the phone is away, without a word; the other app's value is no turn",
        "the rider's phone is back within 5 s, on the next link, too",
        taken_over_in_silence,
    ),
)
