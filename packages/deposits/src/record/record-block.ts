import type { BlockContents, BlockSummary } from "@daric/chain/blocks/lazy-block";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import { depositMachine } from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { announceChanges, type SubscriptionFinder } from "../announce-changes.ts";
import type { ReadBlock, ScannedBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import type { OpenGroup } from "../open-store.ts";
import { markConfirming } from "../status-store.ts";
import type { ChangedDeposit, Scope } from "../store.ts";
import { type Inclusions, markUnpaid } from "../unpaid-store.ts";
import type { Matches } from "./match-transfers.ts";
import { type RecordedTransfers, recordTransfers } from "./record-transfers.ts";

/** The recorded changes of a block. */
export type BlockChanges = {
  readonly block: ReadBlock;
  readonly transfers: RecordedTransfers;
  readonly confirming: readonly ChangedDeposit[];
};

/** The older deposits that a block may affect. */
export type OpenDeposits = {
  readonly isAnyLost: boolean;
  /** the groups with deposits that no later block follows yet; undefined if unknown */
  readonly unconfirmed: readonly OpenGroup[] | undefined;
};

/** The assumption before the first block of a transaction. */
export const anyOpen: OpenDeposits = { isAnyLost: true, unconfirmed: undefined };

/** The part of a header that all parts of the recording use. */
export function blockOf({ number, id, timeMs }: BlockHeader): ReadBlock {
  return { number, blockId: id, time: new Date(timeMs) };
}

type Recording = {
  readonly scope: Scope;
  readonly block: ReadBlock;
  /** called only if a deposit waits to return */
  readonly inclusions: () => Inclusions;
  readonly matches: Matches;
  /** the newest block of our chain; deposits below it become CONFIRMING */
  readonly headNumber: number;
  readonly open: OpenDeposits;
  readonly findSubscribed?: SubscriptionFinder;
};

/**
 * Records the effects of a block of our chain on deposits: paid, unpaid and CONFIRMING ones, and announces them. A second call for a
 * block changes nothing. The caller writes the row of the block.
 *
 * After a call with events nothing may be recorded in the same transaction, because rows are locked before events are written.
 */
export async function recordBlock(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, block, inclusions, matches, headNumber, open, ...announcing }: Recording,
): Promise<{ recorded: BlockChanges; open: OpenDeposits; hasEvents: boolean }> {
  const transfers = await recordTransfers(context, tx, { scope, block, matches });
  const unpaid = { network: scope.network, blockId: block.blockId, inclusions };
  const isAnyLost = open.isAnyLost && (await markUnpaid(tx, unpaid));
  const confirming = await markConfirming(tx, scope, { below: headNumber, groups: open.unconfirmed });
  const detected = transfers.detected.map((deposit) => ({ ...deposit, previousStatus: null }));
  const deposits = [...detected, ...transfers.included, ...confirming];
  const hasEvents = await announceChanges(context, tx, { deposits, headNumber, ...announcing });
  // All deposits below this block are CONFIRMING now; those that it pays wait for the next block.
  const unconfirmed = openGroupsOf([...transfers.detected, ...transfers.included], block);
  return { recorded: { block, transfers, confirming }, open: { isAnyLost, unconfirmed }, hasEvents };
}

/** A node that shows one internal transaction of a block saves all of them. A failed transaction has none. */
export function inclusionsOf({ transactions, decoded }: BlockContents, { observed }: Matches): Inclusions {
  const showsInternals = decoded.internals > 0 || observed.some(({ source }) => source === "internal");
  const whole = transactions.filter(
    ({ contractRet }) => showsInternals || (contractRet !== undefined && contractRet !== "SUCCESS"),
  );
  return { txIds: transactions.map(({ txId }) => txId), completeTxIds: whole.map(({ txId }) => txId) };
}

function openGroupsOf(
  deposits: readonly { readonly merchantId: MerchantId }[],
  { number: blockNumber }: ReadBlock,
): OpenGroup[] {
  const merchantIds = new Set(deposits.map(({ merchantId }) => merchantId));
  const { to: status } = depositMachine.edge("included");
  return [...merchantIds].map((merchantId) => ({ merchantId, status, blockNumber }));
}

export function rowOf(
  {
    header,
    transactionCount,
    infosDigest,
    sourceNode,
  }: Pick<BlockSummary, "header" | "transactionCount" | "infosDigest" | "sourceNode">,
  { block, transfers }: Pick<BlockChanges, "block" | "transfers">,
): ScannedBlock {
  return {
    id: header.id,
    number: header.number,
    parentId: header.parentId,
    time: block.time,
    witnessHex: header.witnessHex,
    transactionCount,
    transferCount: transfers.count,
    infosDigest,
    sourceNode,
  };
}
