import { randomBytes, randomUUID } from "node:crypto";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MessageChannelId } from "@daric/domain/ids";
import { sealed } from "@daric/messages/announce";
import { forgetAudience } from "@daric/messages/audience";
import { sealChannel } from "@daric/messages/channel-address";
import {
  confirmChannel,
  findChannel,
  insertChannel,
  listChannels,
  type MessageChannel,
  type NewChannel,
  removeAskedFor,
  removeChannel,
} from "@daric/messages/channel-store";
import { vetChatUrl } from "@daric/messages/chat-url";
import { hashOfCode } from "@daric/messages/link-chats";
import { insertMessages } from "@daric/messages/store";
import { uuidv7 } from "uuidv7";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";
import { lockPerson } from "../../people/person-store.ts";
import type { Context, MemberChange } from "./context.ts";

/** The channels that a member may have beside the mail. */
const MAX_CHANNELS = 10;
/** 128 bits, which are 22 characters. */
const CODE_BYTES = 16;

/**
 * Asks for a Telegram chat. The code is returned here and never again: it links the chat that uses it within ten minutes. A code that the
 * member asked for before ends.
 *
 * @throws CAP_REACHED when the member has as many channels as one may have.
 */
export async function askForChat(
  context: Context,
  { actor, merchantId }: MemberChange<undefined>,
): Promise<{ readonly channel: MessageChannel; readonly code: string }> {
  const code = randomBytes(CODE_BYTES).toString("base64url");
  const id = idOf("messageChannel", uuidv7());
  const channel = await addChannel(context, actor, {
    ...{ merchantId, id, personId: actor.session.personId, kind: "telegram" },
    ...{ name: null, sealed: null, codeHash: hashOfCode(code) },
  });
  return { channel, code };
}

/** Adds the incoming webhook of a chat. @throws CAP_REACHED as {@link askForChat}, and as {@link vetChatUrl} does. */
export async function addChatUrl(
  context: Context,
  { actor, merchantId, input }: MemberChange<string>,
): Promise<MessageChannel> {
  const { config, access } = context;
  const url = await vetChatUrl(config, input, access?.resolve);
  const id = idOf("messageChannel", uuidv7());
  const sealedUrl = sealChannel(config.webhooks.masterKey, { merchantId, id }, url);
  return addChannel(context, actor, {
    ...{ merchantId, id, personId: actor.session.personId, kind: "url" },
    ...{ name: new URL(url).host, sealed: sealedUrl, codeHash: null },
  });
}

async function addChannel(context: Context, actor: Actor, channel: NewChannel): Promise<MessageChannel> {
  const { merchantId, personId, kind, name } = channel;
  const added = await context.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    if (kind === "telegram") await removeAskedFor(tx, { merchantId, personId });
    if ((await listChannels(tx, { merchantId, personId })).length >= MAX_CHANNELS)
      throw new ApiError("CAP_REACHED", {
        message: `You can have ${MAX_CHANNELS} chats: remove one first.`,
      });
    const after = { kind, name };
    await auditAct(tx, actor, { action: "add chat", subject: subjectOf(channel), after, merchantId });
    return insertChannel(tx, channel);
  });
  forgetAudience(context, merchantId);
  return added;
}

/** Lets messages go to the Telegram chat that used the code. @throws NOT_FOUND when the member has no chat that waits for this. */
export async function confirmChat(
  context: Context,
  change: MemberChange<MessageChannelId>,
): Promise<MessageChannel> {
  return changeOwn(context, change, { action: "confirm chat", write: confirmChannel });
}

/** Removes a chat: no message goes there any more. @throws NOT_FOUND when the member has no such chat. */
export async function removeChat(
  context: Context,
  change: MemberChange<MessageChannelId>,
): Promise<MessageChannel> {
  return changeOwn(context, change, { action: "remove chat", write: removeChannel });
}

type OwnChange = { readonly action: string; readonly write: typeof confirmChannel };

async function changeOwn(
  context: Context,
  { actor, merchantId, input: id }: MemberChange<MessageChannelId>,
  { action, write }: OwnChange,
): Promise<MessageChannel> {
  const changed = await context.db.transaction(async (tx) => {
    const channel = await write(tx, { merchantId, id, personId: actor.session.personId });
    if (channel === undefined) throw new ApiError("NOT_FOUND");
    const after = { kind: channel.kind, name: channel.name };
    await auditAct(tx, actor, { action, subject: subjectOf(channel), after, merchantId });
    return channel;
  });
  forgetAudience(context, merchantId);
  return changed;
}

/** Asks the sender for a test message to a chat. @throws NOT_FOUND when the member has no such chat that is confirmed. */
export async function testChat(context: Context, change: MemberChange<MessageChannelId>): Promise<void> {
  const { db, clock } = context;
  const { actor, merchantId, input: id } = change;
  const { personId } = actor.session;
  const channel = await findChannel(db, { merchantId, id });
  if (channel?.personId !== personId || channel.confirmedAt === null) throw new ApiError("NOT_FOUND");
  const receiver = { of: "person", personId, channel: id } as const;
  const cause = `channel_test ${randomUUID()}`;
  const message = { merchantId, kind: "channel_test", cause, receiver, createdAt: clock.now() } as const;
  await insertMessages(db, sealed(context, [message]));
}

function subjectOf({ id }: Pick<MessageChannel, "id">): string {
  return `chat ${id}`;
}
