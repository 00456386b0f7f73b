import type { Transaction } from "@daric/postgres/sql";
import { hexToAddress } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import { findOwners } from "../addresses/directory-store.ts";
import { recordUnassigned, type UnassignedTransfer } from "../addresses/unassigned-store.ts";
import type { Transfer } from "../chain/decode-transfers.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { idOf } from "../domain/ids.ts";
import { derivedId } from "../runtime/derived-id.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import type { ReadBlock } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { judgeDeposits } from "./judge-deposits.ts";
import { includeAgain } from "./status-store.ts";
import {
  type ChangedDeposit,
  type Deposit,
  findInBlock,
  insertDeposits,
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
  /** those that pay an address which belongs to no merchant, for the first time */
  readonly unassigned: readonly UnassignedTransfer[];
};

/**
 * Keeps those transfers of a block that pay one of our addresses, whatever the charge's status: each becomes one
 * deposit, for ever. A deposit whose block had left the chain is re-included, with its amount read again, FAILED or not:
 * the chain decides; where its transfer pays another address now, that is another deposit. A block that is read twice
 * changes nothing. Deposits of fiat-priced charges are judged by their quotes. As many statements for thousands of transfers as for one. Runs in the transaction that moves the
 * cursor past the block, and reports nothing itself: it may run again.
 */
export async function recordTransfers(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, header, transfers }: { scope: Scope; header: BlockHeader; transfers: readonly Transfer[] },
): Promise<RecordedTransfers> {
  const { requiredConfirmations } = context.config.deposits;
  const block = { number: header.number, blockId: header.id, time: new Date(header.timeMs) };
  const { sightings, ownerless } = await findSightings(tx, scope, transfers);
  const detected: Deposit[] = [];
  const included: ChangedDeposit[] = [];
  const refused: Sighting[] = [];
  for (const list of inMerchantLists(sightings)) {
    const isNew = await insertDeposits(tx, scope, { sightings: list, block, requiredConfirmations });
    detected.push(...isNew);
    const known = without(list, isNew);
    const again = known.length === 0 ? [] : await includeAgain(tx, scope, { sightings: known, block });
    included.push(...again);
    await judgeDeposits(tx, [...isNew, ...again], block.time);
    refused.push(...(await standingElsewhere(tx, without(known, again), block)));
  }
  const unassigned = await recordUnassigned(tx, ownerless.map(unassignedIn(scope, block)));
  return { count: sightings.length, detected, included, refused, unassigned };
}

/** What the transfers are to our addresses: sightings of money to charges, and money to addresses that have no charge. */
async function findSightings(
  tx: Transaction,
  scope: Scope,
  transfers: readonly Transfer[],
): Promise<{ sightings: Sighting[]; ownerless: Transfer[] }> {
  // A transfer from an address to itself moves nothing.
  const moving = transfers.filter((transfer) => transfer.fromHex !== transfer.toHex);
  if (moving.length === 0) return { sightings: [], ownerless: [] };
  const receivers = [...new Set(moving.map(({ toHex }) => toHex))];
  const owners = new Map(
    (await findOwners(tx, receivers.map(hashOfHex))).map((owner) => [owner.hash.toString("hex"), owner]),
  );
  const ownerOf = ({ toHex }: Transfer) => owners.get(toHex.slice(2));
  const sightings = moving.flatMap((transfer) => {
    const { merchantId, chargeId } = ownerOf(transfer) ?? {};
    return merchantId && chargeId ? sightingOf(scope, transfer, { merchantId, chargeId }) : [];
  });
  return { sightings, ownerless: moving.filter((transfer) => ownerOf(transfer)?.merchantId === null) };
}

function sightingOf(
  { network }: Scope,
  transfer: Transfer,
  owner: Pick<Sighting, "merchantId" | "chargeId">,
): Sighting {
  const { txId, source, eventIndex, currency, units: amount } = transfer;
  const address = hexToAddress(transfer.toHex);
  return {
    id: idOf("deposit", derivedId("deposit", network, txId, source, eventIndex, address)),
    ...owner,
    txId,
    source,
    eventIndex,
    address,
    fromAddress: hexToAddress(transfer.fromHex),
    currency,
    amount,
    txExpiresAt: transfer.txExpirationMs === undefined ? null : new Date(transfer.txExpirationMs),
  };
}

/** Its address was derived and is watched, but no charge that this database knows has it. */
function unassignedIn(scope: Scope, block: ReadBlock): (transfer: Transfer) => UnassignedTransfer {
  return ({ txId, source, eventIndex, fromHex, toHex, currency, units }) => ({
    network: scope.network,
    txId,
    source,
    eventIndex,
    hash: hashOfHex(toHex),
    fromAddress: hexToAddress(fromHex),
    currency,
    units,
    blockNumber: block.number,
    blockId: block.blockId,
    blockTime: block.time,
  });
}

/** Those that do not name a deposit of this very block, which is only read again. */
async function standingElsewhere(
  tx: Transaction,
  sightings: readonly Sighting[],
  block: ReadBlock,
): Promise<Sighting[]> {
  if (sightings.length === 0) return [];
  const here = new Set(await findInBlock(tx, { sightings, block }));
  return sightings.filter(({ id }) => !here.has(id));
}

function without<S extends Pick<Sighting, "id">>(
  all: readonly S[],
  some: readonly Pick<Sighting, "id">[],
): S[] {
  const ids = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}
