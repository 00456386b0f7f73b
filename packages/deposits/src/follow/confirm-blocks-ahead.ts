import { findAnsweringOwners } from "@daric/addresses/directory-store";
import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import { depositMachine } from "@daric/domain/deposit";
import type { Transaction } from "@daric/postgres/sql";
import { assertLease } from "@daric/runtime/lease";
import { hashesIn } from "@daric/tron/packed-addresses";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { findChangeEvents } from "../announce-changes.ts";
import { passNeedless, saveChecks } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import type { OpenGroup } from "../open-store.ts";
import { type Matches, matchBlocks } from "../record/match-transfers.ts";
import { blockOf, inclusionsOf, recordBlock } from "../record/record-block.ts";
import { reportDeposits } from "../report-deposits.ts";
import { answersNeeded } from "../settings.ts";
import { markConfirming } from "../status-store.ts";
import type { ChangedDeposit, Deposit } from "../store.ts";
import type { AnswerCache } from "../verify/answer-cache.ts";
import { addBalances } from "../verify/check-balances.ts";
import { confirmDeposits } from "../verify/confirm-deposits.ts";
import { readSolidBlocks } from "../verify/read-blocks.ts";
import type { VerifiedBlock } from "../verify/verified-block.ts";
import type { Verifier } from "../verify/verifier.ts";
import { findStored } from "../verify/verify-store.ts";

/** Solid blocks in order, and the number of the newest block. */
type Ahead = { readonly blocks: readonly LazyBlock[]; readonly head: number; readonly answers: AnswerCache };
type Paying = { readonly lazy: LazyBlock; readonly matches: Matches };

/** The addresses of merchants whose server answers. */
const owners: Verifier["owners"] = { find: (tx, packed) => findAnsweringOwners(tx, hashesIn(packed)) };

/**
 * Records and confirms the deposits of solid blocks for merchants whose server answers. It writes neither the blocks nor the cursor, so
 * they are read again for all merchants later, which changes nothing for these. A block of which the second reading differs from the
 * first waits for that. Returns how many blocks are done: too few nodes answer about the next one.
 */
export async function confirmBlocksAhead(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, head, answers }: Ahead,
): Promise<number> {
  const paying = await findPaying(context, verifier, blocks);
  if (paying.length === 0) return blocks.length;
  for (let left = paying; left.length > 0; )
    left = left.slice(await recordAhead(context, verifier, { paying: left, head }));
  const solid = paying.map(({ lazy: { summary } }) => {
    const { header, infosDigest, sourceNode } = summary;
    return { ...blockOf(header), infosDigest, sourceNode };
  });
  const reader = { ...verifier, owners };
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  const merchantIds = [
    ...new Set(paying.flatMap(({ matches }) => matches.observed.map(({ merchantId }) => merchantId))),
  ];
  const numbers = solid.map(({ number }) => number);
  const stored = await findStored(context.db, { network: verifier.network.name, numbers, merchantIds });
  const { read } = await readSolidBlocks(context, reader, { blocks: solid, stored, needed, answers });
  const verified = [...read.values()].filter(
    ({ quorum, stored }) => quorum === undefined && stored.length > 0,
  );
  const checked = await addBalances(context, reader, { blocks: verified, needed });
  await confirmAll(context, verifier, { checked: checked.blocks, head });
  const unread = solid.find(({ blockId }) => !read.has(blockId));
  return unread === undefined
    ? blocks.length
    : blocks.findIndex(({ summary }) => summary.header.id === unread.blockId);
}

/** The blocks that pay one of these merchants. */
async function findPaying(
  context: WatcherContext,
  { network }: Verifier,
  blocks: readonly LazyBlock[],
): Promise<Paying[]> {
  const matchable = blocks.map(({ summary: { header, involved }, decode }) => ({
    involved,
    decode: () => ({ ...decode().decoded, network: network.name, block: blockOf(header) }),
  }));
  const matched = await context.db.transaction((tx) => matchBlocks(tx, matchable, owners.find));
  return blocks.flatMap((lazy, index) => {
    const matches = matched[index]?.();
    return matches === undefined || matches.observed.length === 0 ? [] : [{ lazy, matches }];
  });
}

type Recording = { readonly paying: readonly Paying[]; readonly head: number };

/** Records blocks up to the first with an event, as a transaction may. Returns how many. */
async function recordAhead(
  context: WatcherContext,
  { network, lease, afterCommit }: Verifier,
  { paying, head }: Recording,
): Promise<number> {
  const scope = { network: network.name, epoch: lease.epoch };
  const found = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const deposits: Deposit[] = [];
    for (const [index, { lazy, matches }] of paying.entries()) {
      const { recorded, hasEvents } = await recordBlock(context, tx, {
        scope,
        block: blockOf(lazy.summary.header),
        inclusions: () => inclusionsOf(lazy.decode(), matches),
        matches,
        headNumber: head,
        // Older deposits, which are of all merchants, wait for the ordinary reading.
        open: { isAnyLost: false, unconfirmed: [] },
      });
      deposits.push(...recorded.transfers.detected, ...recorded.transfers.included);
      if (hasEvents) return { deposits, count: index + 1 };
    }
    return { deposits, count: paying.length };
  });
  afterCommit();
  reportDeposits(context, found.deposits);
  return found.count;
}

type Checked = { readonly checked: readonly VerifiedBlock[]; readonly head: number };

async function confirmAll(context: WatcherContext, verifier: Verifier, found: Checked): Promise<void> {
  for (let isMoreWaiting = found.checked.length > 0; isMoreWaiting; ) {
    const confirmed = await context.db.transaction((tx) => confirmIn(context, tx, { ...found, ...verifier }));
    verifier.afterCommit();
    reportDeposits(context, confirmed.deposits);
    isMoreWaiting = confirmed.isMoreWaiting;
  }
}

/** Confirms deposits of verified blocks, at most 200. Returns whether more may wait. */
async function confirmIn(
  context: WatcherContext,
  tx: Transaction,
  { checked, head, lease, network }: Checked & Verifier,
): Promise<{ deposits: ChangedDeposit[]; isMoreWaiting: boolean }> {
  const scope = { network: network.name, epoch: lease.epoch };
  await assertLease(tx, lease);
  for (const { block, checks } of checked) {
    await saveChecks(tx, { blockId: block.blockId, checks });
    await passNeedless(tx, { blockId: block.blockId, checks });
  }
  const buried = groupsOf(checked, depositMachine.edge("buried").from);
  const confirming = await markConfirming(tx, scope, { below: head, groups: buried });
  const confirmed = await confirmDeposits(context, tx, {
    scope,
    cursor: { number: head },
    solid: { number: Math.max(...checked.map(({ block }) => block.number)) },
    inBlocks: {
      groups: groupsOf(checked, depositMachine.edge("finalized").from),
      blockIds: checked.map(({ block }) => block.blockId),
    },
  });
  const moves = await findChangeEvents(context, tx, { deposits: confirming, headNumber: head });
  await enqueueEvents(context, tx, [...moves, ...confirmed.events]);
  return { deposits: [...confirming, ...confirmed.deposits], isMoreWaiting: confirmed.isMoreWaiting };
}

function groupsOf(checked: Checked["checked"], statuses: readonly OpenGroup["status"][]): OpenGroup[] {
  return checked.flatMap(({ block: { number: blockNumber }, stored }) => {
    const merchantIds = [...new Set(stored.map(({ merchantId }) => merchantId))];
    return statuses.flatMap((status) =>
      merchantIds.map((merchantId) => ({ merchantId, status, blockNumber })),
    );
  });
}
