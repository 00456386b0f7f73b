import type { MerchantId, MessageChannelId, PersonId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

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

/** The channels of a member, the first ones first. */
export async function listChannels(
  db: Queryable,
  { merchantId, personId }: Pick<MessageChannel, "merchantId" | "personId">,
): Promise<MessageChannel[]> {
  return db.query<MessageChannel>(sql`
    select ${columns} from message_channels where merchant_id = ${merchantId} and person_id = ${personId} and removed_at is null
    order by created_at, id`);
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
