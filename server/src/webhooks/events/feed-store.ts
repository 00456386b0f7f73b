import { empty, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { EventId, MerchantId } from "../../domain/ids.ts";
import type { WebhookEventType } from "../../domain/webhook-event.ts";
import { wanted } from "../../totals/list-store.ts";

/**
 * A place in the order of a merchant's events. Events without a position are older than the positions and come first, in
 * the order of (created_at, id).
 */
export type FeedPlace = {
  readonly id: EventId;
  readonly position: bigint | null;
  readonly createdAt: Date;
};

export type FeedRow = FeedPlace & {
  readonly type: WebhookEventType;
  readonly sequence: number;
  /** null once it is no longer kept */
  readonly body: Buffer | null;
  readonly mac: Buffer | null;
  readonly isOlderThanCodes: boolean;
};

/** A run of events: those of the wanted types, and how far it was read. */
export type FeedRun = {
  readonly rows: FeedRow[];
  /** the last event that was read, of whichever type; undefined where none follows */
  readonly last: EventId | undefined;
  /** number of events that were read */
  readonly scanned: number;
};

export type RunOptions = {
  readonly merchantId: MerchantId;
  /** undefined for every type */
  readonly types: readonly WebhookEventType[] | undefined;
  /** most events that are read */
  readonly scan: number;
  /** most events that are returned */
  readonly limit: number;
};

const place = sql`id, position, created_at as "createdAt"`;

/** Returns an event with its body; undefined if the merchant has none with this id. */
export async function findEvent(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: EventId },
): Promise<FeedRow | undefined> {
  return maybeOne(
    await db.query<FeedRow>(sql`
      select event.id, event.type, event.sequence, event.created_at as "createdAt", event.position, event.mac, body.body,
        event.mac is null and event.created_at < (select events_sealed_from from deployment) as "isOlderThanCodes"
      from webhook_events event
      left join lateral (
        select body from webhook_event_bodies
        where merchant_id = ${merchantId} and event_id = event.id and created_at = event.created_at limit 1) body on true
      where event.merchant_id = ${merchantId} and event.id = ${id}`),
  );
}

/** Returns where an event stands; undefined if the merchant has none with this id. */
export async function findPlace(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: EventId },
): Promise<FeedPlace | undefined> {
  return maybeOne(
    await db.query<FeedPlace>(
      sql`select ${place} from webhook_events where merchant_id = ${merchantId} and id = ${id}`,
    ),
  );
}

/** Returns the newest event of a merchant; undefined if it has none. */
export async function findNewest(db: Queryable, merchantId: MerchantId): Promise<FeedPlace | undefined> {
  const [placed] = await db.query<FeedPlace>(sql`
    select ${place} from webhook_events where merchant_id = ${merchantId} and position is not null
    order by position desc limit 1`);
  if (placed !== undefined) return placed;
  const [older] = await db.query<FeedPlace>(sql`
    select ${place} from webhook_events where merchant_id = ${merchantId}
    order by created_at desc, id desc limit 1`);
  return older;
}

/** Reads on after a position, oldest first; the first events after position 0. */
export function readPlaced(db: Queryable, options: RunOptions, after: bigint): Promise<FeedRun> {
  const statement = runOf(options, {
    condition: sql`position > ${after}::bigint`,
    order: sql`position`,
    kept: empty,
  });
  return readRun(db, statement);
}

/** Reads on among the events without a position, oldest first; from the first without a place. */
export function readUnplaced(
  db: Queryable,
  options: RunOptions,
  after: FeedPlace | undefined,
): Promise<FeedRun> {
  const statement = runOf(options, {
    condition: sql`true ${wanted(
      after,
      ({ id }) => sql`and (created_at, id) >
      (select last.created_at, last.id from webhook_events last
       where last.merchant_id = ${options.merchantId} and last.id = ${id})`,
    )}`,
    order: sql`created_at, id`,
    kept: sql`where position is null`,
  });
  return readRun(db, statement);
}

/** The limits keep the planner from reading all events, and from searching every month's partition for a body. */
function runOf(
  { merchantId, types, scan, limit }: RunOptions,
  { condition, order, kept }: { condition: Sql; order: Sql; kept: Sql },
): Sql {
  return sql`
    with ahead as (
      select merchant_id, id, type, sequence, created_at, position, mac, row_number() over (order by ${order}) as place
      from (
        select * from webhook_events where merchant_id = ${merchantId} and ${condition}
        order by ${order} limit ${scan}) few),
    scanned as (select * from ahead ${kept}),
    chosen as (
      select * from scanned
      where true ${wanted(types, (names) => sql`and type = any(${names}::text[])`)} order by place limit ${limit})
    select total.scanned, total.last, chosen.id, chosen.type, chosen.sequence, chosen.created_at as "createdAt",
      chosen.position, chosen.mac, body.body,
      chosen.mac is null and chosen.created_at < (select events_sealed_from from deployment) as "isOlderThanCodes"
    from (
      select count(*)::integer as scanned, (array_agg(id order by place desc))[1] as last from scanned) total
    left join chosen on true
    left join lateral (
      select body from webhook_event_bodies
      where merchant_id = ${merchantId} and event_id = chosen.id and created_at = chosen.created_at
      limit 1) body on true
    order by chosen.place`;
}

type RunRow = { scanned: number; last: EventId | null } & (FeedRow | { id: null });

async function readRun(db: Queryable, statement: Sql): Promise<FeedRun> {
  const rows = await db.query<RunRow>(statement);
  const [first = one(rows)] = rows;
  return {
    rows: rows.filter((row): row is RunRow & FeedRow => row.id !== null),
    last: first.last ?? undefined,
    scanned: first.scanned,
  };
}
