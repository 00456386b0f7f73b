import type { EventId, MerchantId } from "@daric/domain/ids";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";
import { wanted } from "@daric/totals/list-store";

/** A place in the order of a merchant's events. */
export type FeedPlace = { readonly id: EventId; readonly position: bigint };

export type FeedRow = FeedPlace & {
  readonly type: WebhookEventType;
  readonly sequence: number;
  readonly createdAt: Date;
  /** null once it is no longer kept */
  readonly body: Buffer | null;
  readonly mac: Buffer | null;
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

/** Returns an event with its body; undefined if the merchant has none with this id. */
export async function findEvent(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: EventId },
): Promise<FeedRow | undefined> {
  return maybeOne(
    await db.query<FeedRow>(sql`
      select event.id, event.type, event.sequence, event.created_at as "createdAt", event.position, event.mac, body.body
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
      sql`select id, position from webhook_events where merchant_id = ${merchantId} and id = ${id}`,
    ),
  );
}

/** Returns the newest event of a merchant; undefined if it has none. */
export async function findNewest(db: Queryable, merchantId: MerchantId): Promise<FeedPlace | undefined> {
  return maybeOne(
    await db.query<FeedPlace>(sql`
      select id, position from webhook_events where merchant_id = ${merchantId} and position is not null
      order by position desc limit 1`),
  );
}

/**
 * Reads on after a position, oldest first; the first events after position 0. The limits keep the planner from reading all events, and
 * from searching every month's partition for a body.
 */
export async function readFeed(
  db: Queryable,
  { merchantId, types, scan, limit }: RunOptions,
  after: bigint,
): Promise<FeedRun> {
  const rows = await db.query<RunRow>(sql`
    with scanned as (
      select merchant_id, id, type, sequence, created_at, position, mac from webhook_events
      where merchant_id = ${merchantId} and position > ${after}::bigint
      order by position limit ${scan}),
    chosen as (
      select * from scanned
      where true ${wanted(types, (names) => sql`and type = any(${names}::text[])`)} order by position limit ${limit})
    select total.scanned, total.last, chosen.id, chosen.type, chosen.sequence, chosen.created_at as "createdAt",
      chosen.position, chosen.mac, body.body
    from (
      select count(*)::integer as scanned, (array_agg(id order by position desc))[1] as last from scanned) total
    left join chosen on true
    left join lateral (
      select body from webhook_event_bodies
      where merchant_id = ${merchantId} and event_id = chosen.id and created_at = chosen.created_at
      limit 1) body on true
    order by chosen.position`);
  const [first = one(rows)] = rows;
  return {
    rows: rows.filter((row): row is RunRow & FeedRow => row.id !== null),
    last: first.last ?? undefined,
    scanned: first.scanned,
  };
}

type RunRow = { scanned: number; last: EventId | null } & (FeedRow | { id: null });
