"""The page in a browser: nothing leaves, nothing runs, no sideways scroll on a telephone. Skipped without Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html

from pipeline.audit.page import folder_page
from pipeline.audit.page.whole import run_page
from pipeline.run import ask
from tests.audit.pages import hostile_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 90  # seconds until a browser counts as hung
BROWSERS_OWN = (".google.com", ".googleapis.com", ".gvt1.com")  # where Chromium looks for its updates and the time
WIDTHS = (360, 768, 1280)  # pixels: a telephone, a tablet, a desk
# Measures each page in a frame of its width, and what is wider than the frame and not scrolled by a box of its own.
MEASURE = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const found = [];
let left = {count};
function done(frame, width) {{
  const page = frame.contentDocument;
  page.querySelectorAll("details").forEach(one => one.open = true);
  found.push([width, page.documentElement.scrollWidth, page.querySelectorAll("script").length,
    page.querySelectorAll("image").length]);
  if (--left === 0) document.title = JSON.stringify(found);
}}
</script>{frames}</body>"""
FRAME = '<iframe src="{name}" width="{width}" height="800" onload="done(this, {width})" style="border:0"></iframe>'


def browse(path: Path, folder: Path, *options: str) -> str:
    """The page's content after it was opened in a browser without any way out."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
            "--disable-domain-reliability", "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder / 'own'}",
            f"--log-net-log={folder / 'net.json'}", "--virtual-time-budget=10000", *options, "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return done.stdout.decode()


def asked_for(folder: Path) -> set[str]:
    """Every address that the page asked for over the network, by the browser's log; not those of its own updates."""
    log = json.loads((folder / "net.json").read_text(encoding="utf-8"))
    found = {event["params"]["url"] for event in log["events"] if "url" in event.get("params", {})}
    away = {address for address in found if not address.startswith(("file:", "data:", "chrome:", "about:"))}
    return {address for address in away if not (urlsplit(address).hostname or "").endswith(BROWSERS_OWN)}


def test_no_request_leaves_and_no_script_runs(tmp_path: Path) -> None:
    """Opened from disk: nothing but the file is read, and script in the document's text stays text."""
    path = tmp_path / "trace.html"
    data = run_page(hostile_run())
    assert b"google" not in data
    path.write_bytes(data)
    content = browse(path, tmp_path)
    assert asked_for(tmp_path) == set()
    assert re.search(r"<script[\s>]", content) is None
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in content
    assert "http://leak.invalid/x" in content
    names = {name for one in html.document_fromstring(content).iter() for name in one.attrib}
    assert not [name for name in names if name.startswith("on") or name in ("style", "src")]


def test_the_log_sees_a_page_that_asks_for_something(tmp_path: Path) -> None:
    """The check before would see a request: a page that makes one is caught."""
    path = tmp_path / "asks.html"
    path.write_text('<!DOCTYPE html><img src="http://leak.invalid/x.png">', encoding="utf-8")
    browse(path, tmp_path)
    assert asked_for(tmp_path) == {"http://leak.invalid/x.png"}


def test_pages_fit_a_telephone(project: Path, tmp_path: Path) -> None:
    """At each width nothing is wider than the page with all of it opened; the pictures are there."""
    run = ask(project / "examples" / "supply_agreement.pdf", "What is the liability cap?", store=tmp_path / "store")
    pages = {"real.html": folder_page(run.path), "hostile.html": run_page(hostile_run("fr"))}
    frames = []
    for name, data in pages.items():
        (tmp_path / name).write_bytes(data)
        frames += [FRAME.format(name=name, width=width) for width in WIDTHS]
    path = tmp_path / "measure.html"
    path.write_text(MEASURE.format(count=len(frames), frames="".join(frames)), encoding="utf-8")
    content = browse(path, tmp_path, "--allow-file-access-from-files")
    title = re.search(r"<title>(.*?)</title>", content)
    assert title is not None
    measured = json.loads(title.group(1))
    assert len(measured) == len(frames)
    assert [(width, wide) for width, wide, _, _ in measured if wide > width] == []
    assert {scripts for _, _, scripts, _ in measured} == {0}
    assert sum(pictures for _, _, _, pictures in measured) >= len(WIDTHS)
    assert asked_for(tmp_path) == set()
