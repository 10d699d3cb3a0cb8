"""A headless Chromium, driven by real pointer and key events over the DevTools protocol on a pipe.

Standard library only.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
#: Seconds to wait for an answer of the browser.
TIMEOUT = 60
#: Levels of console messages that `complaints` reports.
SEVERE = ("error", "warning")


def find() -> str | None:
    """The browser to use: $SLUICE_CHROMIUM, or the first of `NAMES` on the path."""
    named = os.environ.get("SLUICE_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A window. `events` holds the protocol's events since the page was opened, in order."""

    def __init__(self, binary: str, width: int = 1280, height: int = 900):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        command = [
            # Chromium expects the pipe at descriptors 3 and 4.
            *["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", binary],
            *["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"],
            *["--remote-debugging-pipe", f"--user-data-dir={self._profile.name}", "about:blank"],
        ]
        self._process = subprocess.Popen(
            command, pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session = b"", 0, None
        self.events: list[dict] = []
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the browser."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        self._profile.cleanup()

    def call(self, method: str, **params: object) -> dict:
        """Calls a method of the protocol and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._read()
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _read(self) -> dict:
        deadline = time.monotonic() + TIMEOUT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(deadline - time.monotonic(), 0))
            more = os.read(self._in, 1 << 16) if ready else b""
            if not more:
                raise RuntimeError("no answer from the browser")
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(
        self, page: Path, ready: str = "document.documentElement?.dataset.ready === ''"
    ) -> float:
        """Opens a file and waits until `ready` holds; returns the seconds taken."""
        self.events.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.wait(ready)
        return time.monotonic() - begin

    def wait(self, condition: str) -> None:
        """Waits until a JavaScript expression is true."""
        deadline = time.monotonic() + TIMEOUT
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"timed out waiting for: {condition}")
            time.sleep(0.02)

    def evaluate(self, script: str) -> object:
        """The value of a JavaScript expression, converted from JSON."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self) -> None:
        """Waits until pending changes are painted."""
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def dark(self, on: bool) -> None:
        value = "dark" if on else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": value}],
        )

    def paper(self, on: bool) -> None:
        """Shows the page with the styles of paper."""
        self.call("Emulation.setEmulatedMedia", media="print" if on else "")

    def place(self, selector: str, number: int = 0) -> tuple[float, float, float, float]:
        """Scrolls an element into view; returns its left, top, width and height in pixels."""
        script = f"""(() => {{
            const found = document.querySelectorAll({json.dumps(selector)})[{number}];
            found.scrollIntoView({{ block: "center" }});
            const {{ left, top, width, height }} = found.getBoundingClientRect();
            return [left, top, width, height];
        }})()"""
        left, top, width, height = self.evaluate(script)
        return left, top, width, height

    def pointer(self, kind: str, x: float, y: float, clicks: int = 0, held: bool = False) -> None:
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            clickCount=clicks,
            button="left" if clicks else "none",
            buttons=int(held),
        )

    def move(self, x: float, y: float, held: bool = False) -> None:
        self.pointer("mouseMoved", x, y, held=held)
        self.settle()

    def click(self, selector: str, number: int = 0) -> None:
        left, top, width, height = self.place(selector, number)
        x, y = left + width / 2, top + height / 2
        self.pointer("mousePressed", x, y, 1, held=True)
        self.pointer("mouseReleased", x, y, 1)
        self.settle()

    def drag(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        self.move(*begin)
        self.pointer("mousePressed", *begin, 1, held=True)
        self.move((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2, held=True)
        self.move(*end, held=True)
        self.pointer("mouseReleased", *end, 1)
        self.settle()

    def key(self, name: str) -> None:
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40}
        pressed = {"key": name, "windowsVirtualKeyCode": codes.get(name, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **pressed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)
        self.settle()

    def picture(self, whole: bool = False) -> bytes:
        """A PNG of the window, or of the whole page."""
        self.settle()
        return base64.b64decode(
            self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        )

    def print(self) -> bytes:
        """The printed page, as PDF."""
        answer = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(answer["data"])

    def complaints(self) -> list[str]:
        """Console errors, console warnings and uncaught exceptions since the page was opened."""
        found = []
        for event in self.events:
            params = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(
                    params["exceptionDetails"].get("exception", {}).get("description", "?")
                )
            elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] in SEVERE:
                found.append(params["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled" and params["type"] in SEVERE:
                found.append(str(params["args"]))
        return found

    def requests(self) -> list[str]:
        """The URLs requested since the page was opened."""
        sent = [
            event for event in self.events if event.get("method") == "Network.requestWillBeSent"
        ]
        return [event["params"]["request"]["url"] for event in sent]
