import type { CheckoutDeposit } from "../store.ts";
import { copyButton } from "./copy-button.ts";
import { type Html, html } from "./html.ts";
import { currencyOnNetwork } from "./network-label.ts";
import { qrCode } from "./qr.ts";
import { money, type PageView } from "./view.ts";

const ADDRESS_GROUP = /.{1,4}/g;

/** Where to send: the address as a QR code and in full, and what would go wrong. Nothing once there is nothing to pay. */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency, kind } = view.charge;
  return html`<div class="payment"><div class="qr">${qrCode(address, "QR code of the address below")}</div>
<div class="where"><h3 class="label" id="address-label">To this address</h3>
<p class="address" aria-labelledby="address-label" translate="no">${groups(address)}</p>
${copyButton({ id: "copy-address", text: address, what: "address", tone: "strong" })}</div>
<ul class="advice"><li>Send only <strong>${currencyOnNetwork(currency)}</strong>. Other coins and other networks do not reach this ${kind === "order" ? "order" : "address"}.</li>${exchangeAdvice(view)}</ul></div>`;
}

/** Groups of four, to be compared by eye; copied, they are one word. */
function groups(address: string): Html[] {
  return (address.match(ADDRESS_GROUP) ?? []).map((group) => html`<span>${group}</span>`);
}

function exchangeAdvice({ toSend, charge }: PageView): Html | null {
  if (toSend === null) return null;
  return html`<li>From an exchange? Its withdrawal fee comes on top: <strong>${money(toSend, charge.currency)}</strong> must arrive.</li>`;
}

/** Each payment with its transaction. */
export function depositsPart({ record, charge, network }: PageView): Html | null {
  if (record.deposits.length === 0) return null;
  const rows = record.deposits.map(
    (deposit) =>
      html`<li><span class="deposit-amount">${money(deposit.amount, charge.currency)}</span><span class="deposit-status">${depositWord(deposit)}</span>${transaction(deposit.txId, network.transactionUrl(deposit.txId))}</li>`,
  );
  return html`<section class="deposits" aria-labelledby="deposits-title"><h3 class="label" id="deposits-title">${rows.length === 1 ? "Your payment" : "Your payments"}</h3><ul>${rows}</ul></section>`;
}

function depositWord({ status, late }: CheckoutDeposit): string {
  if (status === "CONFIRMED") return late ? "Confirmed, late" : "Confirmed";
  return status === "FAILED" ? "Failed" : "Confirming";
}

function transaction(txId: string, url: string | null): Html {
  const short = `${txId.slice(0, 8)}…${txId.slice(-8)}`;
  if (url === null) return html`<code class="transaction" title="${txId}">${short}</code>`;
  return html`<a class="transaction" href="${url}" target="_blank" rel="noopener noreferrer" aria-label="Transaction ${short} at the explorer"><code>${short}</code> ↗</a>`;
}
