import type { CheckoutDeposit } from "../../domain/checkout.ts";
import type { Messages } from "../messages/catalogue.ts";
import { copyButton } from "./copy-button.ts";
import { type Html, html } from "./html.ts";
import { qrCode } from "./qr.ts";
import { money, type PageView, subjectOf } from "./view.ts";

const ADDRESS_GROUP = /.{1,4}/g;

/** Where to send: the address as a QR code and in full, and what would go wrong. Nothing once there is nothing to pay. */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency } = view.charge;
  const { payment } = view.messages;
  const coin = html`<strong>${payment.coinOf[currency]}</strong>`;
  return html`<div class="payment"><div class="qr">${qrCode(address, payment.qrCode)}</div>
<div class="where"><h3 class="label" id="address-label">${payment.toAddress}</h3>
<p class="address" aria-labelledby="address-label" translate="no">${groups(address)}</p>
${copyButton({ id: "copy-address", text: address, label: payment.copyAddress, tone: "strong" })}</div>
<ul class="advice"><li>${payment.sendOnly[subjectOf(view.charge)]({ coin })}</li>${exchangeAdvice(view)}</ul></div>`;
}

/** Groups of four, to be compared by eye; copied, they are one word. */
function groups(address: string): Html[] {
  return (address.match(ADDRESS_GROUP) ?? []).map((group) => html`<span>${group}</span>`);
}

function exchangeAdvice({ toSend, charge, messages }: PageView): Html | null {
  if (toSend === null) return null;
  const amount = html`<strong>${money(toSend, charge.currency)}</strong>`;
  return html`<li>${messages.payment.fromExchange({ amount })}</li>`;
}

/** Each payment with its transaction. */
export function depositsPart({ record, charge, network, messages }: PageView): Html | null {
  if (record.deposits.length === 0) return null;
  const words = messages.deposits;
  const rows = record.deposits.map(
    (deposit) =>
      html`<li><span class="deposit-amount">${money(deposit.amount, charge.currency)}</span><span class="deposit-status">${words[depositWord(deposit)]}</span>${transaction(deposit.txId, network.transactionUrl(deposit.txId), words)}</li>`,
  );
  return html`<section class="deposits" aria-labelledby="deposits-title"><h3 class="label" id="deposits-title">${words.title(rows.length)}</h3><ul>${rows}</ul></section>`;
}

function depositWord({ status, late }: CheckoutDeposit) {
  if (status === "CONFIRMED") return late ? "confirmedLate" : "confirmed";
  return status === "FAILED" ? "failed" : "confirming";
}

function transaction(txId: string, url: string | null, words: Messages["deposits"]): Html {
  const short = `${txId.slice(0, 8)}…${txId.slice(-8)}`;
  if (url === null) return html`<code class="transaction" title="${txId}">${short}</code>`;
  return html`<a class="transaction" href="${url}" target="_blank" rel="noopener noreferrer" aria-label="${words.transaction({ id: short })}"><code>${short}</code> ↗</a>`;
}
