import { zero } from "@daric/domain/money";
import { amountRequested } from "@daric/domain/order";
import { isUrl } from "@daric/domain/url";
import { type Html, html } from "@daric/runtime/html";
import type { Messages } from "../messages/en.ts";
import { moneyText, type PageView } from "./view.ts";

/** The most transactions in a message: the newest. */
const MAX_NAMED = 3;
/** No text of a payer or a shop may begin a line or a header. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const UNPAIRED = /\p{Cs}/gu;

/**
 * A link to the shop: a message to its support address that names the payment, else its support page, else
 * the payer's shop. Null if all are unknown.
 */
export function contactLink(view: PageView, reason: keyof Messages["contact"]["link"]): Html | null {
  const { merchant } = view.record;
  const text = view.messages.contact.link[reason]({ shop: merchant.name });
  const mail = merchant.supportEmail === null ? null : mailOf(merchant.supportEmail, view);
  return shopLink(text, { mail, page: contactText(view) });
}

/** A link to the shop's `mail`, a `mailto:` URL, else to its `page`. Null without both. */
export function shopLink(
  text: string,
  { mail, page }: { readonly mail: string | null; readonly page: string | null },
): Html | null {
  if (mail !== null) return html`<a class="contact" href="${mail}">${text}</a>`;
  if (page === null) return null;
  return html`<a class="contact" href="${page}" target="_blank" rel="noopener noreferrer">${text}</a>`;
}

/** The shop's contact as text. */
export function contactText({ record: { merchant }, charge }: PageView): string | null {
  return merchant.supportEmail ?? merchant.supportUrl ?? originOf(charge.successUrl);
}

/** A `mailto:` URL. RFC 6068: each part is percent-encoded, so that no text in it becomes a field of its own. */
export function mailUrl(address: string, subject: string): string {
  const [local = "", domain = ""] = address.split("@");
  const to = `${encodeURIComponent(local)}@${encodeURIComponent(domain)}`;
  return `mailto:${to}?subject=${encodeURIComponent(oneLine(subject))}`;
}

function mailOf(address: string, view: PageView): string {
  const { charge, record, messages } = view;
  const { mail } = messages.contact;
  const subject =
    charge.orderRef === null
      ? mail.payment({ shop: record.merchant.name })
      : mail.order({ order: charge.orderRef });
  const body = bodyLines(view).map(oneLine).join("\r\n");
  return `${mailUrl(address, subject)}&body=${encodeURIComponent(`${body}\r\n\r\n`)}`;
}

function bodyLines(view: PageView): string[] {
  const { charge, record, pageUrl } = view;
  const { mail } = view.messages.contact;
  return [
    pageUrl === null ? mail.address({ address: charge.address }) : mail.page({ page: pageUrl }),
    ...record.deposits.slice(0, MAX_NAMED).map(({ txId }) => mail.transaction({ id: txId })),
    ...amounts(view),
  ];
}

function amounts(view: PageView): string[] {
  const { charge } = view;
  const { mail } = view.messages.contact;
  const sum = view.received;
  const due = amountRequested(charge.terms.due);
  const received = moneyText(view, sum);
  if (due !== null) return [mail.receivedOf({ received, due: moneyText(view, due) })];
  return sum > zero ? [mail.received({ received })] : [];
}

function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, " ").replace(UNPAIRED, "\ufffd");
}

/** The origin of the shop's return URL. */
function originOf(url: string | null): string | null {
  if (url === null || !isUrl(url)) return null;
  const { protocol, origin } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? origin : null;
}
