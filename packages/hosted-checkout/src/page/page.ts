import { zero } from "@daric/domain/money";
import { type Html, html } from "@daric/runtime/html";
import type { Messages } from "../messages/en.ts";
import { depositsPart, paperFacts, testMark } from "./deposits.ts";
import { documentOf, iconOf } from "./document.ts";
import { languageLinks } from "./elements.ts";
import { exitPart, withoutScripts } from "./exit.ts";
import { frameMeta, queryOf } from "./frame.ts";
import { lookupPart } from "./lookup.ts";
import { operatorPart } from "./operator.ts";
import { paymentPart } from "./payment.ts";
import { receiptPart } from "./receipt.ts";
import type { Assets, WebPage } from "./response.ts";
import { previewTitle, statusPart, statusTitle } from "./status.ts";
import { factsPart, figurePart, merchantPart } from "./summary.ts";
import { themeOf } from "./theme.ts";
import { type PageInput, type PageView, pageView, seenText } from "./view.ts";

/**
 * Makes browsers wait for the end of the page before they draw: a half page would move when the rest arrives.
 */
const WHOLE = html`<link rel="expect" href="#announcement" blocking="render">`;

/** Without a referrer a browser names no origin when a form is sent, and the payer's address would count as another site's. */
const NAMED_ORIGIN = { "referrer-policy": "same-origin" };

/**
 * The hosted checkout page of one charge, complete without scripts. The page's script replaces a region
 * (`data-region`) when the server renders it differently.
 */
export function checkoutPage(input: PageInput, assets: Assets): WebPage {
  const view = pageView(input);
  const theme = themeOf(view.record.merchant.accentColor);
  const page = documentOf({
    language: view.language,
    title: previewTitle(view),
    icon: iconOf(dotOf(view)),
    theme,
    assets,
    script: "main.js",
    frameAncestors: view.record.merchant.embedOrigins,
    head: html`${chatTitle(view)}${frameMeta({ ...view, orderRef: view.charge.orderRef })}${WHOLE}${withoutScripts(view)}`,
    body: body(view),
  });
  return view.receipt === undefined ? page : { ...page, headers: NAMED_ORIGIN };
}

/**
 * The parts in the order on a phone, except the status, which is above the amount there. A desktop shows two columns.
 */
function body(view: PageView): Html {
  const { charge, record, projection, version, pace, messages } = view;
  return html`${testRibbon(view)}
<main class="checkout" data-projection="../v1/checkout/${charge.checkoutToken}" data-version="${version}" data-seen="${seenText(projection)}" data-state="${projection.state}" data-pace="${pace}" data-now="${record.now.getTime()}" data-title="${statusTitle(view)}" data-words="${scriptTexts(messages)}">
<div class="summary">
<div data-region="merchant">${merchantPart(view)}</div>
<div data-region="figure">${figurePart(view)}</div>
<div data-region="facts">${factsPart(view)}</div>
</div>
<div class="pay">
<div data-region="status">${statusPart(view)}</div>
<div data-region="payment">${paymentPart(view)}</div>
<div data-region="deposits">${depositsPart(view)}${paperFacts(view)}</div>
<div data-region="receipt">${receiptPart(view)}</div>
<div data-region="lookup">${lookupPart(view)}</div>
<div data-region="exit">${exitPart(view)}</div>
</div>
</main>
${panelPart(view)}
<footer>${operatorPart({ ...view, ...view.record })}<p>${messages.page.keepPhraseSecret}</p>${languageLinks(view, (tag) => queryOf(tag, view.frame))}</footer>
<p class="visually-hidden" id="announcement" role="status"></p>
<p class="connection" id="connection" role="status" hidden>${messages.page.connectionLost}</p>`;
}

/** The page's name for chats that show and keep a preview of the link: no amount, which may change, and no reference. */
function chatTitle({ messages, record }: PageView): Html {
  return html`<meta property="og:title" content="${messages.page.paymentTo({ shop: record.merchant.name })}">`;
}

/** The texts of the scripts, as JSON; the scripts fill in the numbers. */
function scriptTexts({ scripts }: Messages): string {
  const daysAndHours = scripts.daysAndHours({ days: "{days}", hours: "{hours}" });
  return JSON.stringify({ ...scripts, daysAndHours });
}

function testRibbon(view: PageView): Html | null {
  const shown = ribbon(view);
  return shown && html`${testMark(view)}${shown}`;
}

/** On a test network: that coins have no value. */
export function ribbon({ network, messages }: Pick<PageView, "network" | "messages">): Html | null {
  const { testNetwork } = network;
  const { page, testNetworks } = messages;
  if (testNetwork === null) return null;
  return html`<header class="ribbon"><strong>${page.test} · ${testNetworks[testNetwork]}.</strong> ${page.noCoinValue}</header>`;
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

/** A found payment adds a dot to the tab's icon, amber, then green once paid, for a payer in the wallet. */
function dotOf({ received, isReceipt }: PageView): string {
  if (received === zero) return "";
  const colour = isReceipt ? GREEN : AMBER;
  return `<circle cx='25' cy='7' r='6.5' fill='${colour}' stroke='#fff' stroke-width='1.5'/>`;
}
