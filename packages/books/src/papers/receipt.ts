import { type Charge, findCharge } from "@daric/charges/charge";
import { type ListedDeposit, listDeposits } from "@daric/deposits/list-store";
import { type ValuedDeposit, valueDeposits } from "@daric/deposits/value-deposits";
import { formatBookAmount } from "@daric/domain/book-value";
import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import { formatAmount, zero } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { sumRefunded } from "@daric/refunds/store";
import { MAX_PAPER_LINES, refuseTooLarge } from "../files/export.ts";
import { getBookTerms } from "../terms/book-terms-store.ts";
import { ROOM } from "./page.ts";
import { openWordedPaper, sizes } from "./paper-head.ts";
import { ltrText } from "./runs.ts";

const BATCH = 500;

/**
 * The receipt of a payment as PDF: what was due, what came, and each transfer with its value in the currency of the books.
 *
 * @throws NOT_FOUND for another merchant's charge; NOTHING_RECEIVED before any money is confirmed; EXPORT_TOO_LARGE beyond
 *   {@link MAX_PAPER_LINES} transfers.
 */
export async function writeReceipt(db: Queryable, ref: ChargeRef, tag: string): Promise<Uint8Array> {
  const charge = await findCharge(db, ref);
  if (charge === undefined) throw new ApiError("NOT_FOUND");
  const transfers = await listConfirmed(db, ref);
  if (transfers.length === 0) throw new ApiError("NOTHING_RECEIVED");
  const terms = await getBookTerms(db, ref.merchantId);
  const refunded = (await sumRefunded(db, [ref])).get(ref.id) ?? zero;

  const { paper, language, time, money, finish } = openWordedPaper(tag, terms, ({ receipt }) => receipt.title);
  const { messages } = language;
  const words = messages.paper;
  for (const [label, text] of factsOf(charge)) fact(label, text);
  if (refunded > zero) fact(words.refunded, money(formatAmount(refunded), charge.currency));
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
  for (const { amount, currency, blockTime, txId, value } of transfers) {
    const worth = value === undefined ? words.notKnown : money(formatBookAmount(value), value.currency);
    row([time(blockTime), money(formatAmount(amount), currency), worth], "text");
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

  function factsOf({ orderRef, id, fiatAmount, fiatCurrency, terms: { due }, currency, confirmed }: Charge) {
    const facts: [string, string][] = [];
    if (orderRef !== null) facts.push([words.order, orderRef]);
    facts.push([words.payment, ltrText(id)]);
    if (fiatAmount !== null && fiatCurrency !== null)
      facts.push([words.price, money(fiatAmount, fiatCurrency)]);
    if (due !== null) facts.push([words.due, money(formatAmount(due), currency)]);
    facts.push([words.received, money(formatAmount(confirmed.total), currency)]);
    return facts;
  }
}

/** The confirmed transfers to a charge, the oldest first. */
async function listConfirmed(db: Queryable, ref: ChargeRef) {
  const filter = { merchantId: ref.merchantId, chargeId: ref.id, status: "CONFIRMED" } as const;
  const found: ValuedDeposit[] = [];
  let last: ListedDeposit | undefined;
  do {
    const { rows } = await listDeposits(db, filter, { limit: BATCH, offset: 0, after: last?.id });
    found.push(...(await valueDeposits(db, rows)));
    if (found.length > MAX_PAPER_LINES)
      refuseTooLarge(`A receipt has at most ${MAX_PAPER_LINES} transfers`);
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return found.toReversed();
}
