import { assets as coins } from "@daric/domain/asset";
import type { Branding } from "@daric/domain/checkout";
import { MAX_EMAIL_CHARS } from "@daric/domain/email";
import { type Amount, formatAmount } from "@daric/domain/money";
import { MAX_PAYER_TEXT } from "@daric/domain/payment-link";
import type { Language } from "@daric/hosted-checkout/messages/languages";
import { mailUrl, shopLink } from "@daric/hosted-checkout/page/contact";
import { documentOf, iconOf } from "@daric/hosted-checkout/page/document";
import { isolated, languageLinks, paragraphs } from "@daric/hosted-checkout/page/elements";
import { type Frame, frameMeta } from "@daric/hosted-checkout/page/frame";
import { type Operator, operatorPart } from "@daric/hosted-checkout/page/operator";
import { ribbon } from "@daric/hosted-checkout/page/page";
import type { Assets, WebPage } from "@daric/hosted-checkout/page/response";
import { merchantPart } from "@daric/hosted-checkout/page/summary";
import { themeOf } from "@daric/hosted-checkout/page/theme";
import type { NetworkLabel } from "@daric/hosted-checkout/page/view";
import { type Html, html } from "@daric/runtime/html";
import type { PaymentLink } from "../payment-link.ts";
import { type ClickFault, faultText } from "./fault-text.ts";

/** Why the page takes no click now. */
export type Closed = "closed" | "soldOut" | "busy";

/** The texts in the form: the payer's, or those of the page's address. */
export type Typed = {
  readonly amount: string;
  /** the chosen one of the suggested amounts */
  readonly suggested: string;
  readonly name: string;
  readonly note: string;
  readonly email: string;
};

export type LinkPageInput = {
  readonly link: PaymentLink;
  readonly merchant: Branding;
  readonly closed: Closed | undefined;
  readonly fault?: ClickFault | undefined;
  readonly typed: Typed;
  /** names the click: the same page makes one order */
  readonly attempt: string;
  readonly network: NetworkLabel;
  readonly language: Language;
  readonly languages: readonly Language[];
  /** the address of the page in another language */
  readonly addressIn: (tag: string) => string;
  /** on a deployment of several merchants */
  readonly operator: Operator | undefined;
  /** the frame of another page that shows this one; its script tells that page of Escape */
  readonly frame: Frame | undefined;
};

/** Without a referrer a browser names no origin when the form is sent, and the click would count as another site's. */
const HEADERS = { "referrer-policy": "same-origin" };

/** The public page of a payment link, which works without scripts. Texts of the merchant are text: no markup, no links. */
export function linkPage(input: LinkPageInput, assets: Assets): WebPage {
  const { link, merchant, language } = input;
  const document = documentOf({
    language,
    title: `${link.title} · ${merchant.name}`,
    icon: iconOf(),
    theme: themeOf(merchant.accentColor),
    assets: { ...assets, sheet: assets.linkSheet },
    script: input.frame?.origin === undefined ? undefined : "frame.js",
    frameAncestors: merchant.embedOrigins,
    head: html`${frameMeta({ frame: input.frame, orderRef: null })}<meta property="og:title" content="${link.title}"><meta property="og:site_name" content="${merchant.name}">`,
    body: bodyOf(input),
  });
  return { ...document, headers: HEADERS };
}

function bodyOf(input: LinkPageInput): Html {
  const { messages } = input.language;
  return html`${ribbon({ network: input.network, messages })}
<main class="checkout link">
${merchantPart({ record: { merchant: input.merchant }, isReceipt: false, messages })}
<div class="offer"><h2><bdi>${input.link.title}</bdi></h2>${paragraphs(input.link.description)}${pricePart(input)}</div>
${input.closed === undefined ? formPart(input) : closedPart(input, input.closed)}
</main>
<footer>${operatorPart(input)}<p>${messages.page.keepPhraseSecret}</p>${languageLinks(input, input.addressIn)}</footer>`;
}

/** An amount of the link with its currency. */
function priceText({ link, language }: LinkPageInput, amount: Amount): string {
  return language.figures.money(formatAmount(amount), link.pricingCurrency ?? link.currency);
}

function pricePart(input: LinkPageInput): Html | null {
  const { link, language } = input;
  const { paidIn } = language.messages.paymentLink;
  const rate =
    link.pricingCurrency !== null &&
    html`<p class="hint">${isolated(input, paidIn({ currency: link.currency }))}</p>`;
  if (link.amount === null) return rate || null;
  return html`<div class="price-box"><p class="amount small"><bdi>${priceText(input, link.amount)}</bdi></p></div>${rate}`;
}

/** The click. It posts to the page's own address, which keeps the reference and the language. */
function formPart(input: LinkPageInput): Html {
  const { link, fault, attempt, language } = input;
  const texts = language.messages.paymentLink;
  const said =
    fault && html`<p class="fault" id="fault" role="alert">${isolated(input, faultText(input, fault))}</p>`;
  return html`<form class="order" method="post">${said}<input type="hidden" name="attempt" value="${attempt}">${link.amount === null && amountPart(input)}${nameField(input)}${emailField(input)}${noteField(input)}<button class="button" type="submit"><span>${texts.continue}</span></button><p class="hint"><bdi>${link.currency} · ${coins[link.currency].networkLabel}</bdi><br>${texts.next}</p></form>`;
}

function amountPart(input: LinkPageInput): Html {
  const { link, typed, language } = input;
  const { otherAmount, amount, suggested } = language.messages.paymentLink;
  const currency = link.pricingCurrency ?? link.currency;
  const choices = link.suggestedAmounts.map((value, n) => {
    const text = formatAmount(value);
    const isChosen = typed.suggested === "" ? n === 0 && typed.amount === "" : typed.suggested === text;
    return html`<label><input type="radio" name="suggested" value="${text}"${isChosen && html` checked`}><span><bdi>${priceText(input, value)}</bdi></span></label>`;
  });
  const hasChoices = choices.length > 0;
  const label = (hasChoices ? otherAmount : amount)({ currency });
  const bounds = boundsText(input);
  const hint = bounds && html`<p class="hint" id="bounds">${isolated(input, bounds)}</p>`;
  const field = html`<div><label class="label" for="amount">${isolated(input, label)}</label><input id="amount" name="amount" type="text" inputmode="decimal" dir="ltr" maxlength="40" autocomplete="off" value="${typed.amount}"${described("amount", input, bounds !== null && "bounds")}>${hint}</div>`;
  if (!hasChoices) return field;
  return html`<fieldset><legend class="label">${suggested}</legend><div class="choices">${choices}</div></fieldset>${field}`;
}

function boundsText(input: LinkPageInput): string | null {
  const { minAmount, maxAmount } = input.link;
  const { between, from, upTo } = input.language.messages.paymentLink;
  const min = minAmount && priceText(input, minAmount);
  const max = maxAmount && priceText(input, maxAmount);
  if (min && max) return between({ min, max });
  if (min) return from({ min });
  return max ? upTo({ max }) : null;
}

function nameField(input: LinkPageInput): Html | null {
  const { link, typed, language } = input;
  if (!link.ask.includes("name")) return null;
  return html`<div><label class="label" for="name">${language.messages.paymentLink.name}</label><input id="name" name="name" type="text" required maxlength="${MAX_PAYER_TEXT}" autocomplete="name" value="${typed.name}"${described("name", input)}></div>`;
}

function emailField(input: LinkPageInput): Html | null {
  const { link, merchant, typed, language } = input;
  if (!link.ask.includes("email")) return null;
  const { label, hint } = language.messages.email;
  const why = hint({ shop: merchant.name });
  return html`<div><label class="label" for="email">${label}</label><input id="email" name="email" type="email" dir="ltr" required maxlength="${MAX_EMAIL_CHARS}" autocomplete="email" value="${typed.email}"${described("email", input, "why")}><p class="hint" id="why">${isolated(input, why)}</p></div>`;
}

function noteField({ link, merchant, typed, language }: LinkPageInput): Html | null {
  if (!link.ask.includes("note")) return null;
  const label = language.messages.paymentLink.note({ shop: merchant.name });
  return html`<div><label class="label" for="note">${label}</label><textarea id="note" name="note" rows="2" maxlength="${MAX_PAYER_TEXT}">${typed.note}</textarea></div>`;
}

/** The attributes of a field with a fault or a hint. */
function described(
  field: ClickFault["field"],
  { fault }: LinkPageInput,
  hint: string | false = false,
): Html | null {
  const isFaulty = fault?.field === field;
  const ids = [isFaulty && "fault", hint].filter((id) => id !== false);
  if (ids.length === 0) return null;
  return html` aria-describedby="${ids.join(" ")}"${isFaulty && html` aria-invalid="true"`}`;
}

function closedPart(input: LinkPageInput, closed: Closed): Html {
  const { title, text } = input.language.messages.paymentLink[closed];
  return html`<div class="ended" role="status"><h2>${title}</h2><p>${text}</p>${contactPart(input)}</div>`;
}

/** The shop's contact, where its page takes no order. */
function contactPart({ link, merchant, language }: LinkPageInput): Html | null {
  const text = language.messages.contact.link.help({ shop: merchant.name });
  const mail = merchant.supportEmail === null ? null : mailUrl(merchant.supportEmail, link.title);
  return shopLink(text, { mail, page: merchant.supportUrl });
}
