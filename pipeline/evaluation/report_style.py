"""The look of the report: one style sheet for light, dark and paper. No font, picture or script is fetched."""

from __future__ import annotations

import base64
import hashlib

# Series colours: Okabe and Ito, "Color Universal Design" (2008), told apart with every common colour blindness; the
# dark page has the same hues lightened. Every series also carries its number.
STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1d2329; --soft: #56616b; --line: #d5dbe0; --band: #f4f6f8; --best: #e3f1e6; --warn: #fdf3dc;
  --c1: #0072b2; --c2: #d55e00; --c3: #009e73; --c4: #b0568b; --c5: #a87400; --c6: #3a87b5; --c7: #66666e; --c8:
    #7a4fb5;
  --shade1: #0b3c5d; --shade2: #3f7fae; --shade3: #a3c6de;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e6eaee; --soft: #a3adb6; --line: #39424b; --band: #1d2328; --best: #1e3a26;
      --warn: #3d3216;
    --c1: #56b4e9; --c2: #ff8a3d; --c3: #2fc79a; --c4: #e39bc6; --c5: #e6b13a; --c6: #8ec9ea; --c7: #b4b4bc;
      --c8: #b99af0;
    --shade1: #a9d3ee; --shade2: #5b9cc9; --shade3: #2c5f86;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .4rem; padding-top: .8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.5rem 0 .3rem; }
p, ul, dl { max-width: 62rem; margin: .4rem 0 .8rem; }
.lead, figcaption, caption, .soft { color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; }
a { color: var(--c1); }
.finding { background: var(--band); border-left: 4px solid var(--c1); padding: .6rem 1rem; max-width: 62rem; }
.finding ul { margin: .2rem 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto; margin: .6rem 0 1.2rem; }
table { border-collapse: collapse; font-size: .9rem; min-width: 26rem; }
.figures tbody th { white-space: nowrap; }
.part { display: inline-block; }
.figures thead .num { white-space: normal; max-width: 11rem; }
caption { caption-side: top; text-align: left; padding: 0 0 .35rem; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; font-weight: 600; }
thead th[title] { text-decoration: underline dotted var(--soft); text-underline-offset: 3px; }
tbody th { font-weight: 500; }
tbody tr:nth-child(even) { background: var(--band); }
.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.range { display: block; color: var(--soft); font-size: .82em; }
td.best { background: var(--best); font-weight: 700; }
td.best .range { font-weight: 400; }
.wide td { overflow-wrap: anywhere; min-width: 6rem; }
.wide td.long { min-width: 16rem; }
.badge-cell { display: inline-block; min-width: 1.5em; padding: 0 .25em; margin-right: .45em; border-radius:
  .8em; color: var(--paper);
  text-align: center; font-size: .85em; font-weight: 700; font-variant-numeric: tabular-nums; }
.note { background: var(--warn); padding: .45rem .8rem; max-width: 62rem; }
figure { margin: .8rem 0 1.4rem; }
figcaption { max-width: 46rem; font-size: .9rem; }
.row { display: flex; flex-wrap: wrap; gap: 1rem 1.6rem; }
svg { max-width: 100%; height: auto; font-size: 12px; }
svg text { fill: var(--ink); } svg .tick { fill: var(--soft); font-size: 11px; } svg .scale { fill: var(--soft); }
svg .mid { text-anchor: middle; } svg .end { text-anchor: end; }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .ideal { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 5 4; }
svg .lead { stroke: var(--soft); stroke-width: .8; }
svg .whisker { stroke: var(--c2); stroke-width: 1.4; }
svg .line { fill: none; stroke-width: 1.8; stroke: currentColor; } svg .fill { fill: currentColor; }
svg text.badge { fill: var(--paper); font-size: 10.5px; font-weight: 700; }
.shade1 { fill: var(--shade1); } .shade2 { fill: var(--shade2); } .shade3 { fill: var(--shade3); }
svg .c1 { color: var(--c1); } svg .c2 { color: var(--c2); } svg .c3 { color: var(--c3); } svg .c4 { color: var(--c4); }
svg .c5 { color: var(--c5); } svg .c6 { color: var(--c6); } svg .c7 { color: var(--c7); } svg .c8 { color: var(--c8); }
.b1 { background: var(--c1); } .b2 { background: var(--c2); } .b3 { background: var(--c3); } .b4 { background:
  var(--c4); }
.b5 { background: var(--c5); } .b6 { background: var(--c6); } .b7 { background: var(--c7); } .b8 { background:
  var(--c8); }
dt { font-weight: 600; } dd { margin: 0 0 .35rem 1.2rem; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .93em; overflow-wrap:
  anywhere; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --band: #f4f4f4; --best: #e3f1e6;
    --warn: #fdf3dc; --c1: #0072b2; --c2: #d55e00; --c3: #009e73; --c4: #b0568b; --c5: #a87400; --c6: #3a87b5;
    --c7: #66666e; --c8: #7a4fb5; --shade1: #0b3c5d; --shade2: #3f7fae; --shade3: #a3c6de; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  @page { size: A4 landscape; margin: 12mm; }
  body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; } .scroll { overflow: visible; }
  h2 { break-after: avoid; } h3, caption { break-after: avoid; } figure, tr { break-inside: avoid; } thead { display:
    table-header-group; }
}
"""


def content_policy() -> str:
    """The page's content security policy: nothing is fetched, nothing runs, and this one style sheet is allowed.

    The style sheet is allowed by its hash (W3C, Content Security Policy Level 3), so that no other could slip in.
    """
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
