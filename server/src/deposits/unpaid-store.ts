import { joinedOf, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { depositMachine } from "../domain/deposit.ts";
import { depositsIn, listOpenGroups, merchantsOf } from "./open-store.ts";

const lost = depositMachine.edge("failed");

/**
 * Condition on d: its block has its transaction, and nobody can tell whether that paid it. Written as a transaction that never
 * expires, because it is in our chain.
 */
export const isUncertain: Sql = sql`coalesce(d.tx_expires_at = 'infinity', false)`;

/** The transactions of a block. */
export type Inclusions = {
  readonly txIds: readonly string[];
  /** those of which the block certainly shows whatever contracts sent */
  readonly wholeTxIds: readonly string[];
};

/**
 * Notes of deposits whose block left the chain that a block has their transaction and did not pay them, and whether that is
 * certain. To be called once the block's own transfers are recorded. The note counts for as long as that block is in the chain,
 * and until the next one. Answers whether there are such deposits: blocks that are read make none, only forks do.
 */
export async function noteUnpaid(
  tx: Transaction,
  input: { network: string; blockId: string; inclusions: () => Inclusions },
): Promise<boolean> {
  let isAny = false;
  let inclusions: Inclusions | undefined;
  for await (const groups of listOpenGroups(tx, { network: input.network, statuses: lost.from })) {
    isAny = true;
    inclusions ??= input.inclusions();
    const { txIds, wholeTxIds } = inclusions;
    const met = { statuses: lost.from, condition: sql`d.tx_id = any(${txIds})` };
    await tx.query(sql`
      update deposits changed set unpaid_block_id = ${input.blockId},
        tx_expires_at = case when changed.source = 'internal' and changed.tx_id <> all(${wholeTxIds}::text[])
          then 'infinity' else nullif(changed.tx_expires_at, 'infinity') end
      from (${depositsIn(input.network, groups, met)}) met
      where ${joinedOf(sql`changed.merchant_id`, merchantsOf(groups))} and changed.merchant_id = met.merchant_id
        and changed.id = met.id`);
  }
  return isAny;
}
