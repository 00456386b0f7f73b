import { type Html, html } from "@daric/runtime/html";
import type { Language } from "../messages/languages.ts";
import type { Assets, WebPage } from "./response.ts";
import { type Sheet, sheetOf } from "./theme.ts";

/**
 * Runs before the page is drawn. It marks the document, so that the style sheet keeps room for what the page's script
 * shows. If the script has not run by the end of the load, or in five seconds, the mark goes. The page then looks as it
 * does without scripting, and after the load it reloads itself like that page.
 */
const AWAIT_SCRIPT = sheetOf(
  `{const{dataset:d}=document.documentElement,gone=()=>d.script||delete d.script;d.script="";setTimeout(gone,5e3);addEventListener("load",()=>{d.script||document.head.insertAdjacentHTML("beforeend",document.querySelector("noscript")?.textContent??"");gone()})}`,
);

/**
 * A page of the checkout or in its place. Its head loads the page's script if it has one. Only pages of `frameAncestors`
 * may show it in a frame; without these none may.
 */
export function documentOf(page: {
  readonly language: Language;
  readonly title: string;
  readonly icon: string;
  readonly theme: Sheet;
  readonly assets: Assets;
  /** the file of its script, if it has one */
  readonly script?: "main.js" | "frame.js" | undefined;
  readonly frameAncestors?: readonly string[];
  readonly head: Html | null;
  readonly body: Html;
}): WebPage {
  const { language, assets, script, frameAncestors = [] } = page;
  const head = html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<link rel="icon" href="${page.icon}" type="image/svg+xml">
${page.head}
`;
  // The path is relative to `/c/<token>`, so that the service also works below a path of its public URL.
  const loading = html`<script type="module" src="../checkout/${assets.version}/${script}"></script>`;
  const rest = html`
</head>
<body>
${page.body}
</body>
</html>
`;
  const sheets = [assets.sheet, page.theme];
  const styles = sheets.map(({ css }) => `<style>${css}</style>`).join("");
  const awaiting = script === "main.js" ? `<script>${AWAIT_SCRIPT.css}</script>` : "";
  const own = script === undefined ? "" : `${awaiting}${loading}`;
  return {
    markup: `${head}${own}${styles}${rest}`,
    contentSecurityPolicy: policyOf(sheets, { hasScript: script !== undefined, frameAncestors }),
  };
}

/**
 * Images come from us or, as the tab's icon, from the page itself. Forms go to us alone, and no other site is
 * contacted.
 */
function policyOf(
  sheets: readonly Sheet[],
  { hasScript, frameAncestors }: { hasScript: boolean; frameAncestors: readonly string[] },
): string {
  return [
    "default-src 'none'",
    ["script-src", ...(hasScript ? ["'self'", `'${AWAIT_SCRIPT.cspHash}'`] : ["'none'"])].join(" "),
    ["style-src", ...sheets.map(({ cspHash }) => `'${cspHash}'`)].join(" "),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    ["frame-ancestors", ...(frameAncestors.length === 0 ? ["'none'"] : frameAncestors)].join(" "),
  ].join("; ");
}

/** The tab's icon, drawn for 16 pixels: a coin with a check. It is inline, so it costs no request. */
export function iconOf(dot = ""): string {
  const svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><circle cx='16' cy='16' r='15' fill='#0f766e'/>" +
    "<path d='m9.5 16.5 4.5 4.5 8.5-9.5' fill='none' stroke='#fff' stroke-width='3.2' stroke-linecap='round' stroke-linejoin='round'/>" +
    `${dot}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>#]/g, encodeURIComponent)}`;
}
