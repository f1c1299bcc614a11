"""What the tests on RootCanal share: they are skipped where it cannot run."""

import pytest

from lenker_bench.programs.rootcanal import MissingError, program


@pytest.fixture(autouse=True)
def rootcanal() -> None:
    try:
        program()
    except MissingError as error:
        pytest.skip(str(error))
