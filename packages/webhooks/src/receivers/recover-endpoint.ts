import { ApiError } from "@daric/domain/errors";
import { type EndpointId, type EventId, idOf, type MerchantId } from "@daric/domain/ids";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import type { Database, Queryable } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { BATCH, EVERY_MS, MAX_AT_ONCE } from "../deliveries/resend-deliveries.ts";
import {
  countEvents,
  type EventOfRange,
  insertMissed,
  listEventsOfRange,
  makeManyDue,
} from "../deliveries/resend-many-store.ts";

type Endpoint = {
  readonly merchantId: MerchantId;
  readonly id: EndpointId;
  readonly isActive: boolean;
  readonly eventTypes: readonly WebhookEventType[];
};

/**
 * Sends an endpoint the events of a range that it did not accept, oldest first, one every 50 ms beside new ones. They are of
 * its types, and their delivery is FAILED or EXHAUSTED, or there is none. A new delivery has all its attempts, an
 * EXHAUSTED one has one more. It works in batches: after a failure part of them is due, and a second call takes the rest.
 * Returns how many.
 * @throws NOT_RESENDABLE when the endpoint is disabled; VALIDATION_ERROR when the range has more than `max` events.
 */
export async function recoverEndpoint(
  { db }: { db: Pick<Database, "query" | "transaction"> },
  endpoint: Endpoint,
  { from, to, max = MAX_AT_ONCE }: { from: Date; to: Date; max?: number },
): Promise<number> {
  const { merchantId, id: endpointId } = endpoint;
  if (!endpoint.isActive)
    throw new ApiError("NOT_RESENDABLE", { message: "The endpoint is disabled: enable it first." });
  const range = { merchantId, from, to };
  if ((await countEvents(db, range, max + 1)) > max)
    throw new ApiError("VALIDATION_ERROR", { details: [tooMany(max)] });
  let recovered = 0;
  let after: EventId | undefined;
  for (;;) {
    const events = await listEventsOfRange(db, { ...range, endpointId }, { after, limit: BATCH });
    const start = recovered;
    recovered += await db.transaction((tx) => recover(tx, endpoint, { events, start }));
    if (events.length < BATCH) return recovered;
    after = events.at(-1)?.id;
  }
}

async function recover(
  tx: Queryable,
  { merchantId, id: endpointId, eventTypes }: Endpoint,
  { events, start }: { events: readonly EventOfRange[]; start: number },
): Promise<number> {
  const wanted = events.filter(
    ({ type, hasBody }) => hasBody && eventTypes.includes(type) && type !== "webhook.test",
  );
  const missed = wanted.filter(
    ({ status }) => status === null || status === "FAILED" || status === "EXHAUSTED",
  );
  const planned = missed.map((event, index) => ({ event, delayMs: (start + index) * EVERY_MS }));
  const known = planned.flatMap(({ event: { deliveryId: id }, delayMs }) =>
    id === null ? [] : [{ row: { id }, delayMs }],
  );
  const unknown = planned
    .filter(({ event }) => event.deliveryId === null)
    .map(({ event, delayMs }) => ({ row: { id: idOf("delivery", uuidv7()), event }, delayMs }));
  return (
    (await insertMissed(tx, { merchantId, endpointId }, unknown)) + (await makeManyDue(tx, merchantId, known))
  );
}

function tooMany(max: number) {
  const message = `must leave at most ${max.toLocaleString("en-US")} events up to \`to\`: recover one part after the other`;
  return { path: "from", message };
}
