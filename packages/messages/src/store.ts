import type { MerchantId } from "@daric/domain/ids";
import { laneOf, type MessageKind, type MessageLane, receiverText } from "@daric/domain/message";
import { bytesArray, uuidArray } from "@daric/postgres/arrays";
import { milliseconds, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { Message } from "./message.ts";

/** A message with its MAC; without `dueAt` it is due at once. */
export type NewMessage = Message & { readonly mac: Buffer; readonly dueAt?: Date };

/** A message is tried for so long, from the time when it is first due. */
const GIVES_UP_AFTER = sql`interval '24 hours'`;
const KEPT_FOR = sql`interval '30 days'`;

/** The time of the database, without what a `Date` cannot hold. */
export async function findTime(db: Queryable): Promise<Date> {
  return one(await db.query<{ now: Date }>(sql`select date_trunc('milliseconds', now()) as now`)).now;
}

/** Inserts messages. A receiver gets no second message of a cause. */
export async function insertMessages(db: Queryable, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const dueAt = (message: NewMessage) => (message.dueAt ?? message.createdAt).toISOString();
  await db.query(sql`
    insert into messages (merchant_id, lane, kind, cause, receiver, created_at, mac, due_at, gives_up_at)
    select merchant_id, lane, kind, cause, receiver, created_at, mac, due_at, due_at + ${GIVES_UP_AFTER}
    from unnest(
      ${uuidArray(messages.map(({ merchantId }) => merchantId))}::uuid[], ${messages.map(({ receiver }) => laneOf(receiver))}::text[],
      ${messages.map(({ kind }) => kind)}::text[], ${messages.map(({ cause }) => cause)}::text[],
      ${messages.map(({ receiver }) => receiverText(receiver))}::text[],
      ${messages.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[], ${bytesArray(messages.map(({ mac }) => mac))}::bytea[],
      ${messages.map(dueAt)}::timestamptz[])
      as made (merchant_id, lane, kind, cause, receiver, created_at, mac, due_at)
    on conflict (merchant_id, cause, receiver) do nothing`);
}

/** A claimed row, as it stands: its MAC is not checked yet. */
export type ClaimedMessage = {
  readonly merchantId: MerchantId;
  readonly id: bigint;
  readonly kind: MessageKind;
  readonly cause: string;
  readonly receiver: string;
  readonly createdAt: Date;
  readonly mac: Buffer;
  /** this one included */
  readonly attempts: number;
  /** no later attempt follows */
  readonly isLast: boolean;
};

/** Takes due messages of a lane, the oldest first, for `leaseMs`: no other process takes them meanwhile. */
export async function claimMessages(
  db: Queryable,
  lane: MessageLane,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<ClaimedMessage[]> {
  const rows = await db.query<ClaimedMessage>(sql`
    update messages set attempts = attempts + 1, due_at = now() + ${milliseconds(leaseMs)}
    where (merchant_id, id) in (
      select merchant_id, id from messages where lane = ${lane} and ended_at is null and due_at <= now()
      order by due_at, id limit ${limit} for update skip locked)
    returning merchant_id as "merchantId", id, kind, cause, receiver, created_at as "createdAt", mac, attempts,
      gives_up_at <= now() as "isLast"`);
  return rows.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

/** A claim: what its process records counts only while no other process has claimed the row since. */
type Claim = Pick<ClaimedMessage, "merchantId" | "id" | "attempts">;

const claimed = ({ merchantId, id, attempts }: Claim): Sql =>
  sql`merchant_id = ${merchantId} and id = ${id} and attempts = ${attempts} and ended_at is null`;

/** Ends a message: it was sent, to the address of this hash where there is one. */
export async function saveSent(db: Queryable, claim: Claim, addressHash: Buffer | undefined): Promise<void> {
  await db.query(sql`
    update messages set sent_at = now(), ended_at = now(), last_error = null, address_hash = ${addressHash ?? null}
    where ${claimed(claim)}`);
}

/** Ends a message that is not sent. */
export async function saveEnd(db: Queryable, claim: Claim, reason: string): Promise<void> {
  await db.query(sql`
    update messages set ended_at = now(), last_error = ${reason} where ${claimed(claim)}`);
}

/** The next attempt is in `laterMs`. */
export async function saveFailure(
  db: Queryable,
  claim: Claim,
  { reason, laterMs }: { readonly reason: string; readonly laterMs: number },
): Promise<void> {
  await db.query(sql`
    update messages set last_error = ${reason}, due_at = now() + ${milliseconds(laterMs)}
    where ${claimed(claim)}`);
}

/** Gives a message back that was not tried: it is due again. */
export async function release(db: Queryable, claim: Claim): Promise<void> {
  await db.query(sql`update messages set attempts = attempts - 1, due_at = now() where ${claimed(claim)}`);
}

/** Puts a message off that must wait. The time until then does not count as one of trying. */
export async function putOff(
  db: Queryable,
  claim: Claim,
  { until }: { readonly until: Date },
): Promise<void> {
  await db.query(sql`
    update messages set attempts = attempts - 1, due_at = ${until},
      gives_up_at = greatest(gives_up_at, ${until}::timestamptz + ${GIVES_UP_AFTER})
    where ${claimed(claim)}`);
}

/** Counts by receiver of messages of these kinds since a time. */
export async function countMessages(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  { receivers, kinds, since }: { receivers: readonly string[]; kinds: readonly MessageKind[]; since: Date },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ merchantId: MerchantId; receiver: string; count: number }>(sql`
    select merchant_id as "merchantId", receiver, count(*)::integer as count from messages
    where merchant_id = any(${merchantIds}::uuid[]) and receiver = any(${receivers}::text[]) and kind = any(${kinds}::text[])
      and created_at > ${since}
    group by merchant_id, receiver`);
  return new Map(rows.map(({ merchantId, receiver, count }) => [`${merchantId} ${receiver}`, count]));
}

/** Messages that this receiver was sent. */
export async function countSent(db: Queryable, merchantId: MerchantId, receiver: string): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from messages
    where merchant_id = ${merchantId} and receiver = ${receiver} and sent_at is not null`);
  return rows[0]?.count ?? 0;
}

/** Mails to this address in the last day, of every merchant. */
export async function countMailsTo(db: Queryable, addressHash: Buffer): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from messages
    where address_hash = ${addressHash} and sent_at > now() - interval '1 day'`);
  return rows[0]?.count ?? 0;
}

/** Mails to payers of this merchant in the last hour. */
export async function countPayerMails(db: Queryable, merchantId: MerchantId): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from messages
    where merchant_id = ${merchantId} and receiver >= 'payer ' and receiver < 'payer!' and sent_at > now() - interval '1 hour'`);
  return rows[0]?.count ?? 0;
}

/** The newest message of a kind to a receiver, and what became of it. */
export type NewestMessage = {
  readonly receiver: string;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly lastError: string | null;
};

/** The newest message of a kind to each of these receivers of a merchant. */
export async function listNewest(
  db: Queryable,
  merchantId: MerchantId,
  { kind, receivers }: { readonly kind: MessageKind; readonly receivers: readonly string[] },
): Promise<NewestMessage[]> {
  return db.query<NewestMessage>(sql`
    select distinct on (receiver) receiver, created_at as "createdAt", sent_at as "sentAt", last_error as "lastError"
    from messages where merchant_id = ${merchantId} and receiver = any(${[...receivers]}::text[]) and kind = ${kind}
    order by receiver, created_at desc`);
}

/** Deletes messages of long ago. */
export async function deleteOldMessages(db: Queryable): Promise<void> {
  await db.query(sql`delete from messages where created_at < now() - ${KEPT_FOR}`);
}
