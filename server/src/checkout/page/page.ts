import type { Messages } from "../messages/catalogue.ts";
import type { Language } from "../messages/languages.ts";
import type { Assets } from "./assets.ts";
import { depositsPart } from "./deposits.ts";
import { exitPart, withoutScripts } from "./exit.ts";
import { factsPart } from "./facts.ts";
import { type Html, html } from "./html.ts";
import { iconOf } from "./icon.ts";
import { languageLinks } from "./language-links.ts";
import { lookupPart } from "./lookup.ts";
import { panelPart } from "./panel.ts";
import { paperFacts, testMark } from "./paper.ts";
import { paymentPart } from "./payment.ts";
import type { Problem } from "./problem.ts";
import type { Sheet } from "./sheet.ts";
import { statusPart, statusTitle } from "./status.ts";
import { figurePart, merchantPart } from "./summary.ts";
import { themeOf } from "./theme.ts";
import { type PageInput, type PageView, pageView, seenText } from "./view.ts";

/** A whole document and the content security policy that fits it. */
export type WebPage = { readonly markup: string; readonly contentSecurityPolicy: string };

/** A browser that knows it waits for this end of the page before it draws: half of one would move when the rest of it comes. */
const WHOLE = html`<link rel="expect" href="#announcement" blocking="render">`;

/**
 * The hosted checkout page of one charge, complete without scripts. Regions (`data-region`) are what the page's own
 * script replaces when the server writes them differently.
 */
export function checkoutPage(input: PageInput, assets: Assets): WebPage {
  const view = pageView(input);
  const theme = themeOf(view.record.merchant.accentColor);
  const markup = documentOf({
    language: view.language,
    title: statusTitle(view),
    icon: iconOf(view),
    theme,
    assets,
    head: html`${WHOLE}${withoutScripts(view)}`,
    body: body(view),
  });
  return { markup, contentSecurityPolicy: policy([assets.sheet, theme]) };
}

/** A page that says why there is no checkout to show. Looks again by itself after `retryAfterSeconds`. */
export function problemPage(problem: Problem, assets: Assets, language: Language): WebPage {
  const { title, text, more } = language.messages.problems[problem.reason];
  const theme = themeOf("");
  const head = problem.retryAfterSeconds
    ? html`<meta http-equiv="refresh" content="${problem.retryAfterSeconds}">`
    : null;
  const markup = documentOf({
    language,
    title,
    icon: iconOf(),
    theme,
    assets,
    head,
    body: html`<main class="problem"><svg class="problem-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 15.5 15.5 9M7 12l-2 2a3.5 3.5 0 0 0 5 5l1-1m2-10 1-1a3.5 3.5 0 0 1 5 5l-2 2"/></svg><h1>${title}</h1><p>${text}</p>${more && html`<p>${more}</p>`}</main>`,
  });
  return { markup, contentSecurityPolicy: policy([assets.sheet, theme]) };
}

/** In the order in which a phone shows it, but for the status, which stands above the amount there; on a desk it is two columns. */
function body(view: PageView): Html {
  const { charge, record, projection, version, pace, messages } = view;
  return html`${testRibbon(view)}
<main class="checkout" data-projection="../v1/checkout/${charge.checkoutToken}" data-version="${version}" data-seen="${seenText(projection)}" data-state="${projection.state}" data-pace="${pace}" data-now="${record.now.getTime()}" data-words="${scriptTexts(messages)}">
<div class="summary">
<div data-region="merchant">${merchantPart(view)}</div>
<div data-region="figure">${figurePart(view)}</div>
<div data-region="facts">${factsPart(view)}</div>
</div>
<div class="pay">
<div data-region="status">${statusPart(view)}</div>
<div data-region="payment">${paymentPart(view)}</div>
<div data-region="deposits">${depositsPart(view)}${paperFacts(view)}</div>
<div data-region="lookup">${lookupPart(view)}</div>
<div data-region="exit">${exitPart(view)}</div>
</div>
</main>
${panelPart(view)}
<footer><p>${messages.page.keepPhraseSecret}</p>${languageLinks(view)}</footer>
<p class="visually-hidden" id="announcement" role="status"></p>
<p class="connection" id="connection" role="status" hidden>${messages.page.connectionLost}</p>`;
}

/** What the scripts say, as JSON; they put the numbers where the braces are. */
function scriptTexts({ scripts }: Messages): string {
  const daysAndHours = scripts.daysAndHours({ days: "{days}", hours: "{hours}" });
  return JSON.stringify({ ...scripts, daysAndHours });
}

function testRibbon(view: PageView): Html | null {
  const { testNetwork } = view.network;
  const { page, testNetworks } = view.messages;
  if (testNetwork === null) return null;
  return html`${testMark(view)}<header class="ribbon"><strong>${page.test} · ${testNetworks[testNetwork]}.</strong> ${page.noCoinValue}</header>`;
}

/** Paths are relative to `/c/<token>`, so that the service also works below a path of its public address. */
function documentOf(page: {
  language: Language;
  title: string;
  icon: string;
  theme: Sheet;
  assets: Assets;
  head: Html | null;
  body: Html;
}): string {
  const head = html`<!doctype html>
<html lang="${page.language.tag}" dir="${page.language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<link rel="icon" href="${page.icon}" type="image/svg+xml">
${page.head}
<script type="module" src="../checkout/${page.assets.version}/main.js"></script>`;
  const rest = html`
</head>
<body>
${page.body}
</body>
</html>
`;
  const sheets = [page.assets.sheet, page.theme].map(({ css }) => `<style>${css}</style>`);
  return `${head}${sheets.join("")}${rest}`;
}

/** Images are ours or, as the icon of the tab is, in the page itself; a form goes to us alone, and no other site is asked for anything. */
function policy(sheets: readonly Sheet[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src", ...sheets.map(({ cspHash }) => `'${cspHash}'`)].join(" "),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
