import { ApiError } from "@daric/domain/errors";
import type { EventId, MerchantId } from "@daric/domain/ids";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import type { Queryable } from "@daric/postgres/sql";
import { openEvent, type SealingEventContext } from "./event-mac.ts";
import { type FeedPlace, type FeedRow, findEvent, findNewest, findPlace, readFeed } from "./feed-store.ts";

/** Events that one request reads past to find those of the wanted types. */
const MAX_SCANNED = 1_000;
export const NO_EVENT = { path: "after", message: "must be the id of one of your events, or newest" };

export type EventsQuery = {
  readonly merchantId: MerchantId;
  /** the event after which the page begins; undefined for the first of all */
  readonly after: EventId | "newest" | undefined;
  readonly types: readonly WebhookEventType[] | undefined;
  readonly limit: number;
};

/** An event in the feed. `body` is undefined once it is not kept, and where its MAC is not ours. */
export type FeedEvent = Pick<FeedRow, "id" | "type" | "sequence" | "createdAt"> & {
  readonly body: { readonly data: Record<string, unknown> } | undefined;
};

export type FeedPage = {
  readonly events: readonly FeedEvent[];
  /** the next `after`; undefined while the merchant has no event */
  readonly next: EventId | undefined;
  /** whether more events may follow now */
  readonly hasMore: boolean;
};

/**
 * Returns the events after a place in their order, oldest first. The order never changes, and no event comes before one
 * that a reader may have seen. Each call reads a bounded number of rows; a page may be empty although more follow.
 * @throws VALIDATION_ERROR if the merchant has no event with the id `after`.
 */
export async function listEvents(
  context: SealingEventContext & { readonly db: Queryable },
  query: EventsQuery,
): Promise<FeedPage> {
  const { merchantId, limit, types } = query;
  if (query.after === "newest") {
    const newest = await findNewest(context.db, merchantId);
    return { events: [], next: newest?.id, hasMore: false };
  }
  const after = await findAfter(context.db, { merchantId, id: query.after });
  const options = { merchantId, types, limit, scan: types === undefined ? limit : MAX_SCANNED };
  const { rows, last, scanned } = await readFeed(context.db, options, after?.position ?? 0n);
  const isFull = rows.length === limit;
  return {
    events: rows.map((row) => eventOf(context, merchantId, row)),
    next: (isFull ? rows.at(-1)?.id : last) ?? after?.id,
    hasMore: isFull || scanned === options.scan,
  };
}

/**
 * Returns one event.
 * @throws NOT_FOUND if the merchant has none with this id.
 */
export async function getEvent(
  context: SealingEventContext & { readonly db: Queryable },
  event: { merchantId: MerchantId; id: EventId },
): Promise<FeedEvent> {
  const row = await findEvent(context.db, event);
  if (row === undefined) throw new ApiError("NOT_FOUND");
  return eventOf(context, event.merchantId, row);
}

async function findAfter(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: EventId | undefined },
): Promise<FeedPlace | undefined> {
  if (id === undefined) return undefined;
  const found = await findPlace(db, { merchantId, id });
  if (found === undefined) throw new ApiError("VALIDATION_ERROR", { details: [NO_EVENT] });
  return found;
}

function eventOf(context: SealingEventContext, merchantId: MerchantId, row: FeedRow): FeedEvent {
  const { id, type, sequence, createdAt, body, mac } = row;
  const opened = body === null ? undefined : openEvent(context, { merchantId, id, body }, mac);
  return { id, type, sequence, createdAt, body: opened };
}
