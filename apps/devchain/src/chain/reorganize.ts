import type { TronTransaction } from "@daric/tron/transaction";
import { SLOT_MS } from "../ledger/limits.ts";
import { type SettingValues, settingsIn } from "../ledger/settings.ts";
import { layeredState, type StateChanges } from "../ledger/state.ts";
import type { ExecutedBlock } from "./block-record.ts";
import { headOf, type LocalChain, refreshPending, solidOf } from "./chain.ts";
import { appendBlocks, blockAt, stateAt } from "./chain-store.ts";
import { produceBlock } from "./produce-block.ts";
import { witnessAt } from "./witnesses.ts";

export type ReorgPlan = {
  /** how many of the newest blocks are replaced */
  readonly depth: number;
  /** transactions that vanish */
  readonly drop: readonly string[];
  /** transactions that fail in the new branch */
  readonly fail: readonly string[];
  /** transactions that come one block later in the new branch */
  readonly move: readonly string[];
};

/** A plan that this chain cannot carry out; `field` names its wrong part. */
export class ReorgRefusal extends Error {
  override readonly name = "ReorgRefusal";
  readonly field: keyof ReorgPlan;

  constructor(field: keyof ReorgPlan, rule: string) {
    super(rule);
    this.field = field;
  }
}

/**
 * Replaces the newest blocks by a branch that is one block longer, like a node that switches forks. Each block of
 * the branch is one slot later, so it differs from the one it replaces.
 * Reference blocks and expirations are not checked again. A transaction that can no longer run vanishes. Settings
 * stay in their blocks.
 * @throws ReorgRefusal for solid blocks, and for ids that are not in the replaced blocks or occur twice.
 */
export function reorganize(chain: LocalChain, plan: ReorgPlan): void {
  const replaced = replacedTransactions(chain, plan.depth);
  validateIds(plan, new Set(replaced.flat().map(({ txId }) => txId)));
  const ancestor = headOf(chain) - plan.depth;
  const transactions = branchTransactions(replaced, plan);
  const branch = buildBranch(chain, ancestor, { transactions, mustFail: new Set(plan.fail) });
  appendBlocks(chain.store, ancestor, branch);
  refreshPending(chain);
}

/** How many of the newest blocks hold the named transactions. @throws ReorgRefusal for one that is in no block. */
export function depthOf(chain: LocalChain, named: Omit<ReorgPlan, "depth">): number {
  const depths = (["drop", "fail", "move"] as const).flatMap((field) =>
    named[field].map((txId) => {
      const number = chain.store.numberByTxId.get(txId);
      if (number === undefined) throw new ReorgRefusal(field, `${txId} is in no block`);
      return headOf(chain) - number + 1;
    }),
  );
  return Math.max(...depths);
}

export function branchTransactions(
  replaced: readonly (readonly TronTransaction[])[],
  { drop, move }: Pick<ReorgPlan, "drop" | "move">,
): TronTransaction[][] {
  const branch: TronTransaction[][] = [...replaced.map(() => []), []];
  for (const [position, transactions] of replaced.entries()) {
    for (const transaction of transactions) {
      if (drop.includes(transaction.txId)) continue;
      branch[position + (move.includes(transaction.txId) ? 1 : 0)]?.push(transaction);
    }
  }
  return branch;
}

function buildBranch(
  chain: LocalChain,
  ancestor: number,
  branch: { transactions: readonly (readonly TronTransaction[])[]; mustFail: ReadonlySet<string> },
): ExecutedBlock[] {
  const base = stateAt(chain.store, ancestor);
  const layers: StateChanges[] = [];
  const blocks: ExecutedBlock[] = [];
  let parentId = chain.store.ids[ancestor] ?? "";
  let timestamp = chain.store.timestamps[ancestor] ?? 0;
  for (const [position, transactions] of branch.transactions.entries()) {
    const number = ancestor + position + 1;
    const parentTimeMs = timestamp;
    timestamp = nextBranchSlot(chain, number, timestamp);
    const executed = produceBlock(layeredState(base, layers), {
      parentId,
      parentTimeMs,
      number,
      timestamp,
      witness: witnessAt(chain.witnesses, timestamp),
      settings: settingsOf(chain, number),
      transactions,
      mustFail: branch.mustFail,
    });
    blocks.push(executed);
    layers.push(executed.changes);
    parentId = executed.block.id;
  }
  return blocks;
}

/** The settings of the block that a block of the branch replaces. */
function settingsOf(chain: LocalChain, number: number): SettingValues {
  const layer = chain.store.layers[number - solidOf(chain) - 1];
  return layer === undefined ? new Map() : settingsIn(layer);
}

/** One slot after the branch's last block, and later than the replaced block. */
function nextBranchSlot(chain: LocalChain, number: number, lastMs: number): number {
  return Math.max(lastMs, chain.store.timestamps[number] ?? 0) + SLOT_MS;
}

function replacedTransactions(chain: LocalChain, depth: number): TronTransaction[][] {
  const deepest = headOf(chain) - solidOf(chain);
  if (depth > deepest) {
    throw new ReorgRefusal(
      "depth",
      `must be at most ${deepest}: block ${solidOf(chain)} is solid, and a solid block is never replaced`,
    );
  }
  return Array.from({ length: depth }, (_, position) => {
    const stored = blockAt(chain.store, headOf(chain) - depth + 1 + position);
    return stored?.block.transactions.map(({ transaction }) => transaction) ?? [];
  });
}

function validateIds(plan: ReorgPlan, replaced: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const field of ["drop", "fail", "move"] as const) {
    for (const txId of plan[field]) {
      if (!replaced.has(txId)) {
        throw new ReorgRefusal(field, `${txId} is in none of the last ${plan.depth} blocks`);
      }
      if (seen.has(txId)) throw new ReorgRefusal(field, `${txId} is named more than once`);
      seen.add(txId);
    }
  }
}
