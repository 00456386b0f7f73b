import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { defaultChoices, type MessageChoices, receiverText } from "@daric/domain/message";
import { isMailConfigured } from "@daric/messages/announce";
import { listChannels, type MessageChannel } from "@daric/messages/channel-store";
import { findChoices, type MemberChoices } from "@daric/messages/choice-store";
import { addressHashOf, listMailStops } from "@daric/messages/mail-stop-store";
import { listNewest, type NewestMessage } from "@daric/messages/store";
import type { Context } from "./context.ts";

/** A member as this page needs them. */
export type AskingMember = {
  readonly merchantId: MerchantId;
  readonly personId: PersonId;
  readonly role: MerchantRole;
  readonly email: string;
};

/** A chat with its newest test. */
export type ListedChannel = MessageChannel & { readonly tested: NewestMessage | undefined };

/** The messages that a member gets of a merchant, when, and by which channels. */
export type Notifications = Omit<MemberChoices, "choices"> & {
  readonly choices: MessageChoices;
  /** the member chose nothing yet: these are the defaults of the role */
  readonly isDefault: boolean;
  readonly email: string;
  /** the mail server's words; undefined while the address is not refused */
  readonly mailRefusal: string | undefined;
  readonly channels: readonly ListedChannel[];
  readonly isMailConfigured: boolean;
  readonly isTelegramConfigured: boolean;
};

export async function readNotifications(context: Context, member: AskingMember): Promise<Notifications> {
  const { db, config } = context;
  const stored = await findChoices(db, member);
  const channels = await listChannels(db, member);
  const receiverOf = (channel: MessageChannel["id"]) =>
    receiverText({ of: "person", personId: member.personId, channel });
  const tests = await listNewest(db, member.merchantId, {
    kind: "channel_test",
    receivers: channels.map(({ id }) => receiverOf(id)),
  });
  const defaults = {
    choices: defaultChoices(member.role),
    everyPaid: false,
    quiet: undefined,
    timeZone: "UTC",
  };
  return {
    ...(stored ?? defaults),
    isDefault: stored === undefined,
    email: member.email,
    mailRefusal: await findMailRefusal(context, member),
    channels: channels.map((channel) => ({
      ...channel,
      tested: tests.find(({ receiver }) => receiver === receiverOf(channel.id)),
    })),
    isMailConfigured: isMailConfigured(context),
    isTelegramConfigured: config.alerts.telegramToken !== undefined,
  };
}

async function findMailRefusal(
  context: Context,
  { merchantId, email }: AskingMember,
): Promise<string | undefined> {
  const stops = await listMailStops(context.db, merchantId, [addressHashOf(context, email)]);
  const refused = stops.find(({ reason }) => reason === "refused");
  return refused && (refused.detail ?? "refused");
}
