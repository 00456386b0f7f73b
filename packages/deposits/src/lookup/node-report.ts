import { bytesOfHex } from "@daric/addresses/address-bytes";
import { findOwners } from "@daric/addresses/directory-store";
import type { AddressOwner } from "@daric/addresses/issued-address";
import { type NodeTransaction, transfersOfNodeTransaction } from "@daric/chain/blocks/node-transaction";
import type { Currency, Token } from "@daric/domain/asset";
import type { Amount } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";

/** More addresses of one transaction are not compared with ours. */
const MAX_ADDRESSES = 1_000;

type Payment = {
  readonly toHex: string;
  /** undefined for a token that is not accepted */
  readonly money: { readonly amount: Amount; readonly currency: Currency } | undefined;
};

/** The payments of a transaction, by the answer of a node. It is not proven: it is shown, and never credited. */
export type NodeReport = {
  readonly blockNumber: number;
  /** our own blocks go that far, so they would have a payment to us */
  readonly isRead: boolean;
  /** the result of a transaction that moved nothing */
  readonly failure: string | undefined;
  readonly toUs: readonly Payment[];
  readonly elsewhere: readonly Payment[];
};

/**
 * The meaning of a report.
 *
 * - failed: it moved nothing.
 * - other_address: it moved nothing to us.
 * - other_token: it moved us only tokens that are not accepted.
 * - missed: our own blocks go that far, and have no such payment.
 * - seen: our own blocks will have it.
 */
export const reportResults = ["failed", "other_address", "other_token", "missed", "seen"] as const;
export type ReportResult = (typeof reportResults)[number];

type Readings = {
  readonly tokens: readonly Token[];
  readonly readHeight: number;
  readonly isOurs: (address: AddressOwner) => boolean;
};

/** Reads a node's transaction. */
export async function readReport(
  db: Queryable,
  run: NodeTransaction,
  { tokens, readHeight, isOurs }: Readings,
): Promise<NodeReport> {
  const { contractRet } = run.transaction;
  const { transfers, unsupported, callValues } = transfersOfNodeTransaction(run, tokens);
  const moneyOf = ({ toHex, units: amount, currency }: (typeof transfers)[number]): Payment => ({
    toHex,
    money: { amount, currency },
  });
  const others = unsupported.map(({ toHex }): Payment => ({ toHex, money: undefined }));
  const payments = [...transfers.map(moneyOf), ...others];
  const addresses = [...new Set(payments.map(({ toHex }) => toHex))].slice(0, MAX_ADDRESSES);
  const owners = addresses.length === 0 ? [] : await findOwners(db, addresses.map(bytesOfHex));
  const ours = new Set(owners.filter(isOurs).map(({ bytes }) => `41${bytes.toString("hex")}`));
  return {
    blockNumber: run.info.blockNumber,
    isRead: run.info.blockNumber <= readHeight,
    failure: contractRet === "SUCCESS" ? undefined : (contractRet ?? "no result"),
    toUs: payments.filter(({ toHex }) => ours.has(toHex)),
    elsewhere: [...payments.filter(({ toHex }) => !ours.has(toHex)), ...callValues.map(moneyOf)],
  };
}

/** The meaning of a report, by the first rule that fits. */
export function resultOf({ failure, toUs, isRead }: NodeReport): ReportResult {
  if (failure !== undefined) return "failed";
  if (toUs.length === 0) return "other_address";
  if (isRead) return "missed";
  return toUs.some(({ money }) => money !== undefined) ? "seen" : "other_token";
}
