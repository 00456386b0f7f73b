import type { Queryable } from "@daric/postgres/sql";
import { hexToAddress, isAddressHex } from "@daric/tron/address";
import { hashesIn, packAddresses } from "@daric/tron/packed-addresses";
import { hashOfHex } from "../../addresses/address-hash.ts";
import { createBloomFilter } from "../../addresses/bloom-filter.ts";
import { type AddressOwner, findOwners } from "../../addresses/directory-store.ts";
import type { UnattributedTransfer } from "../../addresses/unattributed-store.ts";
import type { SentTransaction, Transfer, UnsupportedTransfer } from "../../chain/blocks/decode-transfers.ts";
import { involvedAddressesOf } from "../../chain/blocks/lazy-block.ts";
import { mostBurntBy } from "../../chain/blocks/transaction-owner.ts";
import { idOf } from "../../domain/ids.ts";
import { derivedId } from "../../runtime/derived-id.ts";
import type { ReadBlock } from "../block-store.ts";
import type { ObservedTransfer } from "../store.ts";
import type { Outflow } from "./outflow-store.ts";
import type { OwnTransaction } from "./own-transaction-store.ts";
import type { UnsupportedArrival } from "./unsupported-store.ts";

/** What one block moves. */
export type BlockTransfers = {
  readonly network: string;
  readonly block: ReadBlock;
  readonly transfers: readonly Transfer[];
  /** what calls carried to contracts, or was staked: it only ever leaves an address of ours */
  readonly callValues: readonly Transfer[];
  readonly sentTransactions: readonly SentTransaction[];
  readonly unsupported: readonly UnsupportedTransfer[];
};

/**
 * What of a block concerns us: money to charges and away from them, what their addresses signed, money to addresses that
 * have none, and tokens.
 */
export type Matches = {
  readonly observed: readonly ObservedTransfer[];
  readonly outflows: readonly Outflow[];
  readonly own: readonly OwnTransaction[];
  readonly unattributed: readonly UnattributedTransfer[];
  readonly unsupported: readonly UnsupportedArrival[];
};

const NOTHING: Matches = { observed: [], outflows: [], own: [], unattributed: [], unsupported: [] };

type Charged = Pick<ObservedTransfer, "merchantId" | "chargeId">;

/** How the owners of addresses are found: by the directory itself, or by what spares most of the questions. */
type FindOwners<Db> = (db: Db, packed: Buffer) => Promise<readonly AddressOwner[]>;

const inDirectory: FindOwners<Queryable> = (db, packed) => findOwners(db, hashesIn(packed));

/** A block of which it is asked whether it concerns our addresses. */
export type MatchableBlock = {
  /** whoever in it may be one of ours (`packAddresses`) */
  readonly involved: Uint8Array;
  /** what it moves: asked for where one of them is ours */
  decode(): BlockTransfers;
};

/**
 * Finds what concerns our addresses in each of some blocks, the parties of all of them in one question. A block that has one of
 * ours is opened when its answer is called for.
 */
export async function matchBlocks<Db extends Queryable>(
  db: Db,
  blocks: readonly MatchableBlock[],
  find: FindOwners<Db> = inDirectory,
): Promise<(() => Matches)[]> {
  const all = Buffer.concat(blocks.map(({ involved }) => involved));
  const found = all.length === 0 ? [] : await find(db, all);
  const owners = new Map(found.map((owner) => [owner.hash.toString("hex"), owner]));
  const ours = createBloomFilter(found.length);
  for (const { hash } of found) ours.add(hash);
  let end = 0;
  // Hardly a block has any of ours, and to look at each of its transfers takes as long as to read it.
  return blocks.map(({ involved, decode }) => {
    const start = end;
    end += involved.length;
    if (ours.select(all.subarray(start, end)).length === 0) return () => NOTHING;
    return () => matchTransfers(decode(), (addressHex) => owners.get(addressHex.slice(2)));
  });
}

/** A block whose moves are there, as one of which it is asked. */
export function matchable(decoded: BlockTransfers): MatchableBlock {
  return { involved: packAddresses(involvedAddressesOf(decoded)), decode: () => decoded };
}

/** As {@link matchBlocks}. */
export async function matchBlock(db: Queryable, decoded: BlockTransfers): Promise<Matches> {
  const [matches] = await matchBlocks(db, [matchable(decoded)]);
  return matches?.() ?? NOTHING;
}

type OwnerOf = (addressHex: string) => AddressOwner | undefined;

/** A transfer from an address to itself moves nothing. */
function matchTransfers(decoded: BlockTransfers, ownerOf: OwnerOf): Matches {
  const moving = decoded.transfers.filter(({ fromHex, toHex }) => fromHex !== toHex);
  const tokens = decoded.unsupported.filter(({ fromHex, toHex }) => fromHex !== toHex);
  /** The charge whose address it is, in a list of one; an empty one where it is nobody's. */
  const chargeOf = (addressHex: string): Charged[] => {
    const { merchantId, chargeId } = ownerOf(addressHex) ?? {};
    return merchantId && chargeId ? [{ merchantId, chargeId }] : [];
  };
  return {
    observed: moving.flatMap((to) =>
      chargeOf(to.toHex).map((charge) => observedTransferOf(decoded, to, charge)),
    ),
    outflows: [...moving, ...decoded.callValues].flatMap((from) =>
      chargeOf(from.fromHex).map((charge) => outflowOf(from, charge)),
    ),
    own: decoded.sentTransactions.flatMap((one) =>
      chargeOf(one.owner.addressHex).map((charge) => ownOf(one, charge)),
    ),
    unattributed: moving
      .filter(({ toHex }) => ownerOf(toHex)?.merchantId === null)
      .map((transfer) => unattributedOf(decoded, transfer)),
    unsupported: tokens.flatMap((to) => chargeOf(to.toHex).map((charge) => arrivalOf(decoded, to, charge))),
  };
}

function observedTransferOf(
  { network }: BlockTransfers,
  transfer: Transfer,
  charge: Charged,
): ObservedTransfer {
  const { txId, source, eventIndex, currency, units: amount, isMerkleProven } = transfer;
  const address = hexToAddress(transfer.toHex);
  return {
    id: idOf("deposit", derivedId("deposit", network, txId, source, eventIndex, address)),
    ...charge,
    txId,
    source,
    eventIndex,
    address,
    fromAddress: hexToAddress(transfer.fromHex),
    currency,
    amount,
    txExpiresAt: transfer.txExpirationMs === undefined ? null : new Date(transfer.txExpirationMs),
    isMerkleProven,
  };
}

function outflowOf(transfer: Transfer, charge: Charged): Outflow {
  const { txId, source, eventIndex, fromHex, toHex, currency, units, isMerkleProven } = transfer;
  return {
    ...charge,
    txId,
    source,
    eventIndex,
    address: hexToAddress(fromHex),
    toAddress: hexToAddress(toHex),
    currency,
    units,
    isMerkleProven,
  };
}

function ownOf({ txId, owner, returned }: SentTransaction, charge: Charged): OwnTransaction {
  return {
    ...charge,
    txId,
    address: hexToAddress(owner.addressHex),
    mostBurnt: mostBurntBy(owner),
    returned,
  };
}

/** Its address was derived and is watched, but no charge that this database knows has it. */
function unattributedOf({ network, block }: BlockTransfers, transfer: Transfer): UnattributedTransfer {
  const { txId, source, eventIndex, fromHex, toHex, currency, units } = transfer;
  return {
    network,
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
  };
}

function arrivalOf(
  { network }: BlockTransfers,
  transfer: UnsupportedTransfer,
  charge: Charged,
): UnsupportedArrival {
  const { txId, source, eventIndex, contractHex, rawValue } = transfer;
  return {
    id: derivedId("unsupported", network, txId, source, eventIndex),
    ...charge,
    txId,
    source,
    eventIndex,
    address: hexToAddress(transfer.toHex),
    fromAddress: hexToAddress(transfer.fromHex),
    contract: isAddressHex(contractHex) ? hexToAddress(contractHex) : contractHex,
    rawValue,
  };
}

/** Of what was matched what the root of the block proves without any run. */
export function nativeOf(matches: Matches): Matches {
  const isNative = ({ source }: { readonly source: string }) => source === "transfer";
  return {
    observed: matches.observed.filter(isNative),
    outflows: matches.outflows.filter(isNative),
    own: matches.own,
    unattributed: matches.unattributed.filter(isNative),
    unsupported: matches.unsupported.filter(isNative),
  };
}
