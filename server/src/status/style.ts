import { createHash } from "node:crypto";

/** The page's own style: light and dark by the reader's choice, from a phone's width on. */
export const style = `
:root{color-scheme:light dark;--ground:#f6f7f7;--card:#fff;--ink:#16211f;--soft:#5a6664;--line:#dde2e1;--good:#0f766e;--bad:#b42318;--bad-ground:#fdf0ee}
@media (prefers-color-scheme:dark){:root{--ground:#101615;--card:#182120;--ink:#e8eeec;--soft:#9aa8a5;--line:#2b3735;--good:#4fd1b8;--bad:#ff9a8b;--bad-ground:#2d1a18}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:64rem;margin:0 auto;padding:1.25rem 1rem 3rem}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;margin-bottom:1rem}
h1{font-size:1.5rem;margin:0;line-height:1.2}
h2{font-size:.8125rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft);margin:1.75rem 0 .5rem;font-weight:600}
p{margin:0}
.soft{color:var(--soft)}
.good{color:var(--good)}
.bad{color:var(--bad);font-weight:600}
.mark{display:inline-block;width:.625rem;height:.625rem;border-radius:50%;background:currentColor;margin-right:.5rem}
.faults{background:var(--bad-ground);border-left:3px solid var(--bad);border-radius:.25rem;padding:.625rem .875rem;margin-bottom:1rem;overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.25rem,1fr));gap:.625rem;margin:0}
.tiles div{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.625rem .75rem;min-width:0}
.notes p{margin:.5rem 0 0;overflow-wrap:anywhere}
dt{color:var(--soft);font-size:.8125rem}
dd{margin:.125rem 0 0;font-size:1.1875rem;font-weight:600;overflow-wrap:anywhere}
dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--soft)}
dd.bad small{color:inherit}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:.5rem;border-spacing:0}
th,td{text-align:left;vertical-align:top;padding:.4375rem .75rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{border-top:0;color:var(--soft);font-weight:400;font-size:.8125rem}
tbody th{font-weight:600;white-space:nowrap}
td small{display:block;color:var(--soft)}
.short{white-space:nowrap}
.part{padding-left:1.75rem}
a{color:var(--good)}
footer{margin-top:2rem;color:var(--soft);font-size:.8125rem}
@media (max-width:36rem){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,th,td{display:block}
tr{padding:.5rem .75rem;border-top:1px solid var(--line)}
tr:first-child{border-top:0}
tbody th,td{border:0;padding:.0625rem 0;white-space:normal;text-align:left}
.compact th,.compact .short{display:inline;margin-right:.5rem}
td[data-name]::before{content:attr(data-name) ": ";color:var(--soft)}
}
`;

/** The page's content security policy allows only this style. */
export const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;
