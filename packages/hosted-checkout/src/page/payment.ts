import { assets, isToken } from "@daric/domain/asset";
import { formatAmount } from "@daric/domain/money";
import { paymentUri } from "@daric/domain/payment-uri";
import { type Html, html } from "@daric/runtime/html";
import { encode } from "uqr";
import { addressInGroups, around, copyButton, isolated } from "./elements.ts";
import { queryOf } from "./frame.ts";
import { moneyText, type PageView, type QrContent } from "./view.ts";
import { type AskedTransfer, walletLinks } from "./wallet-links.ts";

/**
 * The address in full with its ways into wallets and its warnings, then the QR code for another device; on a desktop the
 * style sheet puts the code first. Nothing if nothing is to be paid.
 */
export function paymentPart(view: PageView): Html | null {
  if (!view.invitesPayment) return null;
  const { address, currency } = view.charge;
  const { payment } = view.messages;
  const { kind } = assets[currency];
  const coin = html`<strong>${isolated(view, payment.coinOf[kind]({ coin: currency }))}</strong>`;
  const transfer = transferOf(view);
  return html`<div class="payment"><div class="where" role="group" aria-labelledby="address-label"><h3 class="label" id="address-label">${payment.toAddress}</h3>
${addressInGroups(address)}
${copyButton({ id: "copy-address", text: address, label: payment.copyAddress, tone: view.hasLapsed ? "quiet" : "strong" })}${transfer && walletButton(view, transfer)}${transfer && appLinks(view, transfer)}${asksForQrCode(view) && wayToQrCode(view, "address", payment.showQrCode)}</div>
<ul class="advice"><li><span>${around(payment.sendOnly, { coin })}</span> <span>${isolated(view, payment.otherNetworks[kind])}</span></li>${exchangeAdvice(view)}${kind === "token" && html`<li>${payment.relayed}</li>`}</ul>
${!asksForQrCode(view) && qrPart(view, transfer)}</div>`;
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

/** A phone cannot scan its own screen, so it loads the code only if its payer asks for it. */
function asksForQrCode({ isPhone, qr }: PageView): boolean {
  return isPhone && qr === undefined;
}

/** A link to this page with a QR code of this content. */
function wayToQrCode({ language, frame }: PageView, content: QrContent, words: string): Html {
  return html`<a class="way" href="${queryOf(language.tag, frame)}&amp;qr=${content}#qr">${words}</a>`;
}

/**
 * The QR code of the plain address, which every wallet and exchange reads, with a way to that of a payment URI and back.
 * A URI cannot name a test network either.
 */
function qrPart(view: PageView, transfer: AskedTransfer | null): Html {
  const { payment } = view.messages;
  const withAmount = isOnMainnet(view) ? transfer : null;
  const hasAmount = withAmount !== null && view.qr === "uri";
  const code = hasAmount
    ? qrCode(paymentUri({ ...withAmount, amount: formatAmount(withAmount.amount) }), payment.qrWithAmount)
    : qrCode(view.charge.address, payment.qrCode);
  const other = hasAmount
    ? html`<p class="hint">${payment.fewReadIt}</p>${wayToQrCode(view, "address", payment.qrCode)}`
    : withAmount && wayToQrCode(view, "uri", payment.qrWithAmount);
  const opening =
    view.qr === undefined
      ? html`<details class="qr-box" id="qr">`
      : html`<details class="qr-box" id="qr" open>`;
  return html`${opening}<summary>${payment.showQrCode}</summary><div class="qr">${code}</div>${other}</details>`;
}

/** The quiet zone around a QR code in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code of `text` as inline SVG, error correction M, one path, dark modules in the current colour. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * QUIET_ZONE;
  return html`<svg class="qr-code" viewBox="0 -.5 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path stroke="currentColor" d="${drawModules(data)}"/></svg>`;
}

/** Draws every run of dark modules as a line as wide as a module. Moves are relative, which compresses best. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  let path = "";
  let [fromX, fromY] = [-QUIET_ZONE, -QUIET_ZONE];
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path += `m${start - fromX} ${y - fromY}h${x + 1 - start}`;
      [fromX, fromY] = [x + 1, y];
    }
  }
  return path;
}

/**
 * A button that starts the payment in a browser wallet; scripts show it if there is one. None on an unidentified network,
 * where the wallet could pay on another one.
 */
function walletButton({ messages, network: { genesisId } }: PageView, transfer: AskedTransfer): Html | null {
  if (genesisId === null) return null;
  const { to, amount, contract } = transfer;
  return html`<button class="copy quiet" id="wallet" type="button" hidden data-wallet="${to}" data-units="${String(amount)}" data-genesis="${genesisId}" data-contract="${contract}"><span>${messages.payment.payWith.tronLink}</span></button><p class="hint" id="wallet-says" role="status"></p>`;
}

/** On a phone: links that open the transfer in a wallet's app. */
function appLinks(view: PageView, transfer: AskedTransfer): Html[] | null {
  if (!view.isPhone || !isOnMainnet(view)) return null;
  const { payWith } = view.messages.payment;
  return walletLinks(transfer).map(
    ({ wallet, href }) => html`<a class="copy quiet" href="${href}">${payWith[wallet]}</a>`,
  );
}

function isOnMainnet({ network }: PageView): boolean {
  return network.testNetwork === null;
}

/** Null without a fixed amount, and once its price is not held. */
function transferOf({ charge, toSend, hasLapsed, network }: PageView): AskedTransfer | null {
  if (toSend === null || hasLapsed) return null;
  const { address: to, currency } = charge;
  const contract = network.contractOf(currency);
  if (isToken(currency)) return contract === null ? null : { to, currency, amount: toSend, contract };
  // Wallets take TRX as a JavaScript number.
  return toSend > BigInt(Number.MAX_SAFE_INTEGER) ? null : { to, currency, amount: toSend, contract: null };
}
