"""The page of Boards/browser on a plain web server of this process."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from lenker_bench.programs.processes import ROOT

PAGE = ROOT / ".build" / "browser"  # by Boards/browser/build
CHROMIUM = Path("/usr/bin/chromium")
# There is no user on a build machine whom a sandbox could keep apart.
CHROMIUM_OPTIONS = ["--no-sandbox"]


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def running_page() -> Iterator[str]:
    """Its address; the page is in a folder of the server, as on GitHub Pages."""
    if not (PAGE / "lenker.wasm").exists():
        raise FileNotFoundError(f"no page at {PAGE}: Boards/browser/build makes it")
    handler = functools.partial(SilentHandler, directory=PAGE.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{PAGE.name}/"
        finally:
            server.shutdown()
            thread.join()
