import { depositMachine } from "@daric/domain/deposit";
import { joinedOf, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { inLists } from "@daric/runtime/fair-rounds";
import { depositsIn, merchantsOf, readOpenGroups } from "./open-store.ts";

const lost = depositMachine.edge("failed");

/** SQL condition on d: our chain has the transaction, and it is unknown whether it paid. Stored as an infinite expiration. */
export const isUncertain: Sql = sql`coalesce(d.tx_expires_at = 'infinity', false)`;

export type Inclusions = {
  readonly txIds: readonly string[];
  /** those whose internal transactions are certainly complete */
  readonly completeTxIds: readonly string[];
};

/**
 * Notes on orphaned deposits that this block has their transaction without paying them, and whether that is certain. It must run
 * after the block's transfers are recorded. The note counts while the block is in the chain. Returns whether orphaned deposits
 * exist: forks and corrections make them.
 */
export async function markUnpaid(
  tx: Transaction,
  input: { network: string; blockId: string; inclusions: () => Inclusions },
): Promise<boolean> {
  let isAny = false;
  let inclusions: Inclusions | undefined;
  for (const groups of inLists(await readOpenGroups(tx, { network: input.network, statuses: lost.from }))) {
    isAny = true;
    inclusions ??= input.inclusions();
    const { txIds, completeTxIds } = inclusions;
    const met = { statuses: lost.from, condition: sql`d.tx_id = any(${txIds})` };
    await tx.query(sql`
      update deposits changed set unpaid_block_id = ${input.blockId},
        tx_expires_at = case when changed.source = 'internal' and changed.tx_id <> all(${completeTxIds}::text[])
          then 'infinity' else nullif(changed.tx_expires_at, 'infinity') end
      from (${depositsIn(input.network, groups, met)}) met
      where ${joinedOf(sql`changed.merchant_id`, merchantsOf(groups))} and changed.merchant_id = met.merchant_id
        and changed.id = met.id`);
  }
  return isAny;
}
