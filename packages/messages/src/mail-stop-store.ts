import type { MerchantId } from "@daric/domain/ids";
import { OPERATOR } from "@daric/domain/message";
import { type Queryable, sql } from "@daric/postgres/sql";
import { macOf } from "@daric/runtime/mac";
import type { MessageSealing } from "./message.ts";

/**
 * A hash of an address under the integrity key, which is never rotated: without it the hash is no address. Neither the case of letters nor a
 * part behind `+` counts, because they reach the same mailbox.
 */
export function addressHashOf({ config }: MessageSealing, address: string): Buffer {
  return macOf(config.integrity.key, "mail address", [address.toLowerCase().replace(/\+[^@]*(?=@)/, "")]);
}

/** Why an address gets no mail of a merchant. */
export type MailStop = { readonly reason: "refused" | "unsubscribed"; readonly detail: string | null };

/** The reasons why an address gets no mail of this merchant: its server refused it, or it was unsubscribed. */
export async function listMailStops(
  db: Queryable,
  merchantId: MerchantId,
  addressHashes: readonly Buffer[],
): Promise<MailStop[]> {
  return db.query<MailStop>(sql`
    select reason, detail from mail_stops
    where merchant_id in (${merchantId}, ${OPERATOR}) and address_hash = any(${[...addressHashes]}::bytea[])
      and (ends_at is null or ends_at > now())`);
}

/** No merchant mails a refused address for a week. */
export async function stopRefused(db: Queryable, addressHash: Buffer, detail: string): Promise<void> {
  await db.query(sql`
    insert into mail_stops (merchant_id, address_hash, reason, detail, ends_at)
    values (${OPERATOR}, ${addressHash}, 'refused', ${detail.slice(0, 300)}, now() + interval '7 days')
    on conflict (merchant_id, address_hash, reason) do update set detail = excluded.detail, ends_at = excluded.ends_at`);
}

export async function stopUnsubscribed(
  db: Queryable,
  merchantId: MerchantId,
  addressHash: Buffer,
): Promise<void> {
  await db.query(sql`
    insert into mail_stops (merchant_id, address_hash, reason) values (${merchantId}, ${addressHash}, 'unsubscribed')
    on conflict (merchant_id, address_hash, reason) do nothing`);
}

/** Deletes what stops no mail any more. */
export async function deleteLapsedStops(db: Queryable): Promise<void> {
  await db.query(sql`delete from mail_stops where ends_at < now()`);
}
