import type { Currency } from "@daric/domain/asset";
import type { TransferSource } from "@daric/domain/deposit";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import { outflowLines, type SweepRecipient } from "@daric/domain/ledger";
import type { Amount } from "@daric/domain/money";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { bookTransactions } from "./store.ts";

/** Money that left a deposit address in a verified block without a sweep of ours. */
export type UnsweptOutflow = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly network: string;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly address: string;
  readonly currency: Currency;
  readonly units: Amount;
  /** the owner of the wallet that received it */
  readonly payee: SweepRecipient | "unknown";
};

/**
 * Books outflows that no sweep explains, in one statement, each once. Money to a wallet of the merchant or of the
 * operator counts as paid to it. Any other money is booked in suspense.
 */
export async function bookOutflows(tx: Transaction, outflows: readonly UnsweptOutflow[]): Promise<void> {
  await bookTransactions(
    tx,
    outflows.map(({ merchantId, chargeId, network, txId, source, eventIndex, address, payee, ...money }) => ({
      id: idOf("ledgerTransaction", derivedId("outflow", network, txId, source, eventIndex, address)),
      merchantId,
      chargeId,
      txId,
      lines: outflowLines(money, payee),
    })),
  );
}
