import { listFoundMoney } from "@daric/addresses/unattributed-store";
import type { NetworkName } from "@daric/chain/nodes/networks";
import { amountIn, formatAmount } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { hexToAddress } from "@daric/tron/address";
import { accountPath } from "@daric/tron/seed";
import { tableOf, type View } from "./print.ts";

const MAX_LISTED = 1_000;

/**
 * The money on our addresses whose orders this database does not have, the newest first. It may be limited to an address
 * or a transaction.
 */
export async function findFoundMoney(
  db: Queryable,
  network: NetworkName,
  of: { readonly bytes?: Buffer; readonly txId?: string } = {},
): Promise<View[]> {
  const found = await listFoundMoney(db, { network, ...of, limit: MAX_LISTED });
  return found.map(({ bytes, xpub, derivationIndex, currency, units, txId, blockNumber }) => ({
    address: hexToAddress(`41${bytes.toString("hex")}`),
    path: `${accountPath(parseAccountXpub(xpub).account)}/0/${derivationIndex}`,
    amount: formatAmount(amountIn(currency, units)),
    currency,
    txHash: txId,
    blockNumber: String(blockNumber),
  }));
}

/** The command that gives such money to an order. */
export const FOUND_MONEY_ADVICE =
  "`daric adopt <address> --merchant <id> --order-ref <text>` gives the address and its money to its order (docs/backup.md#give-lost-orders-back)";

/** The same list as text; empty without money. */
export function textOfFoundMoney(found: readonly View[]): string {
  if (found.length === 0) return "";
  return [
    `\nMoney of unknown orders: ${found.length} ${found.length === 1 ? "transfer" : "transfers"} to addresses that no order of this database has. The merchant knows the address.`,
    tableOf(found, ["address", "path", "amount", "currency", "txHash"]),
  ].join("\n");
}
