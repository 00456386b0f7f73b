import type { CheckoutDeposit } from "@daric/domain/checkout";
import { type Html, html } from "@daric/runtime/html";
import type { Messages } from "../messages/en.ts";
import { contactText } from "./contact.ts";
import { copyButton, factRow, isolated, momentText } from "./elements.ts";
import { moneyText, type PageView } from "./view.ts";

const END_CHARACTERS = 8;

/**
 * Each payment with its transaction: in one line while more may arrive, with the details of a receipt once it
 * is over. Dust is one line, however much came.
 */
export function depositsPart(view: PageView): Html | null {
  const { record, messages } = view;
  const texts = messages.deposits;
  const rows = [
    ...record.deposits.map((deposit) => row(view, deposit, statusText(deposit))),
    ...record.unmatchedDeposits.map((unmatchedDeposit) =>
      row(view, unmatchedDeposit, unmatchedDeposit.status === "FAILED" ? "failed" : "doesNotCount"),
    ),
  ];
  const { dustDeposits } = record;
  if (rows.length === 0 && dustDeposits === 0) return null;
  const tiny = dustDeposits > 0 && html`<li class="tiny">${texts.tiny({ count: dustDeposits })}</li>`;
  const print =
    view.isReceipt && html`<button class="text-button" type="button" data-print>${texts.print}</button>`;
  return html`<section class="deposits" aria-labelledby="deposits-title"><h3 class="label" id="deposits-title">${texts.title({ count: rows.length })}</h3><ul>${rows}${tiny}</ul>${print}</section>`;
}

function statusText({ status, late }: CheckoutDeposit) {
  if (status === "CONFIRMED") return late ? "confirmedLate" : "confirmed";
  return status === "FAILED" ? "failed" : "confirming";
}

type Word = ReturnType<typeof statusText> | "doesNotCount";

function row(view: PageView, deposit: CheckoutDeposit, word: Word): Html {
  const texts = view.messages.deposits;
  const transaction = view.isReceipt ? receiptLines(view, deposit) : shortTransaction(view, deposit.txId);
  return html`<li class="${word}"><span class="deposit-amount">${isolated(view, moneyText(view, deposit.amount, deposit.currency))}</span><span class="deposit-status">${texts[word]}</span>${transaction}</li>`;
}

function receiptLines(view: PageView, { txId, sentAt, from }: CheckoutDeposit): Html {
  const { messages, network } = view;
  const texts = messages.deposits;
  const url = network.transactionUrl(txId);
  const label = texts.copyTransaction;
  const copy = copyButton({ id: `copy-${txId.slice(0, END_CHARACTERS)}`, text: txId, label, tone: "quiet" });
  const id = html`<code class="tx-id" dir="ltr">${txId}</code><span class="tx-ways">${copy}${url && link(url, { txId, texts, shown: html`${texts.explorer} ↗` })}</span>`;
  return html`<dl class="facts">${factRow(messages.summary.receivedAt, momentText(view, sentAt))}${from && html`<div class="wide"><dt>${texts.from}</dt><dd><code dir="ltr">${from}</code></dd></div>`}<div class="wide"><dt>${texts.transactionId}</dt><dd>${id}</dd></div></dl>`;
}

function shortTransaction({ network, messages }: PageView, txId: string): Html {
  const url = network.transactionUrl(txId);
  const shown = html`<code dir="ltr">${shortOf(txId)}</code>`;
  if (url === null) return html`<span class="transaction" title="${txId}">${shown}</span>`;
  return link(url, { txId, texts: messages.deposits, shown: html`${shown} ↗` });
}

function link(url: string, to: { txId: string; texts: Messages["deposits"]; shown: Html }): Html {
  const name = to.texts.transaction({ id: shortOf(to.txId) });
  return html`<a class="transaction" href="${url}" target="_blank" rel="noopener noreferrer" aria-label="${name}">${to.shown}</a>`;
}

function shortOf(id: string): string {
  return `${id.slice(0, END_CHARACTERS)}…${id.slice(-END_CHARACTERS)}`;
}

/** The facts that only a printed receipt has: the address, the contact and the page's URL. */
export function paperFacts(view: PageView): Html | null {
  if (!view.isReceipt) return null;
  const { charge, pageUrl, messages } = view;
  const texts = messages.receipt;
  const contact = contactText(view);
  // An order that was archived short, for example by its rest, asks for nothing: its address invites no more.
  const isClosedShort = charge.status === "ARCHIVED" && view.projection.state === "underpaid";
  const rows = [
    isClosedShort ? null : factRow(texts.paidTo, html`<code dir="ltr">${charge.address}</code>`),
    contact && factRow(texts.contact, html`<bdi>${contact}</bdi>`),
    pageUrl && factRow(texts.page, html`<bdi>${pageUrl}</bdi>`),
  ];
  return html`<dl class="facts paper">${rows}</dl>`;
}

/** A mark on each printed sheet of a test network, so that a test receipt is not taken for a real one. */
export function testMark({ messages: { page, receipt } }: PageView): Html {
  return html`<p class="paper test-mark"><strong>${page.test}</strong> - ${receipt.noValue}</p>`;
}
