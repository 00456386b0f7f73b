import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { parseId } from "@daric/domain/ids";
import type { ChannelName } from "@daric/domain/message";
import type {
  DepositEventData,
  OrderEventData,
  RefundEventData,
  SettlementEventData,
} from "@daric/domain/webhook-event";
import { findChannel } from "@daric/messages/channel-store";
import type { Message } from "@daric/messages/message";
import { dayBounds } from "@daric/runtime/time-zone";
import { readInbox } from "../dashboard/payments/inbox.ts";
import { dashboardUrlOf } from "../people/context.ts";
import type { MessageContext } from "./context.ts";
import { eventOf } from "./event-of.ts";
import { findShopFacts, findToldEndpoint } from "./fact-store.ts";
import type { MemberFacts, MemberMessageOrigin } from "./member-facts.ts";
import { monthlyStatement } from "./statement-file.ts";
import { PAID_OR_ACCEPTED, sumPaid } from "./sum-paid.ts";

type Event = MemberFacts extends infer Facts
  ? Facts extends MemberFacts
    ? Omit<Facts, keyof MemberMessageOrigin>
    : never
  : never;

const HOUR_MS = 3_600_000;

/** The facts of a message to a member, from checked rows; undefined where its cause is not one that the service wrote. */
export async function memberFactsOf(
  context: MessageContext,
  message: Message,
  timeZone: string,
): Promise<MemberFacts | undefined> {
  const shop = await findShopFacts(context.db.forTenant(message.merchantId), message.merchantId);
  const event = shop && (await memberEvent(context, message, timeZone));
  if (shop === undefined || event === undefined) return undefined;
  const { config } = context;
  const dashboardUrl = dashboardUrlOf(config) === undefined ? null : `${dashboardUrlOf(config)}/dashboard`;
  return {
    ...event,
    merchantName: shop.name,
    host: dashboardUrl === null ? "daric" : new URL(dashboardUrl).host,
    dashboardUrl,
    settingsUrl: dashboardUrl === null ? null : `${dashboardUrl}/notifications`,
    network: config.chain.network,
  } as MemberFacts;
}

async function memberEvent(
  context: MessageContext,
  message: Message,
  timeZone: string,
): Promise<Event | undefined> {
  const { kind, merchantId, cause } = message;
  const [, first = ""] = cause.split(" ");
  switch (kind) {
    case "channel_test":
      return { kind };
    case "channel_failed":
      return failedChannel(context, merchantId, first as ChannelName);
    case "endpoint_failing":
    case "endpoint_disabled":
      return endpointEvent(context, { kind, merchantId, id: parseId("endpoint", first) });
    case "paid_hour": {
      const from = new Date(first);
      const until = new Date(from.getTime() + HOUR_MS);
      return {
        kind,
        hour: { from, until, timeZone, ...(await sumPaid(context, merchantId, { from, until })) },
      };
    }
    case "daily_summary": {
      const waiting = (await readInbox(context.db, { merchantId })).length;
      const day = { ...dayBounds(first, timeZone), types: PAID_OR_ACCEPTED };
      return {
        kind,
        summary: { day: first, timeZone, waiting, ...(await sumPaid(context, merchantId, day)) },
      };
    }
    case "monthly_statement":
      return { kind, statement: await monthlyStatement(context, { merchantId, month: first }) };
    default:
      return eventFacts(context, message);
  }
}

async function eventFacts(context: MessageContext, message: Message): Promise<Event | undefined> {
  const { kind } = message;
  const event = await eventOf(context, message);
  if (event === undefined) return undefined;
  const data = event.data as unknown;
  switch (kind) {
    case "paid":
    case "paid_late":
    case "underpaid":
    case "overpaid":
    case "accepted":
      return { kind, order: data as OrderEventData };
    case "other_coin":
    case "stuck":
      return { kind, deposit: data as DepositEventData };
    case "refund_requested":
    case "refund_ready":
    case "refund_completed":
      return { kind, refund: data as RefundEventData };
    case "settlement_completed":
    case "settlement_failed":
      return { kind, settlement: data as SettlementEventData };
    default:
      return undefined;
  }
}

async function endpointEvent(
  { db }: MessageContext,
  endpoint: {
    readonly kind: "endpoint_failing" | "endpoint_disabled";
    readonly merchantId: MerchantId;
    readonly id: EndpointId | undefined;
  },
): Promise<Event | undefined> {
  const { kind, merchantId, id } = endpoint;
  const found = id && (await findToldEndpoint(db.forTenant(merchantId), { merchantId, id }));
  return found && { kind, endpoint: { host: new URL(found.url).host, why: found.lastError } };
}

/** The channel of the cause, which is not the one that gets this message. */
async function failedChannel(
  { db }: MessageContext,
  merchantId: MerchantId,
  name: ChannelName,
): Promise<Event | undefined> {
  const kind = "channel_failed";
  if (name === "mail")
    return { kind, channel: { kind: "mail", name: null, why: "the mail server refused it" } };
  const channel = await findChannel(db, { merchantId, id: name });
  return channel && { kind, channel: { kind: channel.kind, name: channel.name, why: channel.failure ?? "" } };
}
