import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { RescanNode } from "./rescan-nodes.ts";

/** WAITING: not started. REFUSED: impossible; `note` names the way out. */
export type RescanStatus = "WAITING" | "RUNNING" | "DONE" | "REFUSED";

export type Rescan = {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly next: number;
  /** from `to` down to `from`, so that blocks below our first one are added next to it */
  readonly goesDown: boolean;
  readonly status: RescanStatus;
  readonly blocksRead: number;
  readonly blocksAdded: number;
  readonly depositsAdded: number;
  readonly blocksDiffering: number;
  readonly differing: readonly string[];
  readonly nodes: readonly RescanNode[];
  readonly note: string | null;
};

const MAX_DIFFERING = 10;
/** A rescan ends if no node has its next block for this long. */
const GIVE_UP_AFTER = sql`interval '10 minutes'`;

const columns = sql`
  id, from_number as "from", to_number as "to", next_number as "next", goes_down as "goesDown", status,
  blocks_read as "blocksRead", blocks_added as "blocksAdded", deposits_added as "depositsAdded",
  blocks_differing as "blocksDiffering", differing, nodes, note`;

type RescanRow = { readonly [Field in keyof Rescan]: Rescan[Field] extends number ? bigint : Rescan[Field] };

function toRescan(row: RescanRow): Rescan {
  return {
    ...row,
    id: Number(row.id),
    from: Number(row.from),
    to: Number(row.to),
    next: Number(row.next),
    blocksRead: Number(row.blocksRead),
    blocksAdded: Number(row.blocksAdded),
    depositsAdded: Number(row.depositsAdded),
    blocksDiffering: Number(row.blocksDiffering),
  };
}

export async function insertRescan(
  db: Queryable,
  { network, from, to, goesDown }: { network: string; from: number; to: number; goesDown: boolean },
): Promise<Rescan> {
  const rows = await db.query<RescanRow>(sql`
    insert into rescans (network, from_number, to_number, next_number, goes_down)
    values (${network}, ${from}, ${to}, ${goesDown ? to : from}, ${goesDown}) returning ${columns}`);
  return toRescan(one(rows));
}

export async function findOpenRescan(db: Queryable, network: string): Promise<Rescan | undefined> {
  const row = maybeOne(
    await db.query<RescanRow>(sql`
      select ${columns} from rescans where network = ${network} and finished_at is null order by id limit 1`),
  );
  return row && toRescan(row);
}

export async function findRescan(
  db: Queryable,
  { network, id }: { network: string; id: number },
): Promise<Rescan | undefined> {
  const row = maybeOne(
    await db.query<RescanRow>(sql`select ${columns} from rescans where network = ${network} and id = ${id}`),
  );
  return row && toRescan(row);
}

/** A rescan with its times; `finishedAt` is null while it waits or runs. */
export type TimedRescan = Rescan & { readonly createdAt: Date; readonly finishedAt: Date | null };

/** The newest rescans, the newest first. */
export async function listRescans(
  db: Queryable,
  { network, limit }: { network: string; limit: number },
): Promise<TimedRescan[]> {
  const rows = await db.query<RescanRow & Pick<TimedRescan, "createdAt" | "finishedAt">>(sql`
    select ${columns}, created_at as "createdAt", finished_at as "finishedAt"
    from rescans where network = ${network} order by id desc limit ${limit}`);
  return rows.map((row) => ({
    ...toRescan(row),
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
  }));
}

/** Locks a rescan if this is its next block, and returns its nodes; undefined if it is another. */
export async function lockRescan(
  tx: Transaction,
  { network, id, next }: { network: string; id: number; next: number },
): Promise<Rescan["nodes"] | undefined> {
  const rows = await tx.query<Pick<Rescan, "nodes">>(sql`
    select nodes from rescans
    where network = ${network} and id = ${id} and next_number = ${next} and finished_at is null for update`);
  return rows[0]?.nodes;
}

export type RescanStep = {
  readonly isAdded: boolean;
  readonly deposits: number;
  /** how the nodes differ from our final block */
  readonly differences: readonly string[];
};

/** A step with the nodes' counts after it. */
type CountedStep = RescanStep & Pick<Rescan, "nodes">;

export async function advanceRescan(
  tx: Transaction,
  network: string,
  { rescan, step }: { rescan: Rescan; step: CountedStep },
): Promise<void> {
  const { id, next, from, to, goesDown } = rescan;
  const isLast = next === (goesDown ? from : to);
  await tx.query(sql`
    update rescans set
      next_number = ${goesDown ? next - 1 : next + 1},
      status = ${isLast ? "DONE" : "RUNNING"},
      finished_at = ${isLast ? sql`now()` : sql`null`},
      blocks_read = blocks_read + 1,
      blocks_added = blocks_added + ${step.isAdded ? 1 : 0},
      deposits_added = deposits_added + ${step.deposits},
      blocks_differing = blocks_differing + ${step.differences.length === 0 ? 0 : 1},
      differing = case when cardinality(differing) < ${MAX_DIFFERING} then differing || ${step.differences}::text[] else differing end,
      nodes = ${JSON.stringify(step.nodes)}::jsonb, note = null, updated_at = now()
    where network = ${network} and id = ${id}`);
}

export async function refuseRescan(
  db: Queryable,
  { network, id, note }: { network: string; id: number; note: string },
): Promise<void> {
  await db.query(sql`
    update rescans set status = 'REFUSED', finished_at = now(), updated_at = now(), note = ${note}
    where network = ${network} and id = ${id} and finished_at is null`);
}

/** Notes why a rescan waits. After ten minutes it ends; returns whether it did. */
export async function delayRescan(
  db: Queryable,
  { network, id, note }: { network: string; id: number; note: string },
): Promise<boolean> {
  const rows = await db.query<{ isOver: boolean }>(sql`
    update rescans set note = ${note},
      status = case when updated_at < now() - ${GIVE_UP_AFTER} then 'REFUSED' else status end,
      finished_at = case when updated_at < now() - ${GIVE_UP_AFTER} then now() end
    where network = ${network} and id = ${id} and finished_at is null
    returning finished_at is not null as "isOver"`);
  return rows[0]?.isOver ?? true;
}
