import { encode } from "uqr";
import { assets } from "../../domain/asset.ts";
import { type Html, type HtmlValue, html } from "../../runtime/html.ts";
import { copyButton, isolated } from "./elements.ts";
import { moneyText, type PageView } from "./view.ts";

const ADDRESS_GROUP = /.{1,4}/g;

/**
 * Where to send: the address in full and what would go wrong, then the QR code, which is for another device than the one that
 * shows it; the style sheet puts it first where the page is on a desk. Nothing once there is nothing to pay.
 */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency } = view.charge;
  const { payment } = view.messages;
  const coin = html`<strong>${isolated(view, payment.coinOf[assets[currency].kind]({ coin: currency }))}</strong>`;
  return html`<div class="payment"><div class="where" role="group" aria-labelledby="address-label"><h3 class="label" id="address-label">${payment.toAddress}</h3>
<p class="address" dir="ltr" translate="no">${groups(address)}</p>
${copyButton({ id: "copy-address", text: address, label: payment.copyAddress, tone: view.hasLapsed ? "quiet" : "strong" })}${walletButton(view)}</div>
<ul class="advice"><li><span>${payment.sendOnly({ coin })}</span> <span>${isolated(view, payment.otherNetworks[assets[currency].kind])}</span></li>${exchangeAdvice(view)}</ul>
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
  const { withdrawalFee: fee } = assets[charge.currency];
  const advice =
    fee === null
      ? exchangeAmount.unnamedFee<HtmlValue>({ amount })
      : exchangeAmount.namedFee<HtmlValue>({ amount, fee });
  return html`<li><span>${fromExchange}</span> <span>${isolated(view, advice)}</span></li>`;
}

/** The quiet zone that ISO/IEC 18004 asks for around a QR code, in modules. */
const QUIET_ZONE = 4;

/**
 * A QR code of `text` as inline SVG, error correction M, one path, dark modules in the current colour. The text is
 * coded as it is: TRON wallets read a plain address, and none agrees on a link format with an amount.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * QUIET_ZONE;
  return html`<svg class="qr-code" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path fill="currentColor" d="${drawModules(data)}"/></svg>`;
}

/** Every run of dark modules of a row as one rectangle of the path. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  return rows.map((row, y) => drawRow(row, y + QUIET_ZONE)).join("");
}

function drawRow(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    const width = x - start + 1;
    path += `M${start + QUIET_ZONE} ${y}h${width}v1h-${width}z`;
  }
  return path;
}

/** What a wallet in the payer's browser is asked to sign: a call of `transfer` where there is a contract, else TRX. Units are raw. */
type Transfer = { readonly to: string; readonly units: bigint; readonly contract: string | null };

/**
 * A button that has a wallet in the browser make the payment; shown by the scripts where there is one. None where any amount
 * will do, and none where the network cannot be told from others: money of another one would be lost.
 */
function walletButton(view: PageView): Html | null {
  const transfer = transferOf(view);
  const { genesisId } = view.network;
  if (transfer === null || genesisId === null) return null;
  const { to, units, contract } = transfer;
  return html`<button class="copy quiet" id="wallet" type="button" hidden data-wallet="${to}" data-units="${String(units)}" data-genesis="${genesisId}" data-contract="${contract}"><span aria-live="polite">${view.messages.payment.payWithWallet}</span></button>`;
}

function transferOf({ charge, toSend, hasLapsed, network }: PageView): Transfer | null {
  if (toSend === null || hasLapsed) return null;
  const { address: to, currency } = charge;
  if (assets[currency].kind === "token") {
    const contract = network.contractOf(currency);
    return contract === null ? null : { to, units: toSend, contract };
  }
  // A wallet takes TRX as a number of JavaScript.
  return toSend > BigInt(Number.MAX_SAFE_INTEGER) ? null : { to, units: toSend, contract: null };
}
