import { bytesOfHex } from "@daric/addresses/address-bytes";
import { createBloomFilter } from "@daric/addresses/bloom-filter";
import { findOwners } from "@daric/addresses/directory-store";
import { findGasWallets } from "@daric/addresses/gas-wallet-store";
import type { AddressOwner } from "@daric/addresses/issued-address";
import type { UnattributedTransfer } from "@daric/addresses/unattributed-store";
import type { SentTransaction, Transfer, UnsupportedTransfer } from "@daric/chain/blocks/decode-transfers";
import { involvedAddressesOf } from "@daric/chain/blocks/lazy-block";
import { maxBurntBy } from "@daric/chain/blocks/transaction-owner";
import { idOf } from "@daric/domain/ids";
import { zero } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { hexToAddress, isAddressHex } from "@daric/tron/address";
import { hashesIn, packAddresses } from "@daric/tron/packed-addresses";
import type { ReadBlock } from "../block-store.ts";
import type { ObservedTransfer } from "../store.ts";
import type { Outflow } from "./outflow-store.ts";
import type { OwnTransaction } from "./own-transaction-store.ts";
import type { UnsupportedArrival } from "./unsupported-store.ts";

export type BlockTransfers = {
  readonly network: string;
  readonly block: ReadBlock;
  readonly transfers: readonly Transfer[];
  /** TRX carried by calls or staked; it only leaves our addresses */
  readonly callValues: readonly Transfer[];
  readonly sentTransactions: readonly SentTransaction[];
  readonly unsupported: readonly UnsupportedTransfer[];
};

export type Matches = {
  readonly observed: readonly ObservedTransfer[];
  readonly outflows: readonly Outflow[];
  readonly own: readonly OwnTransaction[];
  readonly unattributed: readonly UnattributedTransfer[];
  readonly unsupported: readonly UnsupportedArrival[];
};

const NOTHING: Matches = { observed: [], outflows: [], own: [], unattributed: [], unsupported: [] };

type Charged = Pick<ObservedTransfer, "merchantId" | "chargeId">;

type FindOwners<Db> = (db: Db, packed: Buffer) => Promise<readonly AddressOwner[]>;

const inDirectory: FindOwners<Queryable> = (db, packed) => findOwners(db, hashesIn(packed));

export type MatchableBlock = {
  /** the involved addresses (`packAddresses`) */
  readonly involved: Uint8Array;
  /** called only if one of them is ours */
  decode(): BlockTransfers;
};

/** Matches blocks against the address directory with one look-up for all. Each result decodes its block on demand. */
export async function matchBlocks<Db extends Queryable>(
  db: Db,
  blocks: readonly MatchableBlock[],
  find: FindOwners<Db> = inDirectory,
): Promise<(() => Matches)[]> {
  const all = Buffer.concat(blocks.map(({ involved }) => involved));
  const found = all.length === 0 ? [] : await find(db, all);
  const owners = new Map(found.map((owner) => [owner.bytes.toString("hex"), owner]));
  const gasWallets = found.length === 0 ? new Set<string>() : await findGasWallets(db);
  const ours = createBloomFilter(found.length);
  for (const { bytes } of found) ours.add(bytes);
  let end = 0;
  // Few blocks contain our addresses, and looking at each transfer takes as long as reading the block.
  return blocks.map(({ involved, decode }) => {
    const start = end;
    end += involved.length;
    if (ours.select(all.subarray(start, end)).length === 0) return () => NOTHING;
    return () =>
      matchTransfers(decode(), { ownerOf: (addressHex) => owners.get(addressHex.slice(2)), gasWallets });
  });
}

export function matchable(decoded: BlockTransfers): MatchableBlock {
  return { involved: packAddresses(involvedAddressesOf(decoded)), decode: () => decoded };
}

export async function matchBlock(db: Queryable, decoded: BlockTransfers): Promise<Matches> {
  const [matches] = await matchBlocks(db, [matchable(decoded)]);
  return matches?.() ?? NOTHING;
}

/** The owners of addresses (hex, `41…`), and the wallets whose TRX is gas. */
type Known = {
  readonly ownerOf: (addressHex: string) => AddressOwner | undefined;
  readonly gasWallets: ReadonlySet<string>;
};

/** A transfer from an address to itself moves nothing, and TRX of the gas wallet is no payment. */
function matchTransfers(decoded: BlockTransfers, { ownerOf, gasWallets }: Known): Matches {
  const moving = decoded.transfers.filter(({ fromHex, toHex }) => fromHex !== toHex);
  const isTopUp = ({ source, currency, fromHex }: Transfer) =>
    source === "transfer" && currency === "TRX" && gasWallets.has(fromHex);
  const tokens = decoded.unsupported.filter(({ fromHex, toHex }) => fromHex !== toHex);
  const chargeOf = (addressHex: string): Charged[] => {
    const { merchantId, chargeId } = ownerOf(addressHex) ?? {};
    return merchantId && chargeId ? [{ merchantId, chargeId }] : [];
  };
  return {
    observed: moving
      .filter((to) => !isTopUp(to))
      .flatMap((to) => chargeOf(to.toHex).map((charge) => observedTransferOf(decoded, to, charge))),
    outflows: [...moving, ...decoded.callValues].flatMap((from) =>
      chargeOf(from.fromHex).map((charge) => outflowOf(from, charge)),
    ),
    own: [
      ...decoded.sentTransactions.flatMap((transaction) =>
        chargeOf(transaction.owner.addressHex).map((charge) => ownOf(transaction, charge)),
      ),
      ...moving.filter(isTopUp).flatMap((to) => chargeOf(to.toHex).map((charge) => topUpOf(to, charge))),
    ],
    unattributed: moving
      .filter(({ toHex }) => ownerOf(toHex)?.chargeId === null)
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
    maxBurnt: maxBurntBy(owner),
    returned,
    isTopUp: false,
  };
}

/** The root of its block proves it, and its fees are the gas wallet's. */
function topUpOf({ txId, toHex, units }: Transfer, charge: Charged): OwnTransaction {
  return { ...charge, txId, address: hexToAddress(toHex), maxBurnt: zero, returned: units, isTopUp: true };
}

/** The address is in an index gap or reserved, so no charge is known for it. */
function unattributedOf({ network, block }: BlockTransfers, transfer: Transfer): UnattributedTransfer {
  const { txId, source, eventIndex, fromHex, toHex, currency, units } = transfer;
  return {
    network,
    txId,
    source,
    eventIndex,
    bytes: bytesOfHex(toHex),
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

/** The matches that the block's root proves. */
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
