import type { MerchantId, MessageChannelId, PersonId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";

/** A chat of a member. */
export type MessageChannel = {
  readonly merchantId: MerchantId;
  readonly id: MessageChannelId;
  readonly personId: PersonId;
  readonly kind: "telegram" | "url";
  /** the title of a chat, or the host of a URL; null before the code of a chat was used */
  readonly name: string | null;
  /** see `channel-address.ts` */
  readonly sealed: Buffer | null;
  readonly codeExpiresAt: Date | null;
  readonly confirmedAt: Date | null;
  /** since when the channel takes no message, and why */
  readonly failedAt: Date | null;
  readonly failure: string | null;
  readonly createdAt: Date;
};

const columns = sql`
  merchant_id as "merchantId", id, person_id as "personId", kind, name, sealed, code_expires_at as "codeExpiresAt",
  confirmed_at as "confirmedAt", failed_at as "failedAt", failure, created_at as "createdAt"`;

type ChannelRef = Pick<MessageChannel, "merchantId" | "id">;

export async function findChannel(
  db: Queryable,
  { merchantId, id }: ChannelRef,
): Promise<MessageChannel | undefined> {
  return maybeOne(
    await db.query<MessageChannel>(sql`
      select ${columns} from message_channels where merchant_id = ${merchantId} and id = ${id} and removed_at is null`),
  );
}

/** The channels of a member, the first ones first. One whose code was not used in time is gone. */
export async function listChannels(
  db: Queryable,
  { merchantId, personId }: Pick<MessageChannel, "merchantId" | "personId">,
): Promise<MessageChannel[]> {
  return db.query<MessageChannel>(sql`
    select ${columns} from message_channels where merchant_id = ${merchantId} and person_id = ${personId} and removed_at is null
      and (sealed is not null or code_expires_at > now())
    order by created_at, id`);
}

/** A channel that is asked for by a code, or one whose URL is known. */
export type NewChannel = Pick<
  MessageChannel,
  "merchantId" | "id" | "personId" | "kind" | "name" | "sealed"
> & {
  /** see `link-chats.ts`; it is valid for ten minutes */
  readonly codeHash: Buffer | null;
};

/** Inserts a channel. A URL is confirmed by being pasted. */
export async function insertChannel(db: Queryable, channel: NewChannel): Promise<MessageChannel> {
  const { merchantId, id, personId, kind, name, sealed, codeHash } = channel;
  return one(
    await db.query<MessageChannel>(sql`
      insert into message_channels (merchant_id, id, person_id, kind, name, sealed, code_hash, code_expires_at, confirmed_at)
      values (${merchantId}, ${id}, ${personId}, ${kind}, ${name}, ${sealed}, ${codeHash},
        case when ${codeHash}::bytea is not null then now() + interval '10 minutes' end,
        case when ${sealed}::bytea is not null then now() end)
      returning ${columns}`),
  );
}

type OwnChannel = Pick<MessageChannel, "merchantId" | "id" | "personId">;

/** Lets messages go to a chat that used its code; undefined if the member has no such chat that waits. */
export async function confirmChannel(
  db: Queryable,
  { merchantId, id, personId }: OwnChannel,
): Promise<MessageChannel | undefined> {
  return maybeOne(
    await db.query<MessageChannel>(sql`
      update message_channels set confirmed_at = now()
      where merchant_id = ${merchantId} and id = ${id} and person_id = ${personId} and removed_at is null
        and sealed is not null and confirmed_at is null
      returning ${columns}`),
  );
}

/** Removes a channel with its address; undefined if the member has no such channel. */
export async function removeChannel(
  db: Queryable,
  { merchantId, id, personId }: OwnChannel,
): Promise<MessageChannel | undefined> {
  return maybeOne(
    await db.query<MessageChannel>(sql`
      update message_channels set removed_at = now(), sealed = null, confirmed_at = null, code_hash = null
      where merchant_id = ${merchantId} and id = ${id} and person_id = ${personId} and removed_at is null
      returning ${columns}`),
  );
}

/** Ends the codes of a member that no chat has used. */
export async function removeAskedFor(
  db: Queryable,
  { merchantId, personId }: Pick<MessageChannel, "merchantId" | "personId">,
): Promise<void> {
  await db.query(sql`
    update message_channels set removed_at = now(), code_hash = null
    where merchant_id = ${merchantId} and person_id = ${personId} and removed_at is null and sealed is null`);
}

/** Whether a code of any member waits for its chat. */
export async function hasOpenCode(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`
    select from message_channels where code_hash is not null and code_expires_at > now() limit 1`);
  return rows.length === 1;
}

/** The channel that waits for a chat with this code; undefined for one that is unknown, used or too old. */
export async function findChannelOfCode(
  db: Queryable,
  codeHash: Buffer,
): Promise<MessageChannel | undefined> {
  return maybeOne(
    await db.query<MessageChannel>(sql`
      select ${columns} from message_channels where code_hash = ${codeHash} and code_expires_at > now()`),
  );
}

/** Stores the chat that used a code, which works once. */
export async function linkChannel(
  db: Queryable,
  { merchantId, id }: ChannelRef,
  { codeHash, sealed, name }: { readonly codeHash: Buffer; readonly sealed: Buffer; readonly name: string },
): Promise<void> {
  await db.query(sql`
    update message_channels set sealed = ${sealed}, name = ${name}, code_hash = null
    where merchant_id = ${merchantId} and id = ${id} and code_hash = ${codeHash} and code_expires_at > now()`);
}

/** A chat with its sealed address. */
export type SealedChannel = ChannelRef & { readonly sealed: Buffer };

/** The sealed chats of all members. */
export async function readSealedChannels(db: Queryable): Promise<SealedChannel[]> {
  return db.query<SealedChannel>(sql`
    select merchant_id as "merchantId", id, sealed from message_channels where sealed is not null order by id`);
}

/** Replaces a sealed address, unless it has changed since it was read. */
export async function replaceSealedChannel(
  db: Queryable,
  { merchantId, id, sealed }: SealedChannel,
  anew: Buffer,
): Promise<void> {
  await db.query(sql`
    update message_channels set sealed = ${anew}
    where merchant_id = ${merchantId} and id = ${id} and sealed = ${sealed}`);
}

/** Notes that a channel takes no message any more; null notes that it does again. Returns whether that is new. */
export async function saveChannelFailure(
  db: Queryable,
  { merchantId, id }: ChannelRef,
  failure: string | null,
): Promise<boolean> {
  const rows = await db.query(sql`
    update message_channels set failed_at = case when ${failure}::text is not null then now() end, failure = ${failure}
    where merchant_id = ${merchantId} and id = ${id} and (failed_at is null) = (${failure}::text is not null)
    returning id`);
  return rows.length === 1;
}
