import { type DepositId, idOf, type MerchantId, parseId } from "@daric/domain/ids";
import type { Message } from "@daric/messages/message";
import { derivedId } from "@daric/runtime/derived-id";
import { openEvent } from "@daric/webhooks/events/event-mac";
import type { MessageContext } from "./context.ts";
import { findStoredEvent } from "./fact-store.ts";

/** The event that a message tells: its type and its data. */
export type CheckedEvent = { readonly type: string; readonly data: Record<string, unknown> };

type EventContext = Pick<MessageContext, "config" | "db" | "log" | "metrics">;

/** The event of a message; undefined if it is not kept any more, and, with an alarm, if the service did not write it. */
export async function eventOf(
  context: EventContext,
  { merchantId, cause }: Message,
): Promise<CheckedEvent | undefined> {
  const id = parseId("event", cause);
  const stored = id && (await findStoredEvent(context.db.forTenant(merchantId), { merchantId, id }));
  if (id === undefined || stored === undefined) return undefined;
  const { type, body, mac } = stored;
  const opened = openEvent(context, { merchantId, id, body }, mac);
  if (opened !== undefined) return { type, data: opened.data };
  context.metrics.alarms.inc({ alarm: "message_refused" });
  context.log.error(
    { event: "message_refused", event_id: id, merchant_id: merchantId },
    "the event of a message was not written by the service: the message is not sent",
  );
  return undefined;
}

/** The block of a confirmed deposit, by its sealed event; null where that is not kept. */
export async function findBlockNumber(
  context: EventContext,
  { merchantId, depositId }: { readonly merchantId: MerchantId; readonly depositId: DepositId },
): Promise<number | null> {
  const id = idOf("event", derivedId("event", depositId, "deposit.confirmed"));
  const stored = await findStoredEvent(context.db.forTenant(merchantId), { merchantId, id });
  const opened = stored && openEvent(context, { merchantId, id, body: stored.body }, stored.mac);
  const blockNumber = opened?.data["blockNumber"];
  return typeof blockNumber === "number" ? blockNumber : null;
}
