/// The look of `report.html`: light and dark, from a phone's width up; no script and nothing from elsewhere.
enum PageStyle {
  static let css = """
    :root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--paper:#fff;--card:#f6f8fa;--rule:#d1d9e0;\
    --good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--c0:#0969da;--c1:#bc4c00;--c2:#1a7f37;--c3:#8250df;--c4:#bf3989;\
    --c5:#4d5763;--shade:#bf8700}
    @media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--paper:#0d1117;--card:#151b23;--rule:#3d444d;\
    --good:#3fb950;--bad:#f85149;--warn:#d29922;--c0:#58a6ff;--c1:#f0883e;--c2:#3fb950;--c3:#be8fff;--c4:#f778ba;\
    --c5:#b1bac4;--shade:#d29922}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
    main{max-width:960px;margin:0 auto;padding:16px}
    h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:2em 0 .5em;padding-top:.5em;border-top:1px solid var(--rule)}
    h3{font-size:1rem;margin:1.5em 0 .4em}p{margin:.5em 0;max-width:75ch}
    .verdict{border-left:6px solid var(--warn);background:var(--card);padding:12px 16px;border-radius:4px}
    .verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}
    .soft,small{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
    .verdict.good,.verdict.bad,.verdict.warn{color:inherit}
    code,pre{font:13px/1.45 ui-monospace,monospace}pre{background:var(--card);padding:10px;overflow-x:auto;border-radius:4px}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;font-size:14px;margin:.5em 0}
    th,td{text-align:left;padding:3px 14px 3px 0;border-bottom:1px solid var(--rule);vertical-align:top;overflow-wrap:normal}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    th{font-weight:600}details>summary{cursor:pointer;color:var(--soft);margin:.3em 0}
    svg{display:block;width:100%;min-width:620px;height:auto}
    svg text{font:11px system-ui,sans-serif;fill:var(--soft)}svg .title{font-weight:600;fill:var(--ink);font-size:12px}
    .end{text-anchor:end}.mid{text-anchor:middle}.legend{text-anchor:start}
    .grid{stroke:var(--rule);stroke-width:.6}.axis{stroke:var(--soft);stroke-width:1}
    .line{fill:none;stroke-width:1.6;stroke-linejoin:round}.bar{fill:var(--c0)}
    .window{fill:var(--shade);opacity:.13}.mark{stroke:var(--soft);stroke-dasharray:3 3}.marktext{font-size:9px!important}
    .line.c0{stroke:var(--c0)}.line.c1{stroke:var(--c1)}.line.c2{stroke:var(--c2)}.line.c3{stroke:var(--c3)}
    .line.c4{stroke:var(--c4)}.line.c5{stroke:var(--c5)}
    .key.c0{fill:var(--c0)}.key.c1{fill:var(--c1)}.key.c2{fill:var(--c2)}.key.c3{fill:var(--c3)}.key.c4{fill:var(--c4)}
    .key.c5{fill:var(--c5)}.dot{fill:var(--c0)}.dot.last{fill:var(--bad)}
    .heat{fill:var(--c0)}.h0{opacity:.15}.h1{opacity:.3}.h2{opacity:.45}.h3{opacity:.6}.h4{opacity:.8}.h5{opacity:1}
    .trail td{font:12px/1.4 ui-monospace,monospace;min-width:7em}
    @media print{details{display:block}main{max-width:none}}
    """
}
