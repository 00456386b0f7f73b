import { ApiError } from "../../domain/errors.ts";
import { zero } from "../../domain/money.ts";
import { type Html, html } from "../../runtime/html.ts";
import type { Messages } from "../messages/catalogue.ts";
import type { Language } from "../messages/languages.ts";
import { depositsPart, paperFacts, testMark } from "./deposits.ts";
import { exitPart, withoutScripts } from "./exit.ts";
import { lookupPart } from "./lookup.ts";
import { paymentPart } from "./payment.ts";
import type { Assets, WebPage } from "./response.ts";
import { statusPart, statusTitle } from "./status.ts";
import { factsPart, figurePart, merchantPart } from "./summary.ts";
import { type Sheet, themeOf } from "./theme.ts";
import { type PageInput, type PageView, pageView, seenText } from "./view.ts";

/**
 * Makes browsers wait for the end of the page before they draw: a half page would move when the rest arrives.
 */
const WHOLE = html`<link rel="expect" href="#announcement" blocking="render">`;

/**
 * The hosted checkout page of one charge, complete without scripts. The page's script replaces a region
 * (`data-region`) when the server renders it differently.
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

/** The page of a problem. It reloads after `retryAfterSeconds`. */
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

/**
 * The parts in the order on a phone, except the status, which is above the amount there. A desktop shows two columns.
 */
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

/** The texts of the scripts, as JSON; the scripts fill in the numbers. */
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

/** Paths are relative to `/c/<token>`, so that the service also works below a path of its public URL. */
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

/**
 * Images come from us or, as the tab's icon, from the page itself. Forms go to us alone, and no other site is
 * contacted.
 */
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

const RETRY_SECONDS = 10;

/** The payer's text in place of a checkout, and the time to reload. */
type Problem = {
  readonly status: number;
  readonly reason: keyof Messages["problems"];
  readonly retryAfterSeconds: number | undefined;
};

/** The problem page for an error. It never shows the inner fault. */
export function problemOf(error: unknown): Problem {
  const refusal = error instanceof ApiError ? error : undefined;
  if (refusal?.code === "NOT_FOUND") {
    return { status: 404, reason: "notFound", retryAfterSeconds: undefined };
  }
  if (refusal?.code === "RATE_LIMITED") {
    return {
      status: 429,
      reason: "tooOften",
      retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_SECONDS,
    };
  }
  if (refusal?.code === "RATE_UNAVAILABLE") {
    return {
      status: refusal.status,
      reason: "noRate",
      retryAfterSeconds: refusal.retryAfterSeconds ?? RETRY_SECONDS,
    };
  }
  return {
    status: refusal?.status ?? 500,
    reason: "unavailable",
    retryAfterSeconds: refusal?.retryAfterSeconds ?? RETRY_SECONDS,
  };
}

/**
 * Links to the other languages, each in its own words; nothing with only one. The address keeps the choice.
 */
function languageLinks({ language, languages }: Pick<PageView, "language" | "languages">): Html | null {
  const others = languages.filter(({ tag }) => tag !== language.tag);
  if (others.length === 0) return null;
  const links = others.map(
    ({ tag, name }) => html`<li><a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  );
  return html`<nav class="languages" aria-label="${language.messages.page.otherLanguages}"><ul>${links}</ul></nav>`;
}

/** In the order of a demo; `late` is refused with the reason until the order has expired. */
const CASES = ["exact", "under", "over", "twice", "wrong_coin", "late"] as const;

/**
 * On a devnet: buttons that make the chain pay this address, like the API's simulate. The page's script shows
 * them. Nothing on any other network.
 */
export function panelPart({ network, charge, messages }: PageView): Html | null {
  if (network.testNetwork !== "devnet") return null;
  const { title, text, cases, sent, failed } = messages.panel;
  const buttons = CASES.map(
    (name) => html`<button type="button" data-case="${name}">${cases[name]}</button>`,
  );
  return html`<section class="panel" aria-labelledby="panel-title" data-simulate="../v1/checkout/${charge.checkoutToken}/simulate" data-sent="${sent}" data-failed="${failed}" hidden><h2 id="panel-title">${title}</h2><p>${text}</p><div class="cases">${buttons}</div><p class="answer" role="status" data-answer></p></section>`;
}

const GREEN = "#16a34a";
const AMBER = "#d97706";

/**
 * The tab's icon, drawn for 16 pixels: a coin with a check. A found payment adds a dot, amber, then green
 * once paid, for a payer in the wallet. It is inline, so it costs no request.
 */
function iconOf(view?: PageView): string {
  const dot = view === undefined || view.received === zero ? "" : dotOf(view.isReceipt);
  const svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><circle cx='16' cy='16' r='15' fill='#0f766e'/>" +
    "<path d='m9.5 16.5 4.5 4.5 8.5-9.5' fill='none' stroke='#fff' stroke-width='3.2' stroke-linecap='round' stroke-linejoin='round'/>" +
    `${dot}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>#]/g, encodeURIComponent)}`;
}

function dotOf(isPaid: boolean): string {
  return `<circle cx='25' cy='7' r='6.5' fill='${isPaid ? GREEN : AMBER}' stroke='#fff' stroke-width='1.5'/>`;
}
