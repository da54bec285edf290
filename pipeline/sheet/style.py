"""The look of the pages: light, dark, paper and telephone. No font, picture or script is fetched."""

from __future__ import annotations

from pipeline.generation.highlight.palette import hex_colours

_BASE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2329; --soft: #56616b; --line: #d5dbe0; --band: #f4f6f8;
  --strong: #ffe071; --strong-ink: #1d2329; --light: #e6eefb; --accent: #0b5c8f; --warn: #fdf3dc; --good: #e7f4ea;
  --bad: #fbe6e3; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --ink: #e6eaee; --soft: #a3adb6; --line: #39424b;
  --band: #1d2328; --strong: #7a6000; --strong-ink: #fff; --light: #223044; --accent: #7cc3f0; --warn: #3d3216;
  --good: #1e3a26; --bad: #46231e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 52rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere; }
a { color: var(--accent); }
.soft { color: var(--soft); }
"""

SHEET_STYLE = (
    _BASE
    + """
h1 { font-size: 1.3rem; line-height: 1.3; margin: .2rem 0 .6rem; }
h2 { font-size: .82rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); margin: 1.1rem 0 .25rem;
  border-top: 1px solid var(--line); padding-top: .5rem; }
p, ul { margin: .2rem 0; } ul { padding-left: 1.2rem; }
.head { color: var(--soft); font-size: .85rem; }
.box { border-left: 5px solid var(--line); background: var(--band); padding: .5rem .8rem; margin: .4rem 0; }
.answered { border-color: #2f8f4e; background: var(--good); }
.partial, .not_found, .needs_clarification { border-color: #b98a10; background: var(--warn); }
.refused { border-color: #b23b2c; background: var(--bad); }
.value { font-size: 1.15rem; font-weight: 650; white-space: pre-wrap; }
.pre { white-space: pre-wrap; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .82rem;
  overflow-x: auto; font-weight: 500; }
blockquote { margin: .3rem 0; padding: .1rem 0 .1rem .7rem; border-left: 3px solid var(--line); font-style: italic; }
table { border-collapse: collapse; margin: .3rem 0; max-width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem .15rem 0; }
th { font-weight: 600; }
.grid { display: block; overflow-x: auto; }
.grid th, .grid td { border-bottom: 1px solid var(--line); padding: .15rem .6rem .15rem .2rem; }
.fact { display: grid; grid-template-columns: 10rem 1fr; gap: .6rem; padding: .1rem 0; }
.k { color: var(--soft); overflow-wrap: normal; hyphens: auto; } .v ul { margin: 0; }
.hash { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .76rem; }
.sign { margin-top: 2rem; color: var(--soft); }
@media (max-width: 34rem) { .fact { grid-template-columns: 6.5rem 1fr; } }
@media print { @page { size: A4; margin: 12mm; } body { font-size: 9.5pt; padding: 0; max-width: none; }
  h2 { margin-top: .6rem; } }
"""
)

# What MuPDF's own typesetter knows of CSS: no variables, no flexible boxes.
PAPER_STYLE = """
* {{ font-family: sans-serif; }}
body {{ font-size: {size}pt; line-height: 1.22; color: #1d2329; margin: 0; }}
h1 {{ font-size: 1.35em; margin: 2pt 0 4pt 0; line-height: 1.2; }}
h2 {{ font-size: 0.92em; color: #0b5c8f; margin: 6pt 0 1pt 0; padding-top: 2pt; border-top: 0.5pt solid #c3cad0; }}
p {{ margin: 1pt 0; }}
ul {{ margin: 1pt 0 1pt 12pt; padding: 0; }}
li {{ margin: 0; }}
.head, .soft {{ color: #56616b; }}
.box {{ background-color: #f4f6f8; padding: 3pt 6pt; margin: 2pt 0; }}
.answered {{ background-color: #e7f4ea; }}
.partial, .not_found, .needs_clarification {{ background-color: #fdf3dc; }}
.refused {{ background-color: #fbe6e3; }}
.value {{ font-size: 1.2em; font-weight: bold; }}
.pre {{ font-family: monospace; font-size: 0.9em; white-space: pre-wrap; }}
blockquote {{ margin: 1pt 0 1pt 8pt; font-style: italic; }}
table {{ margin: 1pt 0; }}
td, th {{ padding: 0 6pt 1pt 0; text-align: left; vertical-align: top; }}
.grid td, .grid th {{ border-bottom: 0.5pt solid #d5dbe0; }}
.fact {{ margin: 1pt 0; }}
.k {{ color: #0b5c8f; }}
.hash {{ font-family: monospace; font-size: 0.85em; }}
.sign {{ margin-top: 20pt; color: #56616b; }}
"""

LINES_STYLE = (
    _BASE
    + """
body { max-width: 62rem; }
h1 { font-size: 1.25rem; margin: 0 0 .3rem; line-height: 1.3; }
header { border-bottom: 1px solid var(--line); padding-bottom: .7rem; margin-bottom: .8rem; }
header ul { margin: .4rem 0; padding-left: 1.2rem; }
.unit { margin: 1.4rem 0 .3rem; font-size: .82rem; color: var(--soft); border-bottom: 1px solid var(--line);
  letter-spacing: .03em; }
.l { display: flex; gap: .8rem; margin: 0; padding: .05rem .3rem; min-height: 1.45em; scroll-margin-top: 4rem; }
.n { flex: 0 0 2.6rem; text-align: right; color: var(--soft); font-size: .75rem; padding-top: .15rem;
  user-select: none; font-variant-numeric: tabular-nums; }
.t { white-space: pre-wrap; min-width: 0; }
.para { margin-top: .55rem; }
.h { font-weight: 650; } .h1 { font-size: 1.2rem; } .h2 { font-size: 1.08rem; }
.quiet .t { color: var(--soft); font-size: .9rem; }
.cited { background: var(--strong); color: var(--strong-ink); border-left: 4px solid #c99500; }
.cited .n { color: inherit; }
.around { background: var(--light); border-left: 4px solid #8fb2e3; }
.key { padding: 0 .4rem; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .92rem; }
td, th { border: 1px solid var(--line); padding: .15rem .45rem; text-align: left; vertical-align: top;
  overflow-wrap: normal; max-width: 26rem; }
td.cited, td.around, th.cited, th.around { border-left-width: 1px; border-left-color: var(--line); }
td.empty { border-color: transparent; }
th { background: var(--band); } th.cited { background: var(--strong); } th.around { background: var(--light); }
td.n { border: 0; background: none; white-space: nowrap; }
.gap { color: var(--soft); font-style: italic; padding: .6rem .3rem; text-align: center; }
:target { outline: 2px solid var(--accent); outline-offset: 1px; }
.top { position: fixed; right: .8rem; bottom: .8rem; background: var(--band); border: 1px solid var(--line);
  border-radius: 1rem; padding: .2rem .8rem; font-size: .85rem; }
@media print { .top { display: none; } }
@media (max-width: 34rem) { .n { flex-basis: 1.9rem; } .l { gap: .5rem; } body { padding: .8rem .5rem 3rem; } }
"""
)

# The page of a batch: each line with the signs of the questions that cite it, in their colours.
QUESTIONS_STYLE = (
    LINES_STYLE
    + """
header > ul { max-height: 40vh; overflow-y: auto; }
.cited { background: var(--band); color: var(--ink); border-left-color: var(--accent); }
td.cited, th.cited { color: #1d2329; }
.chip { display: inline-block; padding: 0 .35rem; margin-left: .2rem; border-radius: .6rem; font-size: .72rem;
  text-decoration: none; color: #1d2329; }
"""
    + "".join(
        f".chip.c{at}, td.c{at}, th.c{at} {{ background: {colour}; }}\n" for at, colour in enumerate(hex_colours())
    )
)
