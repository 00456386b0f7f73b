import { type Sql, sql, type Transaction } from "@daric/postgres/sql";

/** What a node has contributed to a range that is read again. */
export type RescanNode = {
  readonly node: string;
  /** how many blocks it showed as those that are ours */
  readonly shown: number;
  readonly notShown: number;
  /** why it did not show the last of those */
  readonly reason: string | null;
};

/** Of the range in a row of `rescans`, in the order of their names. */
export const nodesOfRescan: Sql = sql`(
  select coalesce(json_agg(json_build_object('node', asked.node, 'shown', asked.blocks_shown,
    'notShown', asked.blocks_not_shown, 'reason', asked.reason) order by asked.node), '[]')
  from rescan_nodes asked where asked.network = rescans.network and asked.rescan_id = rescans.id)`;

/** Whether a node showed a block as ours, or why not. */
export type RescanAnswer = { readonly node: string; readonly reason: string | undefined };

/** Counts what each node, named once, answered when it was asked for one block of a range. */
export async function countAnswers(
  tx: Transaction,
  { network, id, answers }: { network: string; id: number; answers: readonly RescanAnswer[] },
): Promise<void> {
  await tx.query(sql`
    insert into rescan_nodes (network, rescan_id, node, blocks_shown, blocks_not_shown, reason)
    select ${network}, ${id}, node, (reason is null)::int, (reason is not null)::int, reason
    from unnest(${answers.map(({ node }) => node)}::text[], ${answers.map(({ reason }) => reason ?? null)}::text[])
      as answer (node, reason)
    on conflict (network, rescan_id, node) do update
    set blocks_shown = rescan_nodes.blocks_shown + excluded.blocks_shown,
      blocks_not_shown = rescan_nodes.blocks_not_shown + excluded.blocks_not_shown,
      reason = coalesce(excluded.reason, rescan_nodes.reason)`);
}
