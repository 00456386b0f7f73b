import type { Currency } from "@daric/domain/asset";
import type { ChargeKind } from "@daric/domain/charge";
import { depositFee, fixedFeeDue } from "@daric/domain/fees";
import { type ChargeId, type DepositId, idOf, type MerchantId, type RefKey, refKey } from "@daric/domain/ids";
import { depositLines, feeLines, type LedgerTransaction, unmatchedLines } from "@daric/domain/ledger";
import { type Amount, add, zero } from "@daric/domain/money";
import type { Fee } from "@daric/domain/order";
import type { Transaction } from "@daric/postgres/sql";
import { bookTransactions, findFixedFeesTaken } from "./store.ts";

/** A confirmed deposit. */
export type BookedDeposit = {
  readonly id: DepositId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly unmatched: boolean;
  readonly blockNumber: number;
};

/** The fee terms that are frozen on a charge. */
export type ChargedTerms = { readonly kind: ChargeKind; readonly fee: Fee };

/**
 * Books deposits that this transaction has just confirmed, with their fees, in at most two statements. Each is booked once, because
 * its transaction has its id. `charges` has the charge of each deposit.
 */
export async function bookDeposits(
  tx: Transaction,
  deposits: readonly BookedDeposit[],
  charges: ReadonlyMap<RefKey<"charge">, ChargedTerms>,
): Promise<void> {
  const termed = deposits
    .toSorted((a, b) => a.blockNumber - b.blockNumber || (a.id < b.id ? -1 : 1))
    .map((deposit) => {
      const ref = { merchantId: deposit.merchantId, id: deposit.chargeId };
      const terms = charges.get(refKey(ref));
      if (terms === undefined) throw new Error(`no charge was loaded for deposit ${deposit.id}`);
      return { deposit, ref, terms };
    });
  const counting = termed.filter(({ terms, deposit }) => bearsFixedFeeOnce(terms) && !deposit.unmatched);
  const refs = [...new Map(counting.map(({ ref }) => [refKey(ref), ref])).values()];
  const taken = refs.length === 0 ? new Map<string, Amount>() : await findFixedFeesTaken(tx, refs);
  const transactions = termed.map(({ deposit, ref, terms }): LedgerTransaction => {
    const { id, merchantId, chargeId, currency, amount: units } = deposit;
    const transaction = { id: idOf("ledgerTransaction", id), merchantId, chargeId };
    if (deposit.unmatched) return { ...transaction, lines: unmatchedLines({ currency, units }) };
    const before = taken.get(refKey(ref)) ?? zero;
    const { basisPoints } = terms.fee;
    const fee = depositFee(units, { basisPoints, fixedDue: fixedFeeDue(terms, before) });
    taken.set(refKey(ref), add<Currency>(before, fee.fixed));
    return { ...transaction, lines: [...depositLines({ currency, units }), ...feeLines(currency, fee)] };
  });
  await bookTransactions(tx, transactions);
}

function bearsFixedFeeOnce({ kind, fee }: ChargedTerms): boolean {
  return kind === "order" && fee.fixed > zero;
}
