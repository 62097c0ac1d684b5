"""Opens every page of the site from its folder in a headless Chromium, and tells what is wrong.

python tools/site/browse.py SITE [--screenshots FOLDER]

A page has no errors in its console, no resource or picture that is missing, no link that leads nowhere, a button to
copy each block of code, and nothing wider than a phone. The search finds "resize". With --screenshots the main pages
are taken light and dark, on a desktop and a phone.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

DESKTOP, PHONE = (1280, 900), (390, 844)
TOP_PAGES = 40  # of a folder that has more, such as the operators, only so many are measured at phone width

# What the page itself can tell. A table or a block of code may scroll inside of itself; the page may not.
FACTS = """
return {
  links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
  ids: [...document.querySelectorAll("[id], a[name]")].map((e) => e.id || e.name),
  broken: [...document.images].filter((i) => !i.complete || !i.naturalWidth).map((i) => i.src),
  blocks: document.querySelectorAll("div.highlight").length,
  copied: document.querySelectorAll("div.highlight:has([data-clipboard-target])").length,
  outside: performance.getEntriesByType("resource").map((e) => e.name).filter((n) => !n.startsWith("file:")),
};
"""


def browser() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not chromium:
        sys.exit("Chromium and its driver are needed: apt-get install chromium chromium-driver")
    options.binary_location = chromium  # else Selenium looks for one on the network
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    started.set_page_load_timeout(60)
    return started


def look(driver: webdriver.Chrome, width: int, height: int) -> None:
    """A window of that size; a real one would not become as narrow as a phone."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def problems_of_pages(driver: webdriver.Chrome, site: Path) -> list[str]:
    found: list[str] = []
    pages = sorted(page for page in site.rglob("*.html") if page.name != "404.html")
    ids: dict[Path, set[str]] = {}
    links: dict[Path, set[str]] = {}
    narrow = 0
    for number, page in enumerate(pages):
        name = page.relative_to(site).as_posix()
        look(driver, *DESKTOP)
        driver.get(page.as_uri())
        facts = driver.execute_script(FACTS)
        said = [f"console: {entry['message']}" for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
        said += [f"missing picture: {source}" for source in facts["broken"]]
        said += [f"fetched from elsewhere: {source}" for source in facts["outside"]]
        said += [f"only {facts['copied']} of {facts['blocks']} blocks can be copied"] * (
            facts["copied"] < facts["blocks"]
        )
        of_folder = [each for each in pages if each.parent == page.parent]
        if of_folder.index(page) < TOP_PAGES:
            look(driver, *PHONE)
            wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            said += [f"{wide} pixels wider than a phone"] * (wide > 0)
            narrow += 1
        ids[page], links[page] = {*facts["ids"]}, {*facts["links"]}
        found += [f"{name}: {each}" for each in said]
        if sys.stdout.isatty():
            print(f"\r{number + 1}", end="", flush=True)
    print(f"\r{len(pages)} pages, {narrow} of them as a phone shows them, {sum(map(len, links.values()))} links")
    return found + [lost for page in pages for lost in lost_links(page, links[page], ids, site)]


def lost_links(page: Path, links: set[str], ids: dict[Path, set[str]], site: Path) -> list[str]:
    lost = []
    for link in sorted(links):
        address, anchor = urldefrag(link)
        if urlparse(address).scheme != "file":
            continue
        target = Path(unquote(urlparse(address).path))
        anchor = unquote(anchor)
        if not target.is_file() or (anchor and not anchor.startswith("__") and anchor not in ids.get(target, set())):
            lost.append(f"{page.relative_to(site).as_posix()}: lost link {link.removeprefix(site.as_uri())}")
    return lost


def problems_of_search(driver: webdriver.Chrome, site: Path) -> list[str]:
    """Types a word as a reader would, and waits for the page of that operator among the answers."""
    look(driver, *DESKTOP)
    driver.get((site / "index.html").as_uri())
    field = driver.find_element(By.CSS_SELECTOR, ".md-search__input")
    field.click()
    field.send_keys("resize")
    answers = "a.md-search-result__link[href*='ops/resize.html']"
    try:
        WebDriverWait(driver, 20).until(lambda there: there.find_elements(By.CSS_SELECTOR, answers))
    except Exception:
        return ["search: no answer leads to ops/resize.html"]
    return []


def screenshots(driver: webdriver.Chrome, site: Path, folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            for kind, size in (("desktop", DESKTOP), ("phone", PHONE)):
                look(driver, *size)
                driver.get((site / f"{name}.html").as_uri())
                driver.execute_script("localStorage.clear()")  # which remembers the first scheme
                driver.refresh()
                driver.save_screenshot(str(folder / f"{name.replace('/', '-')}-{kind}-{scheme}.png"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--screenshots", type=Path)
    parser.add_argument("--pages", nargs="*", default=["index", "guides/getting_started", "ops/index", "ops/resize"])
    given = parser.parse_args()
    site = given.site.resolve()
    driver = browser()
    try:
        if given.screenshots:
            screenshots(driver, site, given.screenshots, given.pages)
        found = problems_of_pages(driver, site) + problems_of_search(driver, site)
    finally:
        driver.quit()
    for each in found:
        print(each)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
