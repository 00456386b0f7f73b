import type { Transaction } from "@daric/postgres/sql";
import type { BlockContents, BlockSummary } from "../../chain/blocks/lazy-block.ts";
import type { BlockHeader } from "../../chain/blocks/parse-block.ts";
import { depositMachine } from "../../domain/deposit.ts";
import type { MerchantId } from "../../domain/ids.ts";
import { announceChanges, type SubscriptionFinder } from "../announce-changes.ts";
import type { ReadBlock, ScannedBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import type { MovedDeposit } from "../deposit-event.ts";
import type { OpenGroup } from "../open-store.ts";
import { markConfirming } from "../status-store.ts";
import type { ChangedDeposit, Scope } from "../store.ts";
import { type Inclusions, noteUnpaid } from "../unpaid-store.ts";
import type { Matches } from "./match-transfers.ts";
import { type RecordedTransfers, recordTransfers } from "./record-transfers.ts";

/** What a block changed that is recorded. */
export type BlockChanges = {
  readonly block: ReadBlock;
  readonly transfers: RecordedTransfers;
  readonly confirming: readonly ChangedDeposit[];
};

/** Which deposits there may be that a block means something for, beside those that it pays. */
export type OpenDeposits = {
  readonly isAnyLost: boolean;
  /** where those are that no later block follows yet; undefined where that is not known */
  readonly unconfirmed: readonly OpenGroup[] | undefined;
};

/** What there may be before the first block of a transaction; after each it is known. */
export const anyOpen: OpenDeposits = { isAnyLost: true, unconfirmed: undefined };

/** What of a header everybody goes by who records its block. */
export function blockOf({ number, id, timeMs }: BlockHeader): ReadBlock {
  return { number, blockId: id, time: new Date(timeMs) };
}

type Recording = {
  readonly scope: Scope;
  readonly block: ReadBlock;
  /** asked for where a deposit waits to be seen again */
  readonly inclusions: () => Inclusions;
  /** deposits that the same transaction has moved before: they are announced first */
  readonly moved?: readonly MovedDeposit[];
  readonly matches: Matches;
  /** the newest block of our chain, this one included: what is below it is buried */
  readonly headNumber: number;
  readonly open: OpenDeposits;
  readonly findSubscribed?: SubscriptionFinder;
};

/**
 * Records what a block of our chain means for deposits: those that it pays, those that it should have paid, and those that it
 * has buried, and announces it all. One that is recorded again changes and announces nothing. Its own row is the
 * caller's to write. Answers what is open now, and whether anybody is told: rows are taken before events are written, so
 * that nothing may be recorded after it in the same transaction.
 */
export async function recordBlock(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, block, inclusions, matches, headNumber, open, moved = [], ...announcing }: Recording,
): Promise<{ recorded: BlockChanges; open: OpenDeposits; hasEvents: boolean }> {
  const transfers = await recordTransfers(context, tx, { scope, block, matches });
  const unpaid = { network: scope.network, blockId: block.blockId, inclusions };
  const isAnyLost = open.isAnyLost && (await noteUnpaid(tx, unpaid));
  const confirming = await markConfirming(tx, scope, { below: headNumber, groups: open.unconfirmed });
  const detected = transfers.detected.map((deposit) => ({ ...deposit, previousStatus: null }));
  const deposits = [...moved, ...detected, ...transfers.included, ...confirming];
  const hasEvents = await announceChanges(context, tx, { deposits, headNumber, ...announcing });
  // All below the newest are buried now: those that it pays itself are left for the next.
  const unconfirmed = openGroupsOf([...transfers.detected, ...transfers.included], block);
  return { recorded: { block, transfers, confirming }, open: { isAnyLost, unconfirmed }, hasEvents };
}

/** A node that shows one internal transaction of a block keeps all of it; a transaction that failed has sent nothing. */
export function inclusionsOf({ transactions, decoded }: BlockContents, { observed }: Matches): Inclusions {
  const showsInternals = decoded.internals > 0 || observed.some(({ source }) => source === "internal");
  const whole = transactions.filter(
    ({ contractRet }) => showsInternals || (contractRet !== undefined && contractRet !== "SUCCESS"),
  );
  return { txIds: transactions.map(({ txId }) => txId), wholeTxIds: whole.map(({ txId }) => txId) };
}

/** Where the deposits are that this block has just paid. */
function openGroupsOf(
  deposits: readonly { readonly merchantId: MerchantId }[],
  { number: blockNumber }: ReadBlock,
): OpenGroup[] {
  const merchantIds = new Set(deposits.map(({ merchantId }) => merchantId));
  const { to: status } = depositMachine.edge("included");
  return [...merchantIds].map((merchantId) => ({ merchantId, status, blockNumber }));
}

/** What is kept of a block itself. */
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
