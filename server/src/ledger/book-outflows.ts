import type { Transaction } from "@daric/postgres/sql";
import type { Currency } from "../domain/asset.ts";
import type { TransferSource } from "../domain/deposit.ts";
import { type ChargeId, idOf, type MerchantId } from "../domain/ids.ts";
import { outflowLines, type SweepRecipient } from "../domain/ledger.ts";
import type { Amount } from "../domain/money.ts";
import { derivedId } from "../runtime/derived-id.ts";
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
