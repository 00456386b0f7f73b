import type { EventId, MerchantId } from "../../domain/ids.ts";
import { isSameMac, macOf } from "../../runtime/mac.ts";

/** What an event says, to whom and under which id. */
export type SealedEvent = { readonly merchantId: MerchantId; readonly id: EventId; readonly body: Buffer };

/** Whose key makes the code. */
export type SealingEventContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };

/** The code of an event: another one for another merchant, id or body. */
export function eventMac(
  { config: { integrity } }: SealingEventContext,
  { merchantId, id, body }: SealedEvent,
): Buffer {
  return macOf(integrity.key, "event", [merchantId, id, body]);
}

/** Whether an event was written by a process that has the key. */
export function isEventMac(context: SealingEventContext, event: SealedEvent, mac: Buffer | null): boolean {
  return mac !== null && isSameMac(mac, eventMac(context, event));
}
