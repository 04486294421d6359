"""Debian's Chromium without a window, and what a test asks of a page in it."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.e2e.server import until

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MISSING = "no chromium with its driver: apt-get install chromium chromium-driver"

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
)  # fmt: skip


@dataclass(slots=True)
class Browser:
    """A page in a browser of its own."""

    driver: Chrome

    def find(self, selector: str) -> WebElement:
        """Answer the first element of a selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def count(self, selector: str) -> int:
        """Answer how many elements a selector meets."""
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def text(self, selector: str) -> str:
        """Answer what an element says."""
        return self.find(selector).text

    def texts(self, selector: str) -> list[str]:
        """Answer what every element of a selector says."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
            selector,
        )
        return found

    def run(self, script: str, *given: Any) -> Any:
        """Run a script in the page and answer what it returns."""
        return self.driver.execute_script(script, *given)

    def ask(self, command: str, **given: Any) -> Any:
        """Ask Chromium's own protocol."""
        return self.driver.execute_cdp_cmd(command, given)

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list."""
        self.run(
            "const [selector, value] = arguments;"
            "const list = document.querySelector(selector);"
            "list.value = value; list.dispatchEvent(new Event('change', {bubbles: true}));",
            selector,
            value,
        )

    def resize(self, width: int, height: int = 800) -> None:
        """Give the page a screen."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def emulate(self, feature: str, value: str) -> None:
        """Let the page believe that its reader has set something."""
        self.ask("Emulation.setEmulatedMedia", features=[{"name": feature, "value": value}])

    def open(self, address: str) -> None:
        """Open an address anew, even if it is the one that is open."""
        self.driver.get("about:blank")
        self.driver.get(address)
        until(lambda: self.count("#unstarted") == 0, "the page's program has started")

    def complaints(self) -> list[str]:
        """Answer what the console has complained of since it was asked last."""
        return [each["message"] for each in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def requests(self) -> list[str]:
        """Answer every address that was asked since this was asked last."""
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = [json.loads(each["message"])["message"] for each in entries]
        return [
            each["params"]["request"]["url"]
            for each in messages
            if each["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def browsing(profile: Path, language: str = "en") -> Iterator[Browser]:
    """Start a browser that speaks a language; it is gone afterwards."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*_FLAGS, f"--lang={language}", f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(str(DRIVER)))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
