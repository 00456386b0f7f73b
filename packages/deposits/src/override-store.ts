import type { BlockOverride } from "@daric/chain/nodes/block-overrides";
import { type Queryable, sql } from "@daric/postgres/sql";

export type AcceptedBlock = BlockOverride & {
  /** the faults of the nodes' answers */
  readonly nodeFaults: string;
  readonly reason: string;
  readonly acceptedBy: string;
  readonly acceptedAt: Date;
};

/** All overrides of a network, the newest last. */
export async function findOverrides(db: Queryable, network: string): Promise<AcceptedBlock[]> {
  const rows = await db.query<
    Omit<AcceptedBlock, "blockNumber" | "until"> & { blockNumber: bigint; until: bigint }
  >(sql`
    select block_id as "blockId", block_number as "blockNumber", until_number as until, checks, node_faults as "nodeFaults", reason,
      accepted_by as "acceptedBy", accepted_at as "acceptedAt"
    from accepted_blocks where network = ${network} order by accepted_at`);
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber), until: Number(row.until) }));
}

export async function insertOverride(
  db: Queryable,
  network: string,
  { blockId, blockNumber, until, checks, nodeFaults, reason, acceptedBy }: Omit<AcceptedBlock, "acceptedAt">,
): Promise<void> {
  await db.query(sql`
    insert into accepted_blocks (network, block_id, block_number, until_number, checks, node_faults, reason, accepted_by)
    values (${network}, ${blockId}, ${blockNumber}, ${until}, ${checks}::text[], ${nodeFaults}, ${reason}, ${acceptedBy})`);
}
