import { formatAmount } from "@daric/domain/money";
import { type Html, html } from "@daric/runtime/html";
import { addressInGroups, isolated } from "../page/elements.ts";
import type { Tone } from "../page/state-message.ts";
import { signOf } from "../page/status.ts";
import type { ClaimPageInput } from "./page-input.ts";

type State = { readonly tone: Exclude<Tone, "waiting">; readonly title: string; readonly text: string };

/** The state of a claim whose link takes no address, with the address that it took. */
export function statePart(input: ClaimPageInput): Html {
  const { claim, language, isTooLate } = input;
  const { tone, title, text } = stateOf(input);
  const texts = language.messages.claim;
  const shop = claim.merchant.name;
  const late =
    isTooLate &&
    claim.closed === "taken" &&
    html`<p class="fault" role="alert">${isolated(input, texts.taken({ shop }))}</p>`;
  return html`${late}<div class="status ${tone}" role="status"><span class="sign" aria-hidden="true">${signOf(tone)}</span><div class="status-words"><h2>${isolated(input, title)}</h2><p>${isolated(input, text)}</p></div></div>${addressPart(input)}${transactionPart(input)}`;
}

function stateOf({ claim, language }: ClaimPageInput): State {
  const texts = language.messages.claim;
  const { refund, closed } = claim;
  const shop = claim.merchant.name;
  const told = ({ title, text }: { title: Text; text: Text }) => ({
    title: wordsOf(title, shop),
    text: wordsOf(text, shop),
  });
  switch (closed) {
    case "expired":
    case "refused":
    case "replaced":
      return { tone: "ended", ...told(texts[closed]) };
    case "canceled":
      return { tone: "closed", ...told(texts.canceled) };
    default:
      break;
  }
  if (refund.status === "COMPLETED") {
    const amount = language.figures.money(formatAmount(refund.paidUnits ?? refund.units), refund.currency);
    return { tone: "good", title: texts.paid.title, text: texts.paid.text({ amount }) };
  }
  if (refund.status === "SENT") return { tone: "busy", ...texts.sent };
  return refund.status === "READY"
    ? { tone: "good", ...told(texts.ready) }
    : { tone: "busy", ...told(texts.waits) };
}

type Text = string | ((names: { readonly shop: string }) => string);

function wordsOf(text: Text, shop: string): string {
  return typeof text === "string" ? text : text({ shop });
}

/** Not behind a link that a newer one replaced, whose address may be another person's. */
function addressPart({ claim: { refund, closed }, language }: ClaimPageInput): Html | null {
  if (refund.address === null || closed === "replaced") return null;
  return html`<div><h3 class="label">${language.messages.claim.toAddress}</h3>${addressInGroups(refund.address)}</div>`;
}

function transactionPart({ claim: { refund, closed }, language, network }: ClaimPageInput): Html | null {
  if (refund.txId === null || closed === "replaced") return null;
  const { deposits } = language.messages;
  const url = network.transactionUrl(refund.txId);
  const link =
    url !== null &&
    html`<p><a href="${url}" target="_blank" rel="noopener noreferrer">${deposits.explorer}</a></p>`;
  return html`<div class="offer"><h3 class="label">${deposits.transactionId}</h3><p class="transaction" dir="ltr" translate="no">${refund.txId}</p>${link}</div>`;
}
