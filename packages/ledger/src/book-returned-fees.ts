import type { Currency } from "@daric/domain/asset";
import {
  type ChargeId,
  idOf,
  type LedgerTransactionId,
  type MerchantId,
  type RefundId,
} from "@daric/domain/ids";
import { feeReturnedLines } from "@daric/domain/ledger";
import type { Amount } from "@daric/domain/money";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { bookTransactions } from "./store.ts";

/** The fee share that a completed refund brings back to its merchant. */
export type ReturnedFee = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly refundId: RefundId;
  readonly txId: string | null;
  readonly currency: Currency;
  readonly units: Amount;
};

/** Books fee shares that go back to merchants, each once for its refund. */
export async function bookReturnedFees(tx: Transaction, fees: readonly ReturnedFee[]): Promise<void> {
  await bookTransactions(
    tx,
    fees.map(({ merchantId, chargeId, refundId, txId, currency, units }) => ({
      id: returnedFeeId(refundId),
      merchantId,
      chargeId,
      ...(txId === null ? {} : { txId }),
      lines: feeReturnedLines({ currency, units }),
    })),
  );
}

/** The id of the transaction by which a refund brings its fee share back. */
export function returnedFeeId(refundId: RefundId): LedgerTransactionId {
  return idOf("ledgerTransaction", derivedId("refund fee", refundId));
}
