import { assets, isToken } from "@daric/domain/asset";
import { type Html, html } from "@daric/runtime/html";
import { encode } from "uqr";
import { around, copyButton, isolated } from "./elements.ts";
import { moneyText, type PageView } from "./view.ts";

const ADDRESS_GROUP = /.{1,4}/g;

/**
 * The address in full with its warnings, then the QR code for another device; on a desktop the style sheet puts the
 * code first. Nothing if nothing is to be paid.
 */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency } = view.charge;
  const { payment } = view.messages;
  const coin = html`<strong>${isolated(view, payment.coinOf[assets[currency].kind]({ coin: currency }))}</strong>`;
  return html`<div class="payment"><div class="where" role="group" aria-labelledby="address-label"><h3 class="label" id="address-label">${payment.toAddress}</h3>
<p class="address" dir="ltr" translate="no">${groups(address)}</p>
${copyButton({ id: "copy-address", text: address, label: payment.copyAddress, tone: view.hasLapsed ? "quiet" : "strong" })}${walletButton(view)}</div>
<ul class="advice"><li><span>${around(payment.sendOnly, { coin })}</span> <span>${isolated(view, payment.otherNetworks[assets[currency].kind])}</span></li>${exchangeAdvice(view)}</ul>
<details class="qr-box" id="qr"><summary>${payment.showQrCode}</summary><div class="qr">${qrCode(address, payment.qrCode)}</div></details></div>`;
}

/** The address in groups of four, to compare by eye. Copied text has no blanks. */
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
      ? around(exchangeAmount.unnamedFee, { amount })
      : around(exchangeAmount.namedFee, { amount, fee });
  return html`<li><span>${fromExchange}</span> <span>${isolated(view, advice)}</span></li>`;
}

/** The quiet zone around a QR code in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * A QR code of `text` as inline SVG, error correction M, one path, dark modules in the current colour. It
 * holds the plain address: TRON wallets read that, and agree on no link format with an amount.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * QUIET_ZONE;
  return html`<svg class="qr-code" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path fill="currentColor" d="${drawModules(data)}"/></svg>`;
}

/** Draws every run of dark modules as one rectangle of the path. */
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

/**
 * The transfer for a wallet to sign: a call of `transfer` if there is a contract, else TRX. Units are raw.
 */
type Transfer = { readonly to: string; readonly units: bigint; readonly contract: string | null };

/**
 * A button that starts the payment in a browser wallet; scripts show it if there is one. None without a fixed
 * amount, and none on an unidentified network, where the wallet could pay on another one.
 */
function walletButton(view: PageView): Html | null {
  const transfer = transferOf(view);
  const { genesisId } = view.network;
  if (transfer === null || genesisId === null) return null;
  const { to, units, contract } = transfer;
  return html`<button class="copy quiet" id="wallet" type="button" hidden data-wallet="${to}" data-units="${String(units)}" data-genesis="${genesisId}" data-contract="${contract}"><span>${view.messages.payment.payWithWallet}</span></button><p class="hint" id="wallet-says" role="status"></p>`;
}

function transferOf({ charge, toSend, hasLapsed, network }: PageView): Transfer | null {
  if (toSend === null || hasLapsed) return null;
  const { address: to, currency } = charge;
  if (isToken(currency)) {
    const contract = network.contractOf(currency);
    return contract === null ? null : { to, units: toSend, contract };
  }
  // Wallets take TRX as a JavaScript number.
  return toSend > BigInt(Number.MAX_SAFE_INTEGER) ? null : { to, units: toSend, contract: null };
}
