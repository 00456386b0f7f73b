import { type DepositId, idOf, type MerchantId, parseId } from "@daric/domain/ids";
import type { Message } from "@daric/messages/message";
import { derivedId } from "@daric/runtime/derived-id";
import { getEvent } from "@daric/webhooks/events/list-events";
import type { MessageContext } from "./context.ts";

/** The event that a message tells: its type and what it says. */
export type CheckedEvent = { readonly type: string; readonly data: Record<string, unknown> };

/** The event of a message, by its MAC the one that the service wrote; undefined if it is not, with an alarm, or if it is not kept. */
export async function eventOf(
  context: MessageContext,
  { merchantId, cause }: Message,
): Promise<CheckedEvent | undefined> {
  const id = parseId("event", cause);
  if (id === undefined) return undefined;
  const db = context.db.forTenant(merchantId);
  const { body, type } = await getEvent({ ...context, db }, { merchantId, id });
  if (body !== undefined) return { type, data: body.data };
  context.metrics.alarms.inc({ alarm: "message_refused" });
  context.log.error(
    { event: "message_refused", event_id: id, merchant_id: merchantId },
    "the event of a message was not written by the service, or is not kept: the message is not sent",
  );
  return undefined;
}

/** The block of a confirmed deposit, by its sealed event; null where that is not kept. */
export async function findBlockNumber(
  context: MessageContext,
  { merchantId, depositId }: { readonly merchantId: MerchantId; readonly depositId: DepositId },
): Promise<number | null> {
  const db = context.db.forTenant(merchantId);
  const id = idOf("event", derivedId("event", depositId, "deposit.confirmed"));
  const event = await getEvent({ ...context, db }, { merchantId, id });
  const { blockNumber } = event.body?.data ?? {};
  return typeof blockNumber === "number" ? blockNumber : null;
}
