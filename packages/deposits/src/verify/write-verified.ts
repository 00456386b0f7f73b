import { withoutReported } from "@daric/addresses/unattributed-store";
import type { Transaction } from "@daric/postgres/sql";
import { addTransfers } from "../block-store.ts";
import { passNeedless, saveChecks } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import { anyOpen, type BlockChanges, recordBlock } from "../record/record-block.ts";
import type { ChangedDeposit, ObservedTransfer, Scope } from "../store.ts";
import type { QuorumResult } from "./agree.ts";
import { withdrawDeposits } from "./finality-store.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import { findConfirmed } from "./verify-store.ts";

export type Correction = {
  readonly verified: VerifiedBlock;
  readonly quorum: QuorumResult;
  readonly withdrawn: readonly ChangedDeposit[];
  readonly recorded: BlockChanges;
  /** deposits that the first reading lacked, without money of an address that was adopted since, and without rejections taken back */
  readonly omitted: number;
};

/**
 * Writes the checks of verified blocks, and corrects their deposits to the nodes' agreement. At most one block is corrected, the last one
 * written, because a correction writes events. Returns the correction; the next transaction continues after it.
 */
export async function writeVerified(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, blocks, headNumber }: { scope: Scope; blocks: readonly VerifiedBlock[]; headNumber: number },
): Promise<Correction | undefined> {
  for (const verified of blocks) {
    const { block, checks, quorum } = verified;
    await saveChecks(tx, { blockId: block.blockId, checks });
    await passNeedless(tx, { blockId: block.blockId, checks });
    if (quorum === undefined || !isCorrecting(verified, quorum)) continue;
    const correction = await correct(context, tx, { scope, verified, quorum, headNumber });
    if (isChanging(correction)) return correction;
  }
  return undefined;
}

/** Agreed transfers, and those without a majority, that are not stored. */
function missingOf({ stored }: VerifiedBlock, { agreed, noMajority }: QuorumResult) {
  const known = new Set(stored.map(({ id, amount }) => `${id}/${amount}`));
  return [...agreed.observed, ...noMajority].filter(({ id, amount }) => !known.has(`${id}/${amount}`));
}

/**
 * The missing transfers, without those of money that is CONFIRMED at another position of the same transaction: the same money would
 * be credited twice.
 */
async function withoutMoved(
  tx: Transaction,
  { network }: Scope,
  { verified, quorum }: { verified: VerifiedBlock; quorum: QuorumResult },
): Promise<ObservedTransfer[]> {
  const missing = missingOf(verified, quorum);
  const confirmed = missing.length === 0 ? [] : await findConfirmed(tx, { network, observed: missing });
  const reported = new Set(quorum.agreed.observed.map(({ id, amount }) => `${id}/${amount}`));
  const unreported = confirmed.filter(({ id, units }) => !reported.has(`${id}/${units}`));
  const wayOf = ({ txId, source, address }: Pick<ObservedTransfer, "txId" | "source" | "address">) =>
    `${txId}/${source}/${address}`;
  const ways = new Set(unreported.map(wayOf));
  return missing.filter((deposit) => !ways.has(wayOf(deposit)));
}

function isCorrecting(verified: VerifiedBlock, quorum: QuorumResult): boolean {
  const { outflows, unattributed, unsupported } = quorum.agreed;
  const beside = outflows.length + unattributed.length + unsupported.length;
  return quorum.contradicted.length + missingOf(verified, quorum).length + beside > 0;
}

/** A correction without any change writes no event, so the next block may follow. */
function isChanging({ withdrawn, recorded: { confirming, transfers } }: Correction): boolean {
  const { detected, included, outflows, unattributed, unsupported } = transfers;
  const changes = [withdrawn, confirming, detected, included, outflows, unattributed, unsupported];
  return changes.some(({ length }) => length > 0);
}

async function correct(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  {
    scope,
    verified,
    quorum,
    headNumber,
  }: {
    scope: Scope;
    verified: VerifiedBlock;
    quorum: QuorumResult;
    headNumber: number;
  },
): Promise<Correction> {
  const { block } = verified;
  const { contradicted, agreed } = quorum;
  const ids = contradicted.map(({ id }) => id);
  // A withdrawn deposit returns here with another amount or fails in the next step, and these events say it: its block has not left the chain.
  const withdrawn = ids.length === 0 ? [] : await withdrawDeposits(tx, scope, { number: block.number, ids });
  const txIds = contradicted.map(({ txId }) => txId);
  // Nodes without internal transactions may refute a log, so only internal transfers are known to be complete.
  const completeTxIds = contradicted.flatMap(({ source, txId }) => (source === "internal" ? [txId] : []));
  const { recorded } = await recordBlock(context, tx, {
    scope,
    block,
    inclusions: () => ({ txIds, completeTxIds }),
    matches: { ...agreed, observed: await withoutMoved(tx, scope, { verified, quorum }) },
    headNumber,
    open: anyOpen,
  });
  const { detected, included } = recorded.transfers;
  await addTransfers(tx, {
    blockId: block.blockId,
    count: detected.length + included.length - withdrawn.length,
  });
  const returned = included.filter(({ isAccepted }) => !isAccepted);
  const omitted = (await withoutReported(tx, scope.network, detected)).length + returned.length;
  return { verified, quorum, withdrawn, recorded, omitted };
}
