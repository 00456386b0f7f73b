import type { ChargeId, MerchantId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import {
  type ChannelName,
  type MessageReceiver,
  mayGet,
  OPERATOR,
  receiverText,
} from "@daric/domain/message";
import { MailFailure } from "@daric/egress/mail-failure";
import type { Mailer } from "@daric/egress/send-mail";
import { unsubscribeUrl } from "@daric/hosted-checkout/mail-links/unsubscribe-token";
import { findChannel, saveChannelFailure } from "@daric/messages/channel-store";
import { endOfQuiet } from "@daric/messages/local-time";
import { addressHashOf, listMailStops, stopRefused } from "@daric/messages/mail-stop-store";
import type { Message } from "@daric/messages/message";
import { plainForChat } from "@daric/messages/plain-for-chat";
import { type Deliver, type Delivered, SendFailure } from "@daric/messages/send-messages";
import { type ChatContext, sendToChannel } from "@daric/messages/send-to-channel";
import type { ServerPauses } from "@daric/messages/server-pauses";
import { countMailsTo, countPayerMails, countSent } from "@daric/messages/store";
import { derivedId } from "@daric/runtime/derived-id";
import { areRightsOurs } from "../people/rights.ts";
import { getRights } from "../people/rights-store.ts";
import type { MessageContext } from "./context.ts";
import { findMemberAddress } from "./fact-store.ts";
import type { Letter } from "./letter.ts";
import { memberFactsOf } from "./member-facts-of.ts";
import { renderMemberMessage } from "./member-message.ts";
import { payerLetter } from "./payer-letter.ts";
import { renderPayerMail } from "./payer-mail.ts";
import { tellOtherChannels } from "./tell-other-channels.ts";

export type DeliveringContext = MessageContext &
  ChatContext & { readonly mailer: Mailer | undefined; readonly pauses: ServerPauses };

/** Limits of mails to payers, so that a stranger cannot flood a mailbox through a shop. */
const MAX_OF_ORDER = 6;
const MAX_OF_ADDRESS_A_DAY = 5;
const MAX_OF_MERCHANT_AN_HOUR = 500;
const HELD_UP_MS = 600_000;

/** Makes the text of a message to a member or a payer from checked rows, and sends it. */
export function createDeliverMessage(context: DeliveringContext): Deliver {
  return async (message) => {
    const { receiver } = message;
    if (receiver.of === "payer") return toPayer(context, message, receiver.chargeId);
    if (receiver.of === "person") return toMember(context, message, receiver);
    return { is: "dropped", reason: "the receiver is not one of this lane" };
  };
}

async function toPayer(context: DeliveringContext, message: Message, chargeId: ChargeId): Promise<Delivered> {
  const { db } = context;
  const { merchantId } = message;
  if ((await countPayerMails(db, merchantId)) >= MAX_OF_MERCHANT_AN_HOUR)
    return { is: "put off", until: new Date(context.clock.now().getTime() + HELD_UP_MS) };
  const letter = await payerLetter(context, message, chargeId);
  if ("dropped" in letter) return { is: "dropped", reason: letter.dropped };
  const { email, shop, facts } = letter;
  const addressHash = addressHashOf(context, email.email);
  const stops = await listMailStops(db, merchantId, [addressHash]);
  const isAskedFor = facts.kind === "claim" || (facts.kind === "paid" && email.source !== "api");
  if (stops.some(({ reason }) => reason === "refused" || !isAskedFor))
    return { is: "dropped", reason: "the address was refused or unsubscribed" };
  // One mail is left for the receipt.
  const most = facts.kind === "paid" ? MAX_OF_ORDER : MAX_OF_ORDER - 1;
  if ((await countSent(db, merchantId, receiverText(message.receiver))) >= most)
    return { is: "dropped", reason: `the order has had ${most} mails` };
  if ((await countMailsTo(db, addressHash)) >= MAX_OF_ADDRESS_A_DAY)
    return { is: "dropped", reason: `the address has had ${MAX_OF_ADDRESS_A_DAY} mails in a day` };
  const unsubscribe = unsubscribeUrl(context, { merchantId, chargeId, language: facts.language });
  await mail(context, email.email, {
    id: idOfMail(message),
    letter: renderPayerMail({ ...facts, unsubscribeUrl: unsubscribe ?? null }),
    fromName: `${shop.name} via ${facts.host}`,
    ...(shop.supportEmail === shop.confirmedSupportEmail &&
      shop.supportEmail !== null && { replyTo: shop.supportEmail }),
    ...(unsubscribe !== undefined && { unsubscribeUrl: unsubscribe }),
  });
  return { is: "sent", addressHash };
}

type ToPerson = Extract<MessageReceiver, { of: "person" }>;

async function toMember(
  context: DeliveringContext,
  message: Message,
  receiver: ToPerson,
): Promise<Delivered> {
  const { db, clock } = context;
  const { merchantId } = message;
  const member = await findMemberAddress(db, { merchantId, personId: receiver.personId });
  const role = await findRole(context, merchantId, receiver.personId);
  if (member === undefined || role === undefined)
    return { is: "dropped", reason: "the membership has ended, or was not written by the service" };
  if (!mayGet(role, message.kind))
    return { is: "dropped", reason: "the role of the member has no right to it" };
  const { quiet, timeZone } = member;
  const until = endOfQuiet(clock.now(), quiet, timeZone);
  if (until !== undefined && message.kind !== "channel_test") return { is: "put off", until };
  const facts = await memberFactsOf(context, message, timeZone);
  if (facts === undefined)
    return { is: "dropped", reason: "its cause is not kept, or was not written by the service" };
  const letter = renderMemberMessage(facts);
  if (receiver.channel === "mail") return mailMember(context, message, { member, letter });
  return chatMember(context, message, { channel: receiver.channel, letter });
}

/** The role of a member; undefined unless the service wrote the membership. If another program did, the rights raise an alarm. */
async function findRole(
  context: MessageContext,
  merchantId: MerchantId,
  id: PersonId,
): Promise<MerchantRole | undefined> {
  const rights = await getRights(context.db, id);
  const membership = rights.memberships.find((place) => place.merchantId === merchantId);
  return membership !== undefined && areRightsOurs(context, id, rights) ? membership.role : undefined;
}

async function mailMember(
  context: DeliveringContext,
  message: Message,
  { member, letter }: { readonly member: { readonly email: string }; readonly letter: Letter },
): Promise<Delivered> {
  const addressHash = addressHashOf(context, member.email);
  const stops = await listMailStops(context.db, OPERATOR, [addressHash]);
  if (stops.length > 0) return { is: "dropped", reason: "the mail server refused the address lately" };
  try {
    await mail(context, member.email, { id: idOfMail(message), letter });
  } catch (error) {
    if (error instanceof SendFailure && error.of === "receiver")
      await tellOtherChannels(context, message, "mail");
    throw error;
  }
  return { is: "sent" };
}

async function chatMember(
  context: DeliveringContext,
  message: Message,
  { channel: id, letter }: { readonly channel: Exclude<ChannelName, "mail">; readonly letter: Letter },
): Promise<Delivered> {
  const { db } = context;
  const { merchantId, receiver } = message;
  const channel = await findChannel(db, { merchantId, id });
  if (channel === undefined || receiver.of !== "person" || channel.personId !== receiver.personId)
    return { is: "dropped", reason: "the channel was removed" };
  try {
    const server = channel.kind === "telegram" ? channel.kind : channel.id;
    await context.pauses.through(server, () => sendToChannel(context, channel, chatText(letter)));
  } catch (error) {
    const isLasting = error instanceof SendFailure && error.of === "receiver";
    if (isLasting && (await saveChannelFailure(db, channel, error.message)))
      await tellOtherChannels(context, message, id);
    throw error;
  }
  if (channel.failedAt !== null) await saveChannelFailure(db, channel, null);
  return { is: "sent" };
}

/** The lines of a letter for a chat. A line with nothing but our own link stays a link. */
function chatText({ short }: Letter): string {
  const lines = short.split("\n");
  return lines.map((line) => (/^https?:\/\/[\w.:/-]+$/.test(line) ? line : plainForChat(line))).join("\n");
}

/** The same at each attempt. */
function idOfMail({ merchantId, cause, receiver }: Message): string {
  return derivedId("message", merchantId, cause, receiverText(receiver));
}

type Outgoing = {
  readonly id: string;
  readonly letter: Letter;
  readonly fromName?: string;
  readonly replyTo?: string;
  readonly unsubscribeUrl?: string;
};

/** Mails a letter. A refused address gets no mail for a while. @throws SendFailure */
async function mail(context: DeliveringContext, to: string, { letter, ...headers }: Outgoing): Promise<void> {
  const { mailer, db } = context;
  if (mailer === undefined) throw new SendFailure("no mail server is configured", { of: "server" });
  const { short: _, ...content } = letter;
  await context.pauses.through("mail", async () => {
    try {
      await mailer.send({ ...content, ...headers, to: [to] });
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      const { of, pauseMs, message } = error;
      if (of === "receiver") await stopRefused(db, addressHashOf(context, to), message);
      throw new SendFailure(message, { of, pauseMs, cause: error });
    }
  });
}
