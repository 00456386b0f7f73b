import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { MessageChoices } from "@daric/domain/message";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { DailySpan } from "./local-time.ts";

/** The messages that a member gets, and when. */
export type MemberChoices = {
  readonly choices: MessageChoices;
  /** paid orders of programs count too, also while a program listens */
  readonly everyPaid: boolean;
  /** in the time zone; undefined for none */
  readonly quiet: DailySpan | undefined;
  readonly timeZone: string;
};

export type MemberRef = { readonly merchantId: MerchantId; readonly personId: PersonId };

/** The choices of a member; undefined before any. */
export async function findChoices(
  db: Queryable,
  { merchantId, personId }: MemberRef,
): Promise<MemberChoices | undefined> {
  const row = maybeOne(
    await db.query<Omit<MemberChoices, "quiet"> & { from: number | null; to: number | null }>(sql`
      select choices, every_paid as "everyPaid", quiet_from as "from", quiet_to as "to", time_zone as "timeZone"
      from message_choices where merchant_id = ${merchantId} and person_id = ${personId}`),
  );
  if (row === undefined) return undefined;
  const { from, to, ...others } = row;
  return { ...others, quiet: from === null || to === null ? undefined : { from, to } };
}

/** Stores the choices of a member in place of the ones before. */
export async function saveChoices(
  db: Queryable,
  { merchantId, personId }: MemberRef,
  { choices, everyPaid, quiet, timeZone }: MemberChoices,
): Promise<void> {
  await db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, every_paid, quiet_from, quiet_to, time_zone)
    values (${merchantId}, ${personId}, ${JSON.stringify(choices)}::jsonb, ${everyPaid}, ${quiet?.from ?? null}, ${quiet?.to ?? null},
      ${timeZone})
    on conflict (merchant_id, person_id) do update set
      choices = excluded.choices, every_paid = excluded.every_paid, quiet_from = excluded.quiet_from,
      quiet_to = excluded.quiet_to, time_zone = excluded.time_zone, updated_at = now()`);
}
