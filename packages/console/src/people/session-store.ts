import type { MerchantId, PersonId, SessionId } from "@daric/domain/ids";
import { PROVEN_MS, type Session } from "@daric/domain/session";
import { maybeOne, milliseconds, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import type { Origin } from "./context.ts";
import { type PersonRights, rightsColumns } from "./rights-store.ts";

/** A session, as the list of a person's sessions shows it. */
export type ListedSession = {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string;
  readonly userAgent: string;
};

/** SQL condition: the row of `sessions` is live. */
export const isLive: Sql = sql`ended_at is null and expires_at > now() and seen_at > now() - interval '12 hours'`;

/** A live session, with the rights of its person now. */
export type FoundSession = Omit<Session, "passkeys"> & PersonRights & { readonly isSeenDue: boolean };

/** The live session with this token, which was made for this person; undefined for every other. */
export async function findSession(
  db: Queryable,
  { hash, personId }: { readonly hash: Buffer; readonly personId: PersonId | undefined },
): Promise<FoundSession | undefined> {
  return maybeOne(
    await db.query<FoundSession>(sql`
      select live.id, person.id as "personId", person.email, person.name, ${rightsColumns},
        cardinality(person.recovery_code_hashes) as "recoveryCodesLeft",
        live.reauthenticated_at as "reauthenticatedAt",
        live.reauthenticated_at > now() - ${milliseconds(PROVEN_MS)} as "isProven", live.expires_at as "expiresAt",
        live.seen_at < now() - interval '1 minute' as "isSeenDue"
      from (select * from sessions where token_hash = ${hash} and person_id = ${personId ?? null} and ${isLive}) live
      join people person on person.id = live.person_id
      where person.disabled_at is null`),
  );
}

/** Writes that the session was used, at most once a minute. */
export async function markSeen(db: Queryable, id: SessionId): Promise<void> {
  await db.query(sql`
    update sessions set seen_at = now() where id = ${id} and seen_at < now() - interval '1 minute'`);
}

type NewSession = {
  readonly id: SessionId;
  readonly personId: PersonId;
  readonly tokenHash: Buffer;
  readonly from: Origin;
};

/** A person has at most so many live sessions: the oldest ends. */
export const MAX_SESSIONS = 100;
/** The rows of sessions that a person keeps at most. The newest tell the networks that the person is known by. */
const KEPT_SESSIONS = 1_000;

/** Starts a session. Ends the oldest live ones above the cap, and deletes those that ended three months ago or are too many. */
export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  const { id, personId, tokenHash, from } = session;
  await tx.query(sql`
    delete from sessions where person_id = ${personId} and (expires_at < now() - interval '90 days' or id = any(array(
      select id from sessions where person_id = ${personId} order by created_at desc, id desc offset ${KEPT_SESSIONS})))`);
  await tx.query(sql`
    insert into sessions (id, token_hash, person_id, address, user_agent)
    values (${id}, ${tokenHash}, ${personId}, ${from.address}, ${from.userAgent})`);
  await tx.query(sql`
    update sessions set ended_at = now() where id = any(array(
      select id from sessions where person_id = ${personId} and ${isLive}
      order by created_at desc, id desc offset ${MAX_SESSIONS}))`);
}

/** Gives the session another token, and ends the old one. `isProven`: its person was authenticated again just now. */
export async function replaceToken(
  tx: Transaction,
  { id, tokenHash, isProven }: { id: SessionId; tokenHash: Buffer; isProven: boolean },
): Promise<void> {
  await tx.query(sql`
    update sessions set token_hash = ${tokenHash},
      reauthenticated_at = case when ${isProven}::boolean then now() else reauthenticated_at end
    where id = ${id}`);
}

export async function listSessions(db: Queryable, personId: PersonId): Promise<ListedSession[]> {
  return db.query<ListedSession>(sql`
    select id, created_at as "createdAt", seen_at as "seenAt", address, user_agent as "userAgent"
    from sessions where person_id = ${personId} and ${isLive} order by seen_at desc, id limit ${MAX_SESSIONS}`);
}

/** Ends one session of the person; undefined when there is no such live one. */
export async function endSession(
  db: Queryable,
  { personId, id }: { personId: PersonId; id: SessionId },
): Promise<ListedSession | undefined> {
  return maybeOne(
    await db.query<ListedSession>(sql`
      update sessions set ended_at = now() where person_id = ${personId} and id = ${id} and ${isLive}
      returning id, created_at as "createdAt", seen_at as "seenAt", address, user_agent as "userAgent"`),
  );
}

/** Ends the session with this token, if it is live. */
export async function endSessionOf(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query(sql`
    update sessions set ended_at = now() where token_hash = ${tokenHash} and ended_at is null`);
}

/** Ends the sessions of the person, except one if it is given; returns how many. */
export async function endSessions(tx: Queryable, personId: PersonId, except?: SessionId): Promise<number> {
  const rows = await tx.query(sql`
    update sessions set ended_at = now()
    where person_id = ${personId} and ended_at is null and id is distinct from ${except ?? null}::uuid returning id`);
  return rows.length;
}

/** Keeps a live session from ending until the transaction ends. False when it is not live. */
export async function holdSession(tx: Transaction, id: SessionId): Promise<boolean> {
  const rows = await tx.query(sql`select id from sessions where id = ${id} and ${isLive} for share`);
  return rows.length === 1;
}

/** The addresses of the person's last sessions, each once. */
export async function listSignInAddresses(db: Queryable, personId: PersonId): Promise<string[]> {
  const rows = await db.query<{ address: string }>(sql`
    select distinct address from (
      select address from sessions where person_id = ${personId} order by created_at desc limit 200) last`);
  return rows.map(({ address }) => address);
}

/** The names of these merchants. */
export async function listMerchantNames(
  db: Queryable,
  ids: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, string>> {
  const rows = await db.query<{ id: MerchantId; name: string }>(sql`
    select id, name from merchants where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
