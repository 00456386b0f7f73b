import { formatAmount } from "@daric/domain/money";
import type { StatementEntry } from "@daric/domain/statement";
import type { MerchantStatement } from "@daric/ledger/read-statement";
import type { BookTerms } from "../terms/book-terms-store.ts";
import { ROOM } from "./page.ts";
import { openWordedPaper, type PaperLanguage, sizes } from "./paper-head.ts";
import { ltrText, ownText } from "./runs.ts";

export type PaperStatement = MerchantStatement & { readonly entries: readonly StatementEntry[] };

/** The begin of a transaction's id, which finds it in an explorer's list and in the CSV. */
const SHOWN_OF_HASH = 24;

/** The statement of a month as PDF: the balances of each coin, and all entries. */
export async function writeStatementPaper(
  { month, isClosed, balances, entries }: PaperStatement,
  terms: BookTerms,
  asked: PaperLanguage,
): Promise<Uint8Array> {
  const { paper, language, time, money, finish } = openWordedPaper(asked, terms, ({ paper: words }) =>
    words.statement({ month: ltrText(month) }),
  );
  const words = language.messages.paper;
  if (!isClosed) {
    paper.text(words.open, { size: sizes.text });
    paper.space(6);
  }
  const cells = (texts: readonly string[], widths: readonly number[], ends: readonly number[]) => {
    let from = 0;
    return texts.map((text, index) => {
      const width = widths[index] ?? 0;
      const place = {
        from,
        width: width - 10,
        align: ends.includes(index) ? ("end" as const) : ("start" as const),
      };
      from += width;
      return { text, place };
    });
  };
  const balanceWidths = Array.from({ length: 5 }, () => ROOM / 5);
  const all = [0, 1, 2, 3, 4];
  const names = [words.opening, words.confirmed, words.fees, words.settled, words.closing];
  paper.row(cells(names, balanceWidths, all), { size: sizes.small, colour: "faint" });
  paper.rule();
  for (const { currency, opening, confirmed, fees, settled, closing } of balances) {
    const amounts = [opening, confirmed, fees, settled, closing].map((amount) =>
      money(formatAmount(amount), currency),
    );
    paper.row(cells(amounts, balanceWidths, all), { size: sizes.small });
  }
  paper.space(12);
  const widths = [92, 76, 98, 92, ROOM - 358];
  const ends = [3];
  const heads = [words.date, words.kind, words.order, words.amount, words.transaction];
  paper.row(cells(heads, widths, ends), { size: sizes.small, colour: "faint" });
  paper.rule();
  for (const { bookedAt, kind, orderRef, amount, currency, txHash } of entries) {
    const texts = [
      time(bookedAt),
      words.kinds[kind],
      orderRef === null ? "–" : ownText(orderRef),
      money(formatAmount(amount), currency),
      txHash === null ? "–" : ltrText(`${txHash.slice(0, SHOWN_OF_HASH)}…`),
    ];
    paper.row(cells(texts, widths, ends), { size: sizes.small });
  }
  return finish();
}
