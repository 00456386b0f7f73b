import { recordUnattributed, type UnattributedTransfer } from "@daric/addresses/unattributed-store";
import type { Transaction } from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import type { ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { assignQuotes } from "../quote-store.ts";
import { includeAgain } from "../status-store.ts";
import {
  type ChangedDeposit,
  type Deposit,
  insertDeposits,
  type ObservedTransfer,
  type Scope,
} from "../store.ts";
import type { Matches } from "./match-transfers.ts";
import { type Outflow, recordOutflows } from "./outflow-store.ts";
import { recordOwnTransactions } from "./own-transaction-store.ts";
import { findInBlock } from "./standing-store.ts";
import { insertUnsupported, type UnsupportedArrival } from "./unsupported-store.ts";

export type RecordedTransfers = {
  /** transfers that pay one of our addresses, without those that an operator rejected */
  readonly count: number;
  readonly detected: readonly Deposit[];
  /** deposits that return after their block had left the chain, even FAILED ones */
  readonly included: readonly ChangedDeposit[];
  /** transfers whose deposit stands in another block of our chain */
  readonly refused: readonly ObservedTransfer[];
  readonly unattributed: readonly UnattributedTransfer[];
  readonly outflows: readonly Outflow[];
  readonly unsupported: readonly UnsupportedArrival[];
};

/**
 * Stores the transfers of a block that concern our addresses, each once. A deposit whose block had left the chain returns with its
 * amount read again; the chain decides even about FAILED ones. The number of statements does not grow with the transfers.
 */
export async function recordTransfers(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, block, matches }: { scope: Scope; block: ReadBlock; matches: Matches },
): Promise<RecordedTransfers> {
  const { requiredConfirmations } = context.config.deposits;
  const { network } = scope;
  const detected: Deposit[] = [];
  const included: ChangedDeposit[] = [];
  const refused: ObservedTransfer[] = [];
  let rejected = 0;
  for (const list of inMerchantLists(matches.observed)) {
    const isNew = await insertDeposits(tx, scope, { observed: list, block, requiredConfirmations });
    detected.push(...isNew);
    const known = without(list, isNew);
    const again = known.length === 0 ? [] : await includeAgain(tx, scope, { observed: known, block });
    included.push(...again);
    await assignQuotes(tx, [...isNew, ...again], block.time);
    const left = without(known, again);
    const found = left.length === 0 ? [] : await findInBlock(tx, { observed: left, block });
    refused.push(...without(left, found));
    rejected += found.filter(({ isRejected }) => isRejected).length;
  }
  await recordOwnTransactions(tx, { network, block, own: matches.own });
  return {
    count: matches.observed.length - rejected,
    detected,
    included,
    refused,
    unattributed: await recordUnattributed(tx, matches.unattributed),
    outflows: await recordOutflows(tx, { network, block, outflows: matches.outflows }),
    unsupported: await insertUnsupported(tx, { network, block, arrivals: matches.unsupported }),
  };
}

function without<S extends Pick<ObservedTransfer, "id">>(
  all: readonly S[],
  some: readonly Pick<ObservedTransfer, "id">[],
): S[] {
  const ids = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}
