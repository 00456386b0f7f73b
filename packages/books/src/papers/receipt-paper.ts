import { formatBookAmount } from "@daric/domain/book-value";
import { formatAmount, zero } from "@daric/domain/money";
import type { BookTerms } from "../terms/book-terms-store.ts";
import { ROOM } from "./page.ts";
import { openWordedPaper, type PaperLanguage, sizes } from "./paper-head.ts";
import type { ReceiptFacts } from "./receipt-facts.ts";
import { ltrText, ownText } from "./runs.ts";

/** The receipt of a payment as PDF: its price, what came, and each transfer with its value in the currency of the books. */
export async function writeReceiptPaper(
  { id, orderRef, currency, price, due, received, refunded, transfers }: ReceiptFacts,
  terms: BookTerms,
  asked: PaperLanguage,
): Promise<Uint8Array> {
  const { paper, language, time, money, finish } = openWordedPaper(
    asked,
    terms,
    ({ receipt }) => receipt.title,
  );
  const { messages } = language;
  const words = messages.paper;
  if (orderRef !== null) fact(words.order, ownText(orderRef));
  fact(words.payment, ltrText(id));
  if (price !== undefined) fact(words.price, money(price.fiatAmount, price.fiatCurrency));
  if (due !== null) fact(words.due, money(formatAmount(due), currency));
  fact(words.received, money(formatAmount(received), currency));
  if (refunded > zero) fact(words.refunded, money(formatAmount(refunded), currency));
  paper.space(10);
  const places = [
    { from: 0, width: 100 },
    { from: 110, width: 140, align: "end" },
    { from: 260, width: 140, align: "end" },
  ] as const;
  const row = (cells: readonly string[], colour: "text" | "faint") =>
    paper.row(
      cells.flatMap((text, index) => {
        const place = places[index];
        return place === undefined ? [] : [{ text, place }];
      }),
      { size: sizes.small, colour },
    );
  row([words.date, words.received, words.value], "faint");
  paper.rule();
  for (const { amount, currency: coin, at, txId, value } of transfers) {
    const worth = value === undefined ? words.notKnown : money(formatBookAmount(value), value.currency);
    row([time(at), money(formatAmount(amount), coin), worth], "text");
    paper.text(`${words.transaction}: ${ltrText(txId)}`, { size: sizes.small, colour: "faint" });
  }
  paper.space(12);
  paper.text(messages.mail.notInvoice, { size: sizes.text });
  return finish();

  function fact(label: string, text: string): void {
    paper.row([{ text: label, place: { from: 0, width: 140 } }], { size: sizes.text, colour: "faint" });
    paper.space(-sizes.text * 1.45);
    paper.text(text, { size: sizes.text }, { from: 150, width: ROOM - 150 });
  }
}
