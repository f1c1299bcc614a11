"""An iPhone whose services of notifications and music are Bumble's own: identifiers, properties, order and bytes.

What Bumble leaves open, the answers, is the virtual phone's.
"""

from bumble import gatt
from bumble.device import Connection
from bumble.profiles import ams, ancs

from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications


class BumblesNotifications(Notifications):
    def __init__(self) -> None:
        super().__init__(Habits(is_there=True))
        self._service = ancs.Ancs()
        self.source = self._service.notification_source_characteristic
        self.data = self._service.data_source_characteristic
        self.control = self._service.control_point_characteristic
        self.control.value = gatt.CharacteristicValue(write=self._on_write)

    @property
    def service(self) -> gatt.Service:
        return self._service

    def _tell(self, connection: Connection, event: int, uid: int, flags: int) -> None:
        shown = self._shown[uid]
        kind = (ancs.EventId(event), ancs.EventFlags(shown.flags | flags), ancs.CategoryId(shown.category))
        self.notify(connection, self.source, bytes(ancs.Notification(*kind, 1, uid)))


class BumblesMusic(Music):
    def __init__(self) -> None:
        super().__init__(PLAYING)
        self._service = ams.Ams()
        self.command = self._service.remote_command_characteristic
        self.update = self._service.entity_update_characteristic
        self.attribute = self._service.entity_attribute_characteristic
        self.command.value = gatt.CharacteristicValue(write=self._on_command)
        self.update.value = gatt.CharacteristicValue(write=self._on_update)
        self.attribute.value = gatt.CharacteristicValue(read=self._whole, write=self._on_choice)

    @property
    def service(self) -> gatt.Service:
        return self._service
