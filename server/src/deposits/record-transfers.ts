import type { Transaction } from "@daric/postgres/sql";
import { hexToAddress } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import type { Transfer } from "../chain/decode-transfers.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { isLate } from "../domain/deposit.ts";
import { idOf } from "../domain/ids.ts";
import type { WatcherContext } from "./context.ts";
import { includeAgain } from "./status-store.ts";
import {
  type ChangedDeposit,
  type Deposit,
  findBlockOfDeposit,
  findWatchedAddresses,
  insertDeposit,
  type Scope,
  type Sighting,
} from "./store.ts";

/** What the transfers of one block were to us. */
export type RecordedTransfers = {
  /** how many pay one of our addresses */
  readonly count: number;
  /** the deposits that are DETECTED by them for the first time */
  readonly detected: readonly Deposit[];
  /** the deposits that are DETECTED by them again: their block had left the chain, or they were even FAILED */
  readonly included: readonly ChangedDeposit[];
  /** those that name a deposit which stands in another block of our chain: its first sighting stands */
  readonly refused: readonly Sighting[];
};

/**
 * Keeps those transfers of a block that pay one of our addresses, whatever the charge's status: each becomes one
 * deposit, for ever. A deposit whose block had left the chain is re-included, with amount and recipient read again,
 * FAILED or not: the chain decides. A block that is read twice changes nothing. Runs in the transaction that moves the cursor past the block, and reports nothing itself: it may run again.
 */
export async function recordTransfers(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  input: { scope: Scope; header: BlockHeader; transfers: readonly Transfer[] },
): Promise<RecordedTransfers> {
  const { requiredConfirmations } = context.config.deposits;
  const sightings = await findSightings(tx, input.header, input.transfers);
  const { scope } = input;
  const detected: Deposit[] = [];
  const included: ChangedDeposit[] = [];
  const refused: Sighting[] = [];
  for (const sighting of sightings) {
    const deposit = await insertDeposit(tx, scope, {
      id: idOf("deposit", uuidv7()),
      sighting,
      requiredConfirmations,
    });
    if (deposit !== undefined) {
      detected.push(deposit);
      continue;
    }
    const again = await includeAgain(tx, scope, sighting);
    if (again !== undefined) included.push(again);
    else if (await standsElsewhere(tx, scope, sighting)) refused.push(sighting);
  }
  return { count: sightings.length, detected, included, refused };
}

async function findSightings(
  tx: Transaction,
  header: BlockHeader,
  transfers: readonly Transfer[],
): Promise<Sighting[]> {
  // A transfer from an address to itself moves nothing.
  const moving = transfers.filter((transfer) => transfer.fromHex !== transfer.toHex);
  if (moving.length === 0) return [];
  const addressOf = new Map(
    [...new Set(moving.map(({ toHex }) => toHex))].map((hex) => [hex, hexToAddress(hex)]),
  );
  const watched = new Map(
    (await findWatchedAddresses(tx, [...addressOf.values()])).map((row) => [row.address, row]),
  );
  const blockTime = new Date(header.timeMs);
  return moving.flatMap((transfer) => {
    const charge = watched.get(addressOf.get(transfer.toHex) ?? "");
    if (charge === undefined) return [];
    return {
      merchantId: charge.merchantId,
      chargeId: charge.id,
      txId: transfer.txId,
      source: transfer.source,
      eventIndex: transfer.eventIndex,
      address: charge.address,
      fromAddress: hexToAddress(transfer.fromHex),
      currency: transfer.currency,
      amount: transfer.units,
      blockNumber: header.number,
      blockId: header.id,
      blockTime,
      txExpiresAt: transfer.txExpirationMs === undefined ? null : new Date(transfer.txExpirationMs),
      late: isLate(blockTime, charge.expiresAt),
      pastWindow: isLate(blockTime, charge.lateUntil),
      unmatched: transfer.currency !== charge.currency,
    };
  });
}

async function standsElsewhere(tx: Transaction, scope: Scope, sighting: Sighting): Promise<boolean> {
  return (await findBlockOfDeposit(tx, { network: scope.network, ...sighting })) !== sighting.blockId;
}
