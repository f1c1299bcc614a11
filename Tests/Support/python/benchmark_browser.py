"""The figures of the page, in Debian's Chromium."""

import gzip

from playwright.async_api import Page, async_playwright

from serving import CHROMIUM, CHROMIUM_OPTIONS, PAGE, running_page

Row = tuple[str, str, str]

# When the panel first shows something, and when the program was there.
WATCH_PANEL = """
new MutationObserver((_, observer) => {
  const words = document.getElementById("words")?.textContent;
  if (!words || words.includes("dark")) return;
  document.documentElement.dataset.first = performance.now();
  observer.disconnect();
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
FIRST_PICTURE = """
() => {
  const [file] = performance.getEntriesByName(new URL("lenker.wasm", location.href).href);
  return document.documentElement.dataset.first - file.responseEnd;
}
"""

# A ride without a page, a step of 16 ms as a frame makes it; the clock is too coarse for a single one.
RIDE = """
async () => {
  let program;
  const random = (place, count) => crypto.getRandomValues(new Uint8Array(program.memory.buffer, place, count));
  const file = await (await fetch("lenker.wasm")).arrayBuffer();
  program = (await WebAssembly.instantiate(file, {page: {random}})).instance.exports;
  const ride = new TextEncoder().encode(document.getElementById("ride-tour").textContent);
  program.start(0);
  const place = program.place(ride.length);
  new Uint8Array(program.memory.buffer, place, ride.length).set(ride);
  program.ride(ride.length);
  const means = [];
  while (program.progress() < 1000) {
    const start = performance.now();
    for (let step = 0; step < 100; step++) program.pass(16);
    means.push((performance.now() - start) / 100);
    program.events();
  }
  return [means.sort((a, b) => a - b)[means.length >> 1], program.memory.buffer.byteLength];
}
"""


async def measure(page: Page, address: str) -> tuple[float, float, int]:
    """Milliseconds to the first picture and for a step, and bytes of memory."""
    await page.add_init_script(WATCH_PANEL)
    await page.goto(f"{address}#ride=short")
    await page.locator("html[data-first]").wait_for()
    first = await page.evaluate(FIRST_PICTURE)
    step, memory = await page.evaluate(RIDE)
    return first, step, memory


async def browser_rows() -> list[Row]:
    program = (PAGE / "lenker.wasm").read_bytes()
    packed = len(gzip.compress(program))
    with running_page() as address:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
            first, step, memory = await measure(await browser.new_page(), address)
            await browser.close()
    return [
        ("the page's program, and with gzip", f"{len(program) / 1e6:.2f} MB, {packed / 1e6:.2f} MB", "< 3.8, < 1.7 MB"),
        ("from the file to the first picture", f"{first:.0f} ms", "< 1 s"),
        ("a step of the device, median", f"{step * 1000:.0f} µs", "< 1000 µs"),
        ("its memory after a tour", f"{memory / 1e6:.1f} MB", "< 16 MB"),
    ]
