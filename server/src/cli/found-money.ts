import type { Queryable } from "@daric/postgres/sql";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { hexToAddress } from "@daric/tron/address";
import { accountPath } from "@daric/tron/seed";
import { listFoundMoney } from "../addresses/balance-store.ts";
import type { NetworkName } from "../chain/nodes/networks.ts";
import { amountIn, formatAmount } from "../domain/money.ts";
import { tableOf, type View } from "./print.ts";

const MAX_LISTED = 1_000;

/** The money on our addresses whose orders this database does not have, the newest first. */
export async function findFoundMoney(db: Queryable, network: NetworkName): Promise<View[]> {
  const found = await listFoundMoney(db, { network, limit: MAX_LISTED });
  return found.map(({ hash, xpub, derivationIndex, currency, units, txId, blockNumber }) => ({
    address: hexToAddress(`41${hash.toString("hex")}`),
    path: `${accountPath(parseAccountXpub(xpub).account)}/0/${derivationIndex}`,
    amount: formatAmount(amountIn(currency, units)),
    currency,
    txHash: txId,
    blockNumber: String(blockNumber),
  }));
}

/** The same list as text; empty without money. */
export function textOfFoundMoney(found: readonly View[]): string {
  if (found.length === 0) return "";
  return [
    `\nMoney of unknown orders: ${found.length} ${found.length === 1 ? "transfer" : "transfers"} to addresses that no order of this database has. The merchant knows the address.`,
    tableOf(found, ["address", "path", "amount", "currency", "txHash"]),
  ].join("\n");
}
