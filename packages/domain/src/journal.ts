import type { JournalAccount } from "./journal-account.ts";
import type { LedgerAccount, LedgerKind } from "./ledger.ts";
import type { Amount } from "./money.ts";

/** The kinds of a journal's entries: those of the ledger, and a refund that the merchant's own wallet paid. */
export type JournalKind = LedgerKind | "refund";

/** The move of an entry: a line of the ledger, or a refund. */
export type JournalFact = { readonly kind: JournalKind; readonly units: Amount } & (
  | { readonly debit: LedgerAccount; readonly credit: LedgerAccount }
  | { readonly debit: "refunds"; readonly credit: "wallet" }
);

/** One side of an entry. `units` are of the coin, `book` in minor units of the books' currency; undefined where a side has none. */
export type JournalLine = {
  readonly account: JournalAccount;
  readonly side: "debit" | "credit";
  readonly units: Amount | undefined;
  readonly book: bigint | undefined;
};

/** The value of the money, and the part of a price in the books' currency that it paid; undefined where they are not known. */
export type JournalWorth = { readonly value: bigint | undefined; readonly price: bigint | undefined };

/**
 * The lines of an entry. They balance in the coin and in the currency of the books; without a value no line has a book amount. A priced
 * deposit is revenue at its price, and the rest of its value is exchange result. Money that only changes its place on the
 * service's addresses has no lines.
 */
export function journalLines(fact: JournalFact, { value, price }: JournalWorth): JournalLine[] {
  const debit = accountOf(fact.debit, fact.kind);
  const credit = accountOf(fact.credit, fact.kind);
  if (debit === credit) return [];
  const { units } = fact;
  const earned = fact.kind === "deposit" && value !== undefined ? (price ?? value) : value;
  const lines: JournalLine[] = [
    { account: debit, side: "debit", units, book: value },
    { account: credit, side: "credit", units, book: earned },
  ];
  const result = (value ?? 0n) - (earned ?? 0n);
  if (result === 0n) return lines;
  const side = result > 0n ? "credit" : "debit";
  return [...lines, { account: "exchange", side, units: undefined, book: result > 0n ? result : -result }];
}

/** The journal's account of a ledger's. The debt to the merchant is no account of his own books: it stands for what caused it. */
function accountOf(account: LedgerAccount | "refunds" | "wallet", kind: JournalKind): JournalAccount {
  switch (account) {
    case "on_addresses":
    case "in_flight":
      return "held";
    case "operator_fees":
      return "fees_payable";
    case "network_cost":
      return "network_costs";
    case "merchant":
      return accountOfDebt(kind);
    default:
      return account;
  }
}

function accountOfDebt(kind: JournalKind): JournalAccount {
  switch (kind) {
    case "deposit":
      return "revenue";
    case "unmatched":
      return "unmatched";
    case "fee":
    case "fixed_fee":
    case "fee_returned":
      return "fees";
    default:
      return "wallet";
  }
}
