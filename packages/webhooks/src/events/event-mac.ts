import type { EventId, MerchantId } from "@daric/domain/ids";
import { isSameMac, macOf } from "@daric/runtime/mac";

/** The parts of an event that its MAC covers. */
export type SealedEvent = {
  readonly merchantId: MerchantId;
  readonly id: EventId;
  readonly body: Buffer;
};

export type SealingEventContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };

export function eventMac(
  { config: { integrity } }: SealingEventContext,
  { merchantId, id, body }: SealedEvent,
): Buffer {
  return macOf(integrity.key, "event", [merchantId, id, body]);
}

/** Whether a process with the integrity key wrote the event. */
export function isEventMac(context: SealingEventContext, event: SealedEvent, mac: Buffer | null): boolean {
  return mac !== null && isSameMac(mac, eventMac(context, event));
}

/** The body of an event; undefined where no process with the integrity key wrote it. */
export function openEvent(
  context: SealingEventContext,
  event: SealedEvent,
  mac: Buffer | null,
): { readonly data: Record<string, unknown> } | undefined {
  return isEventMac(context, event, mac) ? JSON.parse(event.body.toString()) : undefined;
}
