import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** The nodes' chain left ours at a block that was solid, and nothing is read until somebody says so. */
export type Halt = {
  readonly number: number;
  readonly ourId: string;
  readonly theirId: string;
  /** the nodes that said so */
  readonly nodes: string;
  readonly haltedAt: Date;
  /** when an operator said that reading shall go on; null before */
  readonly resumedAt: Date | null;
};

/** The halt that is not over: also one that an operator has ended and the watcher has not seen yet. */
export async function findHalt(db: Queryable, network: string): Promise<Halt | undefined> {
  const row = maybeOne(
    await db.query<Omit<Halt, "number"> & { number: bigint }>(sql`
      select number, our_id as "ourId", their_id as "theirId", nodes, halted_at as "haltedAt", resumed_at as "resumedAt"
      from scan_halts where network = ${network} and ended_at is null`),
  );
  return row && { ...row, number: Number(row.number) };
}

export async function insertHalt(
  tx: Transaction,
  input: { network: string } & Pick<Halt, "number" | "ourId" | "theirId" | "nodes">,
): Promise<void> {
  await tx.query(sql`
    insert into scan_halts (network, number, our_id, their_id, nodes)
    values (${input.network}, ${input.number}, ${input.ourId}, ${input.theirId}, ${input.nodes})
    on conflict do nothing`);
}

/** An operator's word; one that was given stays. */
export async function markResumed(db: Queryable, network: string): Promise<void> {
  await db.query(sql`
    update scan_halts set resumed_at = now()
    where network = ${network} and ended_at is null and resumed_at is null`);
}

/** The watcher has gone on from this height. */
export async function endHalt(
  tx: Transaction,
  { network, ancestor }: { network: string; ancestor: number },
): Promise<void> {
  await tx.query(sql`
    update scan_halts set ended_at = now(), ancestor = ${ancestor}
    where network = ${network} and ended_at is null and resumed_at is not null`);
}
