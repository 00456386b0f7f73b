import type { Messages } from "../messages/catalogue.ts";
import type { Language } from "../messages/languages.ts";
import type { Assets } from "./assets.ts";
import { exitPart, withoutScripts } from "./exit.ts";
import { type Html, html } from "./html.ts";
import { languageLinks } from "./language-links.ts";
import { depositsPart, paymentPart } from "./payment.ts";
import type { Problem } from "./problem.ts";
import { statusPart, statusTitle } from "./status.ts";
import { logoOrigin, summaryPart } from "./summary.ts";
import { type Theme, themeOf } from "./theme.ts";
import { type PageInput, type PageView, pageView, seenText } from "./view.ts";

/** A whole document and the content security policy that fits it. */
export type WebPage = { readonly markup: string; readonly contentSecurityPolicy: string };

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
    theme,
    assets,
    head: withoutScripts(view),
    body: body(view),
  });
  return { markup, contentSecurityPolicy: policy(theme, logoOrigin(view.record.merchant.logoUrl)) };
}

/** A page that says why there is no checkout to show. Looks again by itself after `retryAfterSeconds`. */
export function problemPage(problem: Problem, assets: Assets, language: Language): WebPage {
  const { title, text } = language.messages.problems[problem.reason];
  const theme = themeOf("");
  const head = problem.retryAfterSeconds
    ? html`<meta http-equiv="refresh" content="${problem.retryAfterSeconds}">`
    : null;
  const markup = documentOf({
    language,
    title,
    theme,
    assets,
    head,
    body: html`<main class="problem"><svg class="problem-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 15.5 15.5 9M7 12l-2 2a3.5 3.5 0 0 0 5 5l1-1m2-10 1-1a3.5 3.5 0 0 1 5 5l-2 2"/></svg><h1>${title}</h1><p>${text}</p></main>`,
  });
  return { markup, contentSecurityPolicy: policy(theme, null) };
}

function body(view: PageView): Html {
  const { charge, record, projection, pace, messages } = view;
  return html`${testRibbon(view)}
<main class="checkout" data-projection="../v1/checkout/${charge.checkoutToken}" data-seen="${seenText(projection)}" data-state="${projection.state}" data-pace="${pace}" data-now="${record.now.getTime()}" data-words="${scriptWords(messages)}">
<div class="summary" data-region="summary">${summaryPart(view)}</div>
<div class="pay">
<div data-region="status">${statusPart(view)}</div>
<div data-region="payment">${paymentPart(view)}</div>
<div data-region="deposits">${depositsPart(view)}</div>
<div data-region="exit">${exitPart(view)}</div>
</div>
</main>
<footer><p>${messages.page.keepPhraseSecret}</p>${languageLinks(view)}</footer>
<p class="visually-hidden" id="announcement" role="status"></p>
<p class="connection" id="connection" role="status" hidden>${messages.page.connectionLost}</p>`;
}

/** What the scripts say, as JSON; they put the numbers where the braces are. */
function scriptWords({ scripts }: Messages): string {
  const daysAndHours = scripts.daysAndHours({ days: "{days}", hours: "{hours}" });
  return JSON.stringify({ ...scripts, daysAndHours });
}

function testRibbon({ network: { testNetwork }, messages }: PageView): Html | null {
  if (testNetwork === null) return null;
  return html`<p class="ribbon"><strong>${messages.testNetworks[testNetwork]}</strong> ${messages.page.noCoinValue}</p>`;
}

/** Paths are relative to `/c/<token>`, so that the service also works below a path of its public address. */
function documentOf(page: {
  language: Language;
  title: string;
  theme: Theme;
  assets: Assets;
  head: Html | null;
  body: Html;
}): string {
  const base = `../checkout/${page.assets.version}`;
  const modules = [...page.assets.files.keys()].filter((name) => name.endsWith(".js") && name !== "main.js");
  return html`<!doctype html>
<html lang="${page.language.tag}" dir="${page.language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/checkout.css">
<style>${page.theme.css}</style>
${modules.map((name) => html`<link rel="modulepreload" href="${base}/${name}">`)}
<script type="module" src="${base}/main.js"></script>
${page.head}
</head>
<body>
${page.body}
</body>
</html>
`.toString();
}

function policy(theme: Theme, logo: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' '${theme.cspHash}'`,
    `img-src 'self'${logo === null ? "" : ` ${logo}`}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
