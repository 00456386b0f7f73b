import { type Sql, sql, type Transaction } from "@daric/postgres/sql";

export type RescanNode = {
  readonly node: string;
  /** the number of blocks on which it agrees with our chain */
  readonly shown: number;
  readonly notShown: number;
  /** why it did not agree on the last of the other blocks */
  readonly reason: string | null;
};

/** SQL: the nodes of a row of `rescans` by name. */
export const nodesOfRescan: Sql = sql`(
  select coalesce(json_agg(json_build_object('node', counted.node, 'shown', counted.blocks_shown,
    'notShown', counted.blocks_not_shown, 'reason', counted.reason) order by counted.node), '[]')
  from rescan_nodes counted where counted.network = rescans.network and counted.rescan_id = rescans.id)`;

/** The answer of a node about a block. `reason`: why the node does not have our block, if so. */
export type RescanAnswer = { readonly node: string; readonly reason: string | undefined };

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
