import { milliseconds, type Queryable, sql } from "@daric/postgres/sql";
import type { AlertMessage } from "./message.ts";

export const channelNames = ["webhook", "mail", "telegram"] as const;
export type ChannelName = (typeof channelNames)[number];

export type WaitingMessage = {
  readonly id: bigint;
  readonly channel: ChannelName;
  readonly message: AlertMessage;
  readonly attempts: number;
  readonly createdAt: Date;
};

/** Adds a message for each channel. A second digest of the same day adds nothing. */
export async function insertMessages(
  db: Queryable,
  channels: readonly ChannelName[],
  { message, day = null }: { message: AlertMessage; day?: string | null },
): Promise<void> {
  for (const channel of channels) {
    await db.query(sql`
      insert into alert_messages (channel, is_critical, message, day)
      values (${channel}, ${message.severity === "critical"}, ${JSON.stringify(message)}::jsonb, ${day}::date)
      on conflict (channel, day) do nothing`);
  }
}

/** Whether one of these channels has no digest of this day yet. */
export async function lacksDigest(
  db: Queryable,
  channels: readonly ChannelName[],
  day: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    select channel from alert_messages where day = ${day}::date and channel = any(${[...channels]}::text[])`);
  return rows.length < channels.length;
}

/**
 * Takes the messages that are due for these channels, the oldest first. Their next attempt is due after `againMs`, doubled with each
 * attempt up to 15 minutes. In quiet hours only critical ones are due.
 */
export async function claimDueMessages(
  db: Queryable,
  channels: readonly ChannelName[],
  { isQuiet, againMs, limit }: { isQuiet: boolean; againMs: number; limit: number },
): Promise<WaitingMessage[]> {
  const rows = await db.query<WaitingMessage>(sql`
    update alert_messages set attempts = attempts + 1,
      due_at = now() + least(interval '15 minutes', ${milliseconds(againMs)} * power(2, attempts))
    where id in (
      select id from alert_messages
      where sent_at is null and given_up_at is null and due_at <= now() and (is_critical or not ${isQuiet})
        and channel = any(${[...channels]}::text[])
      order by id limit ${limit} for update skip locked)
    returning id, channel, message, attempts, created_at as "createdAt"`);
  return rows.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

export async function saveSent(db: Queryable, id: bigint): Promise<void> {
  await db.query(sql`update alert_messages set sent_at = now(), last_error = null where id = ${id}`);
}

/** Stores the reason; after `hasGivenUp` there is no further attempt. */
export async function saveFailure(
  db: Queryable,
  id: bigint,
  { reason, hasGivenUp }: { reason: string; hasGivenUp: boolean },
): Promise<void> {
  await db.query(sql`
    update alert_messages set last_error = ${reason}, given_up_at = case when ${hasGivenUp} then now() end
    where id = ${id}`);
}

export async function deleteOldMessages(db: Queryable): Promise<void> {
  await db.query(sql`delete from alert_messages where created_at < now() - interval '30 days'`);
}
