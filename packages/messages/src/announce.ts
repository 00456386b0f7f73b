import type { ChargeId, EndpointId, EventId, MerchantId } from "@daric/domain/ids";
import { MAX_PAID_A_DAY, type MessageReceiver, messageKindOf, receiverText } from "@daric/domain/message";
import type { DepositEventData, WebhookEventType } from "@daric/domain/webhook-event";
import type { Queryable, Transaction } from "@daric/postgres/sql";
import { type Audience, type AudienceContext, audienceOf } from "./audience.ts";
import { type Message, type MessageSealing, messageMac } from "./message.ts";
import { countMessages, findTime, insertMessages, type NewMessage } from "./store.ts";

/** The facts about the charge of an event that messages need beside the event. */
export type ToldCharge = {
  readonly id: ChargeId;
  /** its payer gave an address */
  readonly hasCustomerEmail: boolean;
  /** a person made it, by a link or in the dashboard: no program waits for it */
  readonly isByPerson: boolean;
};

/** An event that people may get messages about. */
export type ToldEvent = {
  readonly merchantId: MerchantId;
  readonly id: EventId;
  readonly type: WebhookEventType;
  readonly told?: ToldCharge | undefined;
  readonly data: object;
};

export type AnnouncingContext = MessageSealing & AudienceContext;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** An hour is summed once its last transactions are committed. */
const SETTLED_MS = 60_000;

/**
 * Writes the messages of these events, in their transaction: to the members who want them and to the payers who left an address. A merchant without a
 * receiver costs nothing: what members want is a cached fact of some seconds.
 */
export async function announceEvents(
  context: AnnouncingContext,
  tx: Transaction,
  { events, now }: { readonly events: readonly ToldEvent[]; readonly now: Date },
): Promise<void> {
  if (!isMailConfigured(context) && events.every(({ type }) => messageKindOf(type) === undefined)) return;
  const audience = await audienceOf(context, tx, [...new Set(events.map(({ merchantId }) => merchantId))]);
  const messages = [
    ...(isMailConfigured(context) ? payerMessages(events, now) : []),
    ...withoutEchoes(events.flatMap((event) => memberMessages(event, audience, now))),
  ];
  if (messages.length === 0) return;
  const hourly = await summarizePaid(tx, messages, now);
  await insertMessages(tx, sealed(context, hourly));
}

/**
 * Writes the messages about an endpoint, in the transaction that disables it or beside the state that they tell: since when it fails.
 */
export async function announceEndpoint(
  context: AnnouncingContext,
  db: Queryable,
  endpoint: {
    readonly merchantId: MerchantId;
    readonly endpointId: EndpointId;
    readonly kind: "endpoint_failing" | "endpoint_disabled";
    readonly since?: Date;
  },
): Promise<void> {
  const { merchantId, endpointId, kind } = endpoint;
  const audience = await audienceOf(context, db, [merchantId]);
  const receivers = audience.receivers(merchantId, kind, true);
  if (receivers.length === 0) return;
  const createdAt = await findTime(db);
  const cause = `${kind} ${endpointId} ${(endpoint.since ?? createdAt).toISOString()}`;
  const messages = receivers.map((receiver) => ({ merchantId, kind, cause, receiver, createdAt }));
  await insertMessages(db, sealed(context, messages));
}

/** Messages with their MACs. */
export function sealed(
  context: MessageSealing,
  messages: readonly (Message & { readonly dueAt?: Date })[],
): NewMessage[] {
  return messages.map((message) => ({ ...message, mac: messageMac(context, message) }));
}

/** The part of a context that says whether there is a mail server. */
export type MailContext = { readonly config: Pick<AudienceContext["config"], "mail"> };

export function isMailConfigured({ config }: MailContext): boolean {
  return config.mail.smtpUrl !== undefined;
}

/** The messages to payers. Payments of one order that are confirmed together make one message: each event has the sum of all. */
function payerMessages(events: readonly ToldEvent[], now: Date): Message[] {
  const messages = events.flatMap((event) => payerMessage(event, now));
  const keyOf = ({ merchantId, kind, receiver, cause }: Message) =>
    `${merchantId} ${kind} ${receiverText(receiver)} ${kind === "payer_refunded" ? cause : ""}`;
  return [...new Map(messages.map((message) => [keyOf(message), message])).values()];
}

/**
 * The message to the payer. A deposit that neither pays the order nor comes late has none: `order.paid` follows with the deposit that
 * pays. The sender decides what the mail says.
 */
function payerMessage({ merchantId, id, type, told, data }: ToldEvent, now: Date): Message[] {
  if (!told?.hasCustomerEmail) return [];
  const receiver: MessageReceiver = { of: "payer", chargeId: told.id };
  const message = { merchantId, cause: id, receiver, createdAt: now };
  if (type === "order.paid" || type === "order.accepted") return [{ ...message, kind: "payer_paid" }];
  if (type === "refund.completed") return [{ ...message, kind: "payer_refunded" }];
  if (type !== "deposit.confirmed") return [];
  const { late, paymentState } = data as Pick<DepositEventData, "late" | "paymentState">;
  return late || paymentState === "under" ? [{ ...message, kind: "payer_short" }] : [];
}

/** A message to a member, with the order that it is about. */
type MemberMessage = Message & { readonly chargeId: ChargeId | undefined };

/** A member who hears that an order was paid late, or too much, hears it once: not beside it that the order was paid. */
function withoutEchoes(messages: readonly MemberMessage[]): Message[] {
  const keyOf = ({ chargeId, receiver }: MemberMessage) => `${chargeId} ${receiverText(receiver)}`;
  const special = messages.filter(({ kind }) => kind === "paid_late" || kind === "overpaid");
  const told = new Set(special.map(keyOf));
  return messages
    .filter((message) => message.kind !== "paid" || !told.has(keyOf(message)))
    .map(({ chargeId: _, ...message }) => message);
}

function memberMessages(
  { merchantId, id, type, told }: ToldEvent,
  audience: Audience,
  now: Date,
): MemberMessage[] {
  const kind = messageKindOf(type);
  if (kind === undefined) return [];
  return audience.receivers(merchantId, kind, told?.isByPerson ?? false).map((receiver) => ({
    ...{ merchantId, kind, cause: id, receiver },
    ...{ createdAt: now, chargeId: told?.id },
  }));
}

/** Beyond a number of paid orders in a day a receiver gets one message an hour. */
async function summarizePaid(
  tx: Transaction,
  messages: readonly Message[],
  now: Date,
): Promise<(Message & { readonly dueAt?: Date })[]> {
  const paid = messages.filter(({ kind }) => kind === "paid");
  if (paid.length === 0) return [...messages];
  const counts = new Map(
    await countMessages(tx, [...new Set(paid.map(({ merchantId }) => merchantId))], {
      receivers: [...new Set(paid.map(({ receiver }) => receiverText(receiver)))],
      kinds: ["paid"],
      since: new Date(now.getTime() - DAY_MS),
    }),
  );
  return messages.map((message) => {
    if (message.kind !== "paid") return message;
    const key = `${message.merchantId} ${receiverText(message.receiver)}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count < MAX_PAID_A_DAY) return message;
    const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const dueAt = new Date(hour + HOUR_MS + SETTLED_MS);
    return { ...message, kind: "paid_hour", cause: `paid_hour ${new Date(hour).toISOString()}`, dueAt };
  });
}
