import { type Lookup, type LookupAnswer, MAX_LOOKUP_CHARS } from "@daric/domain/lookup";
import { type Html, html } from "@daric/runtime/html";
import { isolated } from "./elements.ts";
import { stateMessage } from "./state-message.ts";
import { moneyText, type PageView } from "./view.ts";

/**
 * The look-up "I have paid, but it does not show": a form, folded up without a result. It posts to the page's own
 * address, which answers with the page and the result in it. The page's script moves the result into a live region.
 */
export function lookupPart(view: PageView): Html | null {
  const { lookup, messages } = view;
  if (lookup === undefined && !offersLookup(view)) return null;
  const texts = messages.lookup;
  const opening = lookup === undefined ? html`<details class="lookup">` : html`<details class="lookup" open>`;
  return html`${opening}<summary>${texts.title}</summary><form method="post" data-ask data-failed="${texts.failed}"><label class="label" for="tx-hash">${texts.label}</label><div class="ask-row"><input id="tx-hash" name="txHash" type="text" dir="ltr" required maxlength="${MAX_LOOKUP_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="tx-hint"><button type="submit">${texts.check}</button></div><p class="hint" id="tx-hint">${texts.hint}</p></form>${answerPart(view)}</details>`;
}

/** The answer, with its result and the seconds until another look-up makes sense, for the page's script. */
function answerPart(view: PageView): Html {
  const { lookup } = view;
  if (lookup === undefined) return html`<p class="answer" role="status" data-answer></p>`;
  const seconds = "retryAfterSeconds" in lookup ? lookup.retryAfterSeconds : null;
  return html`<p class="answer" role="status" data-result="${lookup.result}" data-retry="${seconds}" data-answer>${isolated(view, answerText(view, lookup))}</p>`;
}

/** Whether the page offers the look-up: it invites a payment, or ended without one. */
function offersLookup({ invitesPayment, projection: { state } }: PageView): boolean {
  return (
    invitesPayment ||
    state === "awaiting" ||
    state === "underpaid" ||
    state === "expired" ||
    state === "error"
  );
}

function answerText(view: PageView, answer: LookupAnswer): string {
  const texts = view.messages.lookup;
  switch (answer.result) {
    case "counted":
      return countedText(view, answer);
    case "seen":
      return seenText(view, answer);
    case "failed":
      return texts.failedOnChain;
    case "other_address":
      if (answer.addressEnd === null) return texts.nothingSent;
      return answer.lookAlike
        ? texts.lookAlike(answer.lookAlike)
        : texts.otherAddress({ end: answer.addressEnd });
    case "other_token":
      return otherTokenText(view, answer);
    case "not_on_tron":
      return texts.notOnTron;
    case "not_found":
      return texts.notFound;
    case "busy":
      return texts.busy({ seconds: String(answer.retryAfterSeconds) });
    case "not_an_id":
      return texts.notAnId;
  }
}

/** Where the payer has still to act, the page's own message says what is to be done. */
function countedText(view: PageView, answer: Extract<Lookup, { result: "counted" }>): string {
  const amount = moneyText(view, answer.amount, answer.currency);
  const { arrived, counted, countedBefore, tooSmall } = view.messages.lookup;
  if (answer.isDust) return tooSmall({ amount });
  const { toSend } = view;
  if (answer.isElsewhere && toSend !== null) return countedBefore({ amount, rest: moneyText(view, toSend) });
  return needsPayer(view) ? `${arrived({ amount })} ${stateMessage(view).text}` : counted({ amount });
}

function seenText(view: PageView, answer: Extract<Lookup, { result: "seen" }>): string {
  const { seen, seenInPart, tooSmall } = view.messages.lookup;
  const amount = moneyText(view, answer.amount, answer.currency);
  if (answer.isDust) return tooSmall({ amount });
  const sums = {
    amount,
    count: String(answer.confirmations),
    required: String(answer.requiredConfirmations),
  };
  return needsPayer(view) ? `${seenInPart(sums)} ${stateMessage(view).text}` : seen(sums);
}

/** Whether money has come, and the payer or the merchant has still to act. */
function needsPayer({ projection: { state }, toSend }: PageView): boolean {
  return state === "underpaid" || (state === "confirming" && toSend !== null);
}

function otherTokenText(
  view: PageView,
  { amount, currency }: Extract<Lookup, { result: "other_token" }>,
): string {
  const texts = view.messages.lookup;
  const wanted = view.charge.currency;
  if (amount === null || currency === null) return texts.otherToken({ currency: wanted });
  return texts.otherCoin({ amount: moneyText(view, amount, currency), currency: wanted });
}
