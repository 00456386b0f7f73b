import { assets as coins } from "@daric/domain/asset";
import { formatAmount } from "@daric/domain/money";
import { type Html, html } from "@daric/runtime/html";
import { mailUrl, shopLink } from "../page/contact.ts";
import { documentOf, iconOf } from "../page/document.ts";
import { addressInGroups, factRow, isolated, languageLinks } from "../page/elements.ts";
import { operatorPart } from "../page/operator.ts";
import { ribbon } from "../page/page.ts";
import type { Assets, WebPage } from "../page/response.ts";
import { merchantPart } from "../page/summary.ts";
import { themeOf } from "../page/theme.ts";
import { statePart } from "./claim-state.ts";
import type { AddressToConfirm, ClaimFault, ClaimPageInput } from "./page-input.ts";

/** Without a referrer a browser names no origin when the form is sent, and the payer's address would count as another site's. */
const HEADERS = { "referrer-policy": "same-origin" };

/** The page of a refund's claim link. It works without scripts, and only its buttons act: preview robots open links. */
export function claimPage(input: ClaimPageInput, assets: Assets): WebPage {
  const { claim, language } = input;
  const { name, accentColor } = claim.merchant;
  const document = documentOf({
    language,
    title: language.messages.claim.title({ shop: name }),
    icon: iconOf(),
    theme: themeOf(accentColor),
    assets: { ...assets, sheet: assets.linkSheet },
    head: null,
    body: bodyOf(input),
  });
  return { ...document, headers: HEADERS };
}

function bodyOf(input: ClaimPageInput): Html {
  const { claim, language } = input;
  const { messages } = language;
  const { merchant } = claim;
  return html`${ribbon({ network: input.network, messages })}
<main class="checkout link claim">
${merchantPart({ record: { merchant }, isReceipt: false, messages })}
${claim.closed !== "replaced" && refundPart(input)}
${claim.closed === undefined ? formPart(input) : statePart(input)}
${claim.closed !== undefined && claim.closed !== "taken" && contactPart(input)}
</main>
<footer>${operatorPart({ ...input, merchant })}<p>${messages.page.keepPhraseSecret}</p>${languageLinks(input, (tag) => `?lang=${tag}`)}</footer>`;
}

/** The amount that goes back, and its order. */
function refundPart({ claim: { refund, closed }, language }: ClaimPageInput): Html {
  const { claim, summary } = language.messages;
  const label = closed === "canceled" ? summary.amount : claim.amount;
  const amount = language.figures.money(formatAmount(refund.units), refund.currency);
  const order =
    refund.orderRef !== null &&
    html`<dl class="facts">${factRow(summary.order, html`<bdi>${refund.orderRef}</bdi>`)}</dl>`;
  return html`<div class="offer"><p class="label">${label}</p><div class="price-box"><p class="amount small"><bdi>${amount}</bdi></p></div><p class="hint"><bdi>${refund.currency} · ${coins[refund.currency].networkLabel}</bdi></p>${order}</div>`;
}

function formPart(input: ClaimPageInput): Html {
  const { checked, fault, claim } = input;
  if (checked !== undefined) return confirmPart(input, checked);
  const sender = fault === undefined ? claim.refund.defaultAddress : null;
  return sender === null ? askPart(input, headingOf(input)) : senderPart(input, sender);
}

function headingOf({ claim, language }: ClaimPageInput): Html {
  const { where } = language.messages.claim;
  return html`<h2>${isolated({ language }, where({ shop: claim.merchant.name }))}</h2>`;
}

/** A large surplus goes back to the address that sent it, if the payer does not ask for another. */
function senderPart(input: ClaimPageInput, address: string): Html {
  const { claim, language } = input;
  const { sender, check } = language.messages.claim;
  const shop = claim.merchant.name;
  return html`<form class="order" method="post">${headingOf(input)}<p>${isolated(input, sender.text({ shop }))}</p>${addressInGroups(address)}<input type="hidden" name="address" value="${address}"><button class="button" type="submit"><span>${sender.button}</span></button></form>
<details><summary>${check.other}</summary>${askPart(input, html`<p>${isolated(input, sender.other({ shop }))}</p>`)}</details>`;
}

/** The form for an address, below its heading. */
function askPart(input: ClaimPageInput, heading: Html): Html {
  const { claim, language, fault, typed } = input;
  const texts = language.messages.claim;
  const { currency } = claim.refund;
  const said =
    fault && html`<p class="fault" id="fault" role="alert">${isolated(input, faultText(input, fault))}</p>`;
  const describedBy = [...(fault ? ["fault"] : []), "hint"].join(" ");
  return html`<form class="order" method="post">${heading}${said}<div><label class="label" for="address">${texts.label}</label><input id="address" name="address" type="text" dir="ltr" required maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false" value="${typed}" aria-describedby="${describedBy}" aria-invalid="${fault ? "true" : "false"}"><p class="hint" id="hint">${isolated(input, texts.hint)}</p></div><p class="note">${isolated(input, texts.exchange({ coin: currency }))}</p><button class="button" type="submit"><span>${texts.next}</span></button></form>`;
}

/** The second step: the address to compare, with what is known of it. */
function confirmPart(input: ClaimPageInput, { address, hasPaidOrder, isNew }: AddressToConfirm): Html {
  const { claim, language } = input;
  const { check } = language.messages.claim;
  const { defaultAddress } = claim.refund;
  const shop = claim.merchant.name;
  const isOther = defaultAddress !== null && defaultAddress !== address;
  const notes = [
    check.compare,
    !hasPaidOrder && check.notPaidOrder,
    isNew && check.isNew,
    isOther && check.needsShop({ shop }),
    check.once,
  ].filter((note) => note !== false);
  return html`<form class="order" method="post"><h2>${check.title}</h2>${addressInGroups(address)}${hasPaidOrder && html`<p class="note">${isolated(input, check.paidOrder)}</p>`}<ul class="notes">${notes.map((note) => html`<li>${isolated(input, note)}</li>`)}</ul><input type="hidden" name="address" value="${address}"><input type="hidden" name="confirmed" value="yes"><button class="button" type="submit"><span>${check.button}</span></button><a class="other" href="?lang=${language.tag}">${check.other}</a></form>`;
}

function faultText({ language }: ClaimPageInput, fault: ClaimFault): string {
  const { faults } = language.messages.claim;
  switch (fault.is) {
    case "otherChain":
      return faults.otherChain(fault);
    case "blacklisted":
      return faults.blacklisted(fault);
    default:
      return faults[fault.is];
  }
}

/** The shop's contact, where the payer can do no more on the page. */
function contactPart({ claim: { merchant, refund, closed }, language }: ClaimPageInput): Html | null {
  const { contact } = language.messages;
  const shop = merchant.name;
  const subject =
    refund.orderRef === null || closed === "replaced"
      ? contact.mail.payment({ shop })
      : contact.mail.order({ order: refund.orderRef });
  const mail = merchant.supportEmail === null ? null : mailUrl(merchant.supportEmail, subject);
  const link = shopLink(contact.link.help({ shop }), { mail, page: merchant.supportUrl });
  return link && html`<p>${link}</p>`;
}
