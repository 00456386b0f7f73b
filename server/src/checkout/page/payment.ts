import { copyButton } from "./copy-button.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { isolated } from "./isolated.ts";
import { qrCode } from "./qr.ts";
import { moneyText, type PageView } from "./view.ts";
import { walletButton } from "./wallet.ts";

const ADDRESS_GROUP = /.{1,4}/g;

/**
 * Where to send: the address in full and what would go wrong, then the QR code, which is for another device than the one that
 * shows it; the style sheet puts it first where the page is on a desk. Nothing once there is nothing to pay.
 */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency } = view.charge;
  const { payment } = view.messages;
  const coin = html`<strong>${isolated(view, payment.coinOf[currency])}</strong>`;
  return html`<div class="payment"><div class="where" role="group" aria-labelledby="address-label"><h3 class="label" id="address-label">${payment.toAddress}</h3>
<p class="address" dir="ltr" translate="no">${groups(address)}</p>
${copyButton({ id: "copy-address", text: address, label: payment.copyAddress, tone: view.hasLapsed ? "quiet" : "strong" })}${walletButton(view)}</div>
<ul class="advice"><li><span>${payment.sendOnly({ coin })}</span> <span>${isolated(view, payment.otherNetworks[currency])}</span></li>${exchangeAdvice(view)}</ul>
<details class="qr-box" id="qr"><summary>${payment.showQrCode}</summary><div class="qr">${qrCode(address, payment.qrCode)}</div></details></div>`;
}

/** Groups of four, to be compared by eye; copied, they are one word. */
function groups(address: string): Html[] {
  return (address.match(ADDRESS_GROUP) ?? []).map((group) => html`<span>${group}</span>`);
}

function exchangeAdvice(view: PageView): Html | null {
  const { toSend, charge, messages } = view;
  if (toSend === null || view.hasLapsed) return null;
  const amount = html`<strong>${isolated(view, moneyText(view, toSend))}</strong>`;
  const { fromExchange, exchangeAmount } = messages.payment;
  return html`<li><span>${fromExchange}</span> <span>${isolated(view, exchangeAmount[charge.currency]<HtmlValue>({ amount }))}</span></li>`;
}
