import type { CallerScope } from "./api-scope.ts";
import { assets, type Currency } from "./asset.ts";
import { type ChargeId, idOf, type MessageChannelId, type PersonId, parseId } from "./ids.ts";
import { type MerchantRole, scopesOfRole } from "./merchant-role.ts";
import { type Amount, shareRoundedDown, zero } from "./money.ts";
import type { WebhookEventType } from "./webhook-event.ts";

/** The messages that a member of a merchant may ask for. */
export const personMessageKinds = [
  "paid",
  "paid_late",
  "underpaid",
  "overpaid",
  "other_coin",
  "stuck",
  "accepted",
  "refund_requested",
  "refund_ready",
  "refund_completed",
  "settlement_completed",
  "settlement_failed",
  "endpoint_failing",
  "endpoint_disabled",
  "daily_summary",
  "monthly_statement",
] as const;
export type PersonMessageKind = (typeof personMessageKinds)[number];

/** The mails to the payer of an order. `payer_short`: money came, and it does not pay the order. `payer_claim`: the link of a refund. */
export const payerMessageKinds = ["payer_paid", "payer_short", "payer_claim", "payer_refunded"] as const;
export type PayerMessageKind = (typeof payerMessageKinds)[number];

/** `paid_hour`: the paid orders of an hour. `channel_failed`: another channel of the member refused a message. */
export type MessageKind =
  | PersonMessageKind
  | PayerMessageKind
  | "paid_hour"
  | "channel_failed"
  | "channel_test"
  | "alert_started"
  | "alert_ended"
  | "alert_digest";

/** The kind of message that an event makes for members. */
const kindOfEvent: Partial<Record<WebhookEventType, PersonMessageKind>> = {
  "order.paid": "paid",
  "order.paid_late": "paid_late",
  "order.underpaid": "underpaid",
  "order.overpaid": "overpaid",
  "order.accepted": "accepted",
  "deposit.unmatched": "other_coin",
  "deposit.stuck": "stuck",
  "refund.requested": "refund_requested",
  "refund.ready": "refund_ready",
  "refund.completed": "refund_completed",
  "settlement.completed": "settlement_completed",
  "settlement.failed": "settlement_failed",
};

export function messageKindOf(event: WebhookEventType): PersonMessageKind | undefined {
  return kindOfEvent[event];
}

/** A way to a member: the mail of the account, or one of the member's chats. */
export type ChannelName = "mail" | MessageChannelId;

/** The channels by which a member gets each kind of message. A missing kind has none. */
export type MessageChoices = Readonly<Partial<Record<PersonMessageKind, readonly ChannelName[]>>>;

/** The kinds that owners are mailed before they choose. */
const OWNERS_DEFAULT = [
  "paid",
  "paid_late",
  "underpaid",
  "overpaid",
  "other_coin",
  "endpoint_failing",
  "endpoint_disabled",
  "settlement_failed",
] as const satisfies readonly PersonMessageKind[];

/** The choices of a member who has made none. */
export function defaultChoices(role: MerchantRole): MessageChoices {
  if (role !== "owner") return {};
  return Object.fromEntries(OWNERS_DEFAULT.map((kind) => [kind, ["mail"]]));
}

/** The right without which a member gets no message of a kind: each says what the right lets read. */
function rightFor(kind: MessageKind): CallerScope | undefined {
  switch (kind) {
    case "refund_requested":
    case "refund_ready":
    case "refund_completed":
      return "refunds:read";
    case "settlement_completed":
    case "settlement_failed":
    case "monthly_statement":
      return "settlements:read";
    case "endpoint_failing":
    case "endpoint_disabled":
      return "webhooks:read";
    case "channel_failed":
    case "channel_test":
      return undefined;
    default:
      return "orders:all";
  }
}

/** Whether members of this role get messages of this kind, if they chose them. */
export function mayGet(role: MerchantRole, kind: MessageKind): boolean {
  const right = rightFor(kind);
  return right === undefined || scopesOfRole(role).includes(right);
}

/** Of more paid orders in a day a receiver gets one message an hour. */
export const MAX_PAID_A_DAY = 20;

/** The merchant of messages to the operator: no merchant has this id. */
export const OPERATOR = idOf("merchant", "00000000-0000-0000-0000-000000000000");

export const operatorChannels = ["webhook", "mail", "telegram"] as const;
export type OperatorChannel = (typeof operatorChannels)[number];

/** The receiver of a message. */
export type MessageReceiver =
  | { readonly of: "person"; readonly personId: PersonId; readonly channel: ChannelName }
  | { readonly of: "payer"; readonly chargeId: ChargeId }
  | { readonly of: "operator"; readonly channel: OperatorChannel };

/** The text of a receiver in a row. */
export function receiverText(receiver: MessageReceiver): string {
  if (receiver.of === "payer") return `payer ${receiver.chargeId}`;
  if (receiver.of === "operator") return `operator ${receiver.channel}`;
  return `person ${receiver.personId} ${receiver.channel}`;
}

/** The inverse of `receiverText`; undefined for any other text. */
export function parseReceiver(text: string): MessageReceiver | undefined {
  const [of, first = "", second = "", ...others] = text.split(" ");
  if (others.length > 0) return undefined;
  if (of === "operator") {
    const channel = operatorChannels.find((name) => name === first);
    return channel && second === "" ? { of, channel } : undefined;
  }
  if (of === "payer") {
    const chargeId = second === "" ? parseId("charge", first) : undefined;
    return chargeId && { of, chargeId };
  }
  const personId = of === "person" ? parseId("person", first) : undefined;
  const channel = second === "mail" ? second : parseId("messageChannel", second);
  return personId && channel && { of: "person", personId, channel };
}

/** Messages of a lane wait for no other lane. The operator's alerts have one of their own. */
export const messageLanes = ["operator", "mail", "chat"] as const;
export type MessageLane = (typeof messageLanes)[number];

export function laneOf(receiver: MessageReceiver): MessageLane {
  if (receiver.of === "operator") return "operator";
  return receiver.of === "payer" || receiver.channel === "mail" ? "mail" : "chat";
}

/** Without a least payment anybody could have strangers mailed for nothing: 1 USDT, 10 TRX. */
const MAILED_DUSTS = 100n;
const TENTH = 1_000;

/** Whether enough money arrived for an order to mail its payer: a hundred times dust, or a tenth of what is due. `due` is null if any amount will do. */
export function isEnoughForMail(currency: Currency, due: Amount | null, received: Amount): boolean {
  if (received <= zero) return false;
  return (
    received >= assets[currency].dust * MAILED_DUSTS ||
    (due !== null && received >= shareRoundedDown(due, TENTH))
  );
}
