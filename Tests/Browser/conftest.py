"""The page in a real browser, Debian's Chromium without a window.

The page's clock is the test's: `shown.run(milliseconds)` lets it go on, so that no test waits or
depends on the speed of the machine. Whatever a test does, nothing may stand on the console, and
nothing may be asked of another host.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from looking import Shown
from serving import CHROMIUM, CHROMIUM_OPTIONS, running_page


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with running_page() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)


@pytest.fixture
def locale() -> str:
    """The language of the reader's browser; a test may have another one."""
    return "en-GB"


HOUR = 3600


@pytest.fixture
def shown(browser: Browser, address: str, locale: str) -> Iterator[Shown]:
    context = browser.new_context(locale=locale, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # Its clock runs until it is stopped, and can be stopped only where it has not come yet.
    page.clock.install(time=0)
    page.clock.pause_at(HOUR)
    yield Shown(page, address)
    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
