"""A heart rate strap whose service is Bumble's own."""

import random

from bumble import gatt
from bumble.profiles.heart_rate_service import HeartRateService

from lenker_bench.sensors.road import EvenRoad
from lenker_bench.sensors.sensor import Sensor, SensorChoice
from lenker_bench.wire.air import Air

Measurement = HeartRateService.HeartRateMeasurement


class BumblesStrap(Sensor):
    """It has a location and a control point, too, and says its energy and intervals."""

    def __init__(self, air: Air, beats: int, rssi: int) -> None:
        self._service = HeartRateService(
            lambda connection: self._now, HeartRateService.BodySensorLocation.CHEST, lambda connection: None
        )
        self.beats = beats
        choice = SensorChoice("heart", rssi=rssi, name="Bumble's")
        super().__init__(air, choice, EvenRoad(1), random.Random(7), lambda event, **fields: None)

    @property
    def _now(self) -> Measurement:
        return Measurement(self.beats, True, energy_expended=12, rr_intervals=(60 / self.beats,))

    def measurement(self) -> gatt.Characteristic:
        return self._service.heart_rate_measurement_characteristic

    def services(self) -> list[gatt.Service]:
        _, battery = super().services()
        return [self._service, battery]

    def measured(self, seconds: float) -> list[bytes]:
        return [bytes(self._now)]
