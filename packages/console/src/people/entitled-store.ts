import type { MerchantId, PersonId, SessionId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { type Queryable, sql } from "@daric/postgres/sql";
import { isLive } from "./session-store.ts";

/** A page that watches a merchant, or the service if it names none. */
export type Watched = { readonly sessionId: SessionId; readonly merchantId: MerchantId | undefined };
/** With the person, the role at the merchant (null of the service), and the last act of a person of the merchant. */
type Entitled = Watched & {
  readonly personId: PersonId;
  readonly role: MerchantRole | null;
  readonly act: string;
};

/** Those whose session lives and whose person still has the right, by one statement for any number. */
export async function findEntitled(db: Queryable, watched: readonly Watched[]): Promise<Entitled[]> {
  const rows = await db.query<Pick<Entitled, "personId" | "role" | "act"> & { place: bigint }>(sql`
    select watched.place, person.id as "personId", member.role,
      coalesce((select max(id)::text from audit_log where merchant_id = watched.merchant_id), '') as act
    from unnest(${watched.map(({ sessionId }) => sessionId)}::uuid[],
      ${watched.map(({ merchantId = null }) => merchantId)}::uuid[]) with ordinality
      as watched (session_id, merchant_id, place)
    join (select id, person_id from sessions where ${isLive}) live on live.id = watched.session_id
    join people person on person.id = live.person_id and person.disabled_at is null
    left join memberships member
      on member.merchant_id = watched.merchant_id and member.person_id = person.id
    where member.person_id is not null or (watched.merchant_id is null and person.is_operator)`);
  return rows.flatMap(({ place, ...entitled }) => {
    const page = watched[Number(place) - 1];
    return page === undefined ? [] : [{ ...page, ...entitled }];
  });
}
