"""The look of the trace page, on top of the decision sheet's: light, dark, paper and telephone."""

from __future__ import annotations

from pipeline.sheet.style import SHEET_STYLE

# The four roles and the cited lines, told apart by colour, by pattern and by the letter of their label. Each colour has
# a contrast of at least 4.5 to 1 on white (WCAG 2.2, 1.4.3).
ROLE_COLOURS = {"primary": "#0b5c8f", "supporting": "#1f6b3a", "tangential": "#6b3fa0", "discarded": "#9b2c1f"}
CITED_COLOUR = "#8a5a00"

TRACE_STYLE = (
    SHEET_STYLE
    + """
body { max-width: 68rem; }
:root { --primary: #0b5c8f; --supporting: #1f6b3a; --tangential: #6b3fa0; --discarded: #9b2c1f; --cited: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --primary: #7cc3f0; --supporting: #7fd39b; --tangential: #c9a8f2;
  --discarded: #f0a193; --cited: #ffd45c; } }
h1 { white-space: pre-wrap; }
h3 { font-size: 1rem; margin: .9rem 0 .3rem; } h4 { font-size: .85rem; margin: .1rem 0 .3rem; color: var(--soft); }
article + article { border-top: 3px double var(--line); margin-top: 2.5rem; padding-top: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; list-style: none; font-size: .9rem; }
section { margin-top: .3rem; }
details { margin: .3rem 0; } summary { cursor: pointer; color: var(--accent); padding: .1rem 0; }
details > *:not(summary) { margin-left: .2rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--band); padding: .5rem .6rem; margin: .3rem 0;
  font: .8rem/1.4 ui-monospace, Menlo, Consolas, monospace; max-width: 100%; }
.gaps { border-left: 5px solid #b98a10; background: var(--warn); padding: .4rem .8rem; margin: .6rem 0; }
.wide { overflow-x: auto; margin: .3rem 0; max-width: 100%; }
.t { font-size: .85rem; } .t th, .t td { border-bottom: 1px solid var(--line); padding: .2rem .6rem .2rem .2rem;
  overflow-wrap: break-word; min-width: 3rem; max-width: 28rem; }
.t th { color: var(--soft); white-space: nowrap; }
.num { font-variant-numeric: tabular-nums; }
.cand { border: 1px solid var(--line); border-left-width: 6px; margin: .6rem 0; padding: .4rem .7rem; }
.cand.primary { border-left: 6px solid var(--primary); } .cand.supporting { border-left: 6px double var(--supporting); }
.cand.tangential { border-left: 6px dotted var(--tangential); }
.cand.discarded { border-left: 6px dashed var(--discarded); }
.cand h3 { margin: 0 0 .3rem; } .two { display: grid; grid-template-columns: 1fr 1fr; gap: .4rem 1.2rem; }
.two > div { min-width: 0; } .two .fact { grid-template-columns: 7rem minmax(0, 1fr); }
.fact { grid-template-columns: 11rem minmax(0, 1fr); }
.snippet { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: .6rem; margin: .3rem 0;
  font-size: .92rem; }
.badge { display: inline-block; border: 2px solid currentColor; border-radius: .3rem; padding: 0 .3rem;
  font-weight: 650; font-size: .78rem; line-height: 1.35; text-decoration: none; white-space: nowrap; }
.badge.primary { color: var(--primary); } .badge.supporting { color: var(--supporting); border-style: double; }
.badge.tangential { color: var(--tangential); border-style: dotted; }
.badge.discarded { color: var(--discarded); border-style: dashed; }
.badge.cited { color: var(--strong-ink); background: var(--strong); border-color: #c99500; }
.ok { color: var(--supporting); } .bad { color: var(--discarded); font-weight: 650; }
figure { margin: .8rem 0; } figcaption { font-size: .88rem; color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .88rem; align-items: center; }
.legend span { display: inline-flex; gap: .4rem; align-items: center; }
svg { display: block; max-width: 100%; height: auto; } .swatch { flex: none; }
.sheetpage svg { border: 1px solid var(--line); background: #fff; width: 100%; }
.sheetpage { max-width: 54rem; }
svg text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
.path rect { fill: var(--band); stroke: var(--soft); stroke-width: 1.2; }
.path rect.skipped { fill: none; stroke-dasharray: 5 4; } .path rect.frame { fill: none; stroke: none; }
.path rect.primary { stroke: var(--primary); stroke-width: 2.4; }
.path rect.supporting { stroke: var(--supporting); stroke-width: 2; }
.path rect.tangential { stroke: var(--tangential); stroke-dasharray: 2 3; stroke-width: 2; }
.path rect.discarded { stroke: var(--discarded); stroke-dasharray: 6 4; }
.path rect.answered { fill: var(--good); stroke: #2f8f4e; stroke-width: 2.4; }
.path rect.partial, .path rect.not_found, .path rect.needs_clarification { fill: var(--warn); stroke: #b98a10;
  stroke-width: 2.4; }
.path rect.refused { fill: var(--bad); stroke: #b23b2c; stroke-width: 2.4; }
.path text { fill: var(--ink); font-size: 12.5px; } .path text.head { font-weight: 650; font-size: 13.5px; }
.path text.quiet { fill: var(--soft); } .path line, .path path { stroke: var(--soft); stroke-width: 1.6; fill: none; }
.path path.tip { fill: var(--soft); stroke: none; }
.pen { mix-blend-mode: multiply; }
.narrow { display: none; }
.l { display: flex; gap: .7rem; padding: .05rem .3rem; border-left: 5px solid transparent; }
.l .n { flex: 0 0 2.6rem; text-align: right; color: var(--soft); font-size: .75rem; padding-top: .15rem; }
.l .x { white-space: pre-wrap; min-width: 0; flex: 1; } .l .tags { flex: none; max-width: 40%; }
.l.primary { border-left: 5px solid var(--primary); } .l.supporting { border-left: 5px double var(--supporting); }
.l.tangential { border-left: 5px dotted var(--tangential); } .l.discarded { border-left: 5px dashed var(--discarded); }
.l.cited .x, td.cited, th.cited { background: var(--strong); color: var(--strong-ink); }
td.primary { outline: 2px solid var(--primary); } td.supporting { outline: 3px double var(--supporting); }
td.tangential { outline: 2px dotted var(--tangential); } td.discarded { outline: 2px dashed var(--discarded); }
.unit { font-size: .82rem; color: var(--soft); border-bottom: 1px solid var(--line); margin: 1rem 0 .2rem; }
.gap { color: var(--soft); font-style: italic; text-align: center; }
.scroll { overflow-x: auto; margin: .5rem 0; } .scroll table { font-size: .88rem; }
.scroll td, .scroll th { border: 1px solid var(--line); padding: .15rem .45rem; max-width: 22rem;
  overflow-wrap: break-word; }
.scroll td.n { border: 0; color: var(--soft); }
:target { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 44rem) { .two { grid-template-columns: 1fr; } .wideonly { display: none; }
  .narrow { display: block; } body { padding: .8rem .6rem 3rem; }
  .fact, .two .fact { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .k { font-size: .82rem; } .v { margin-bottom: .25rem; } .l .n { flex-basis: 1.8rem; } .l { gap: .4rem; } }
@media print { body { max-width: none; } figure, .cand, .fact { break-inside: avoid; } nav { display: none; }
  .sheetpage svg { max-height: 240mm; } pre { font-size: 7.5pt; } }
"""
)
