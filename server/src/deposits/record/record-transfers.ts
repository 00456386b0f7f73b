import type { Transaction } from "@daric/postgres/sql";
import { recordUnattributed, type UnattributedTransfer } from "../../addresses/unattributed-store.ts";
import { inMerchantLists } from "../../runtime/fair-rounds.ts";
import { assignQuotes } from "../assign-quotes.ts";
import type { ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { includeAgain } from "../status-store.ts";
import {
  type ChangedDeposit,
  type Deposit,
  findInBlock,
  insertDeposits,
  type ObservedTransfer,
  type Scope,
} from "../store.ts";
import type { Matches } from "./match-transfers.ts";
import { type Outflow, recordOutflows } from "./outflow-store.ts";
import { recordOwnTransactions } from "./own-transaction-store.ts";
import { insertUnsupported, type UnsupportedArrival } from "./unsupported-store.ts";

/** What the transfers of one block were to us. */
export type RecordedTransfers = {
  /** how many pay one of our addresses */
  readonly count: number;
  /** the deposits that are DETECTED by them for the first time */
  readonly detected: readonly Deposit[];
  /** the deposits that are DETECTED by them again: their block had left the chain, or they were even FAILED */
  readonly included: readonly ChangedDeposit[];
  /** those that name a deposit which stands in another block of our chain: its first observed transfer stands */
  readonly refused: readonly ObservedTransfer[];
  /** those that pay an address which belongs to no merchant, for the first time */
  readonly unattributed: readonly UnattributedTransfer[];
  /** what left our addresses, for the first time */
  readonly outflows: readonly Outflow[];
  /** the tokens that we do not accept and that pay one of our addresses, for the first time */
  readonly unsupported: readonly UnsupportedArrival[];
};

/**
 * Keeps those transfers of a block that pay one of our addresses, whatever the charge's status: each becomes one
 * deposit, for ever. A deposit whose block had left the chain is re-included, with its amount read again, FAILED or not:
 * the chain decides; where its transfer pays another address now, that is another deposit. A block that is read twice
 * changes nothing. Deposits of fiat-priced charges are judged by their quotes. What leaves our addresses, and tokens that are
 * no money, are kept beside, and so is what our addresses signed. As many statements for thousands of transfers as for one,
 * and none where nothing concerns us. Reports nothing itself: the transaction may run again.
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
  for (const list of inMerchantLists(matches.observed)) {
    const isNew = await insertDeposits(tx, scope, { observed: list, block, requiredConfirmations });
    detected.push(...isNew);
    const known = without(list, isNew);
    const again = known.length === 0 ? [] : await includeAgain(tx, scope, { observed: known, block });
    included.push(...again);
    await assignQuotes(tx, [...isNew, ...again], block.time);
    refused.push(...(await standingElsewhere(tx, without(known, again), block)));
  }
  await recordOwnTransactions(tx, { network, block, own: matches.own });
  return {
    count: matches.observed.length,
    detected,
    included,
    refused,
    unattributed: await recordUnattributed(tx, matches.unattributed),
    outflows: await recordOutflows(tx, { network, block, outflows: matches.outflows }),
    unsupported: await insertUnsupported(tx, { network, block, arrivals: matches.unsupported }),
  };
}

/** Those that do not name a deposit of this very block, which is only read again. */
async function standingElsewhere(
  tx: Transaction,
  observed: readonly ObservedTransfer[],
  block: ReadBlock,
): Promise<ObservedTransfer[]> {
  if (observed.length === 0) return [];
  const here = new Set(await findInBlock(tx, { observed, block }));
  return observed.filter(({ id }) => !here.has(id));
}

function without<S extends Pick<ObservedTransfer, "id">>(
  all: readonly S[],
  some: readonly Pick<ObservedTransfer, "id">[],
): S[] {
  const ids = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}
