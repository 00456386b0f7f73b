import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** A halt: the nodes' chain left ours at a solid block, and an operator must resume the scan. */
export type Halt = {
  readonly number: number;
  readonly ourId: string;
  readonly theirId: string;
  readonly nodes: string;
  readonly haltedAt: Date;
  /** when an operator resumed the scan, if so */
  readonly resumedAt: Date | null;
};

/** The current halt, also one that is resumed and that the watcher has not ended yet. */
export async function findHalt(db: Queryable, network: string): Promise<Halt | undefined> {
  const row = maybeOne(
    await db.query<Omit<Halt, "number"> & { number: bigint }>(sql`
      select number, our_id as "ourId", their_id as "theirId", nodes, halted_at as "haltedAt", resumed_at as "resumedAt"
      from scan_halts where network = ${network} and ended_at is null`),
  );
  return row && { ...row, number: Number(row.number) };
}

/** A halt of the past or of now; `ancestor` is the block from which the watcher went on. */
export type PastHalt = Halt & { readonly endedAt: Date | null; readonly ancestor: number | null };

/** The newest halts, the newest first. */
export async function listHalts(
  db: Queryable,
  { network, limit }: { network: string; limit: number },
): Promise<PastHalt[]> {
  const rows = await db.query<
    Omit<PastHalt, "number" | "ancestor"> & { number: bigint; ancestor: bigint | null }
  >(sql`
    select number, our_id as "ourId", their_id as "theirId", nodes, halted_at as "haltedAt", resumed_at as "resumedAt",
      ended_at as "endedAt", ancestor
    from scan_halts where network = ${network} order by halted_at desc limit ${limit}`);
  return rows.map(({ number, ancestor, ...row }) => ({
    ...row,
    number: Number(number),
    ancestor: ancestor === null ? null : Number(ancestor),
  }));
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

/** Records the operator's command; the first one counts. */
export async function markResumed(db: Queryable, network: string): Promise<void> {
  await db.query(sql`
    update scan_halts set resumed_at = now()
    where network = ${network} and ended_at is null and resumed_at is null`);
}

export async function endHalt(
  tx: Transaction,
  { network, ancestor }: { network: string; ancestor: number },
): Promise<void> {
  await tx.query(sql`
    update scan_halts set ended_at = now(), ancestor = ${ancestor}
    where network = ${network} and ended_at is null and resumed_at is not null`);
}
