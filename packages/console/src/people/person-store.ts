import type { PersonId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { NewPasskey, PasskeyProof } from "./passkey.ts";

/** A person with the proofs of a sign-in. */
export type Person = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly totpCiphertext: Buffer | null;
  readonly wrongCodes: number;
  /** how long ago the last wrong code was; null without one */
  readonly wrongCodeAgeSeconds: number | null;
  readonly isOperator: boolean;
  readonly isDisabled: boolean;
  readonly passkeys: number;
};

const columns = sql`
  id, email, name, password_hash as "passwordHash", totp_ciphertext as "totpCiphertext", wrong_codes as "wrongCodes",
  extract(epoch from clock_timestamp() - wrong_code_at)::float8 as "wrongCodeAgeSeconds", is_operator as "isOperator",
  disabled_at is not null as "isDisabled", (select count(*)::int from passkeys where person_id = people.id) as "passkeys"`;

export async function findPersonByEmail(db: Queryable, email: string): Promise<Person | undefined> {
  return maybeOne(await db.query<Person>(sql`select ${columns} from people where email = ${email}`));
}

export async function findPerson(db: Queryable, id: PersonId): Promise<Person | undefined> {
  return maybeOne(await db.query<Person>(sql`select ${columns} from people where id = ${id}`));
}

/** Locks the row until the transaction ends, so that sign-ins and changes of one person follow one another. */
export async function lockPerson(tx: Transaction, id: PersonId): Promise<Person> {
  await tx.query(sql`select id from people where id = ${id} for no key update`);
  // The lock may have waited for a change of the person's passkeys, which a second statement sees.
  return one(await tx.query<Person>(sql`select ${columns} from people where id = ${id}`));
}

type NewPerson = Pick<Person, "id" | "email" | "name"> & { readonly passwordHash: string };

/** Inserts a person; false when the e-mail address has one already. */
export async function insertPerson(tx: Transaction, person: NewPerson): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into people (id, email, name, password_hash)
    values (${person.id}, ${person.email}, ${person.name}, ${person.passwordHash})
    on conflict (email) do nothing returning id`);
  return rows.length === 1;
}

export async function renamePerson(tx: Transaction, id: PersonId, name: string): Promise<void> {
  await tx.query(sql`update people set name = ${name}, updated_at = now() where id = ${id}`);
}

export async function makeOperator(tx: Transaction, id: PersonId): Promise<void> {
  await tx.query(sql`update people set is_operator = true, updated_at = now() where id = ${id}`);
}

/** Stores a new password, which also ends the wait after wrong codes. */
export async function storePassword(tx: Transaction, id: PersonId, passwordHash: string): Promise<void> {
  await tx.query(sql`
    update people set password_hash = ${passwordHash}, wrong_codes = 0, wrong_code_at = null, updated_at = now()
    where id = ${id}`);
}

/** The number of passwords that were not hashed under the pepper with this id, in hexadecimal. */
export async function countPasswordsOfOtherPepper(db: Queryable, pepperId: string): Promise<number> {
  return one(
    await db.query<{ count: number }>(sql`
      select count(*)::int as count from people
      where password_hash is not null and split_part(password_hash, ':', 2) <> ${pepperId}`),
  ).count;
}

/** Disables the person, or allows sign-in again. False when there is no change. */
export async function storeDisabled(tx: Transaction, id: PersonId, isDisabled: boolean): Promise<boolean> {
  const rows = await tx.query(sql`
    update people set disabled_at = case when ${isDisabled}::boolean then now() end, updated_at = now()
    where id = ${id} and (disabled_at is not null) <> ${isDisabled}::boolean returning id`);
  return rows.length === 1;
}

/** Stores the secret of the app with the step of its first code; null removes it. */
export async function storeTotp(
  tx: Transaction,
  id: PersonId,
  totp: { readonly ciphertext: Buffer; readonly step: number } | null,
): Promise<void> {
  await tx.query(sql`
    update people set totp_ciphertext = ${totp?.ciphertext ?? null}, totp_step = ${totp?.step ?? null},
      wrong_codes = 0, wrong_code_at = null, updated_at = now()
    where id = ${id}`);
}

/** Takes the code of this step, unless it or a later one was taken before. */
export async function takeTotpStep(db: Queryable, id: PersonId, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    update people set totp_step = ${step}, wrong_codes = 0, wrong_code_at = null
    where id = ${id} and totp_step < ${step} returning id`);
  return rows.length === 1;
}

/**
 * Counts an attempt as a wrong code before it is judged, so that many at once are judged one after another. After `free` wrong
 * codes the wait doubles with each, to `maxWaitSeconds`. False while that wait is not over.
 */
export async function claimCodeAttempt(
  db: Queryable,
  id: PersonId,
  { free, maxWaitSeconds }: { readonly free: number; readonly maxWaitSeconds: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update people set wrong_codes = wrong_codes + 1, wrong_code_at = clock_timestamp()
    where id = ${id} and (wrong_codes < ${free} or wrong_code_at is null
      or wrong_code_at + make_interval(secs => least(${maxWaitSeconds}, 2 ^ least(wrong_codes - ${free}, 30)))
        <= clock_timestamp())
    returning id`);
  return rows.length === 1;
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  id: PersonId,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(
    sql`update people set recovery_code_hashes = ${hashes}::bytea[], updated_at = now() where id = ${id}`,
  );
}

/** Every sealed secret of an authenticator app. */
export async function readSealedTotp(db: Queryable): Promise<{ id: PersonId; sealed: Buffer }[]> {
  return db.query(
    sql`select id, totp_ciphertext as sealed from people where totp_ciphertext is not null order by id`,
  );
}

/** Replaces a sealed secret, unless it has changed since it was read. */
export async function replaceTotp(
  db: Queryable,
  { id, sealed, anew }: { id: PersonId; sealed: Buffer; anew: Buffer },
): Promise<void> {
  await db.query(
    sql`update people set totp_ciphertext = ${anew} where id = ${id} and totp_ciphertext = ${sealed}`,
  );
}

/** Takes a recovery code away; false for one that is unknown or was used. */
export async function takeRecoveryCode(db: Queryable, id: PersonId, hash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    update people set recovery_code_hashes = array_remove(recovery_code_hashes, ${hash})
    where id = ${id} and ${hash} = any(recovery_code_hashes) returning id`);
  return rows.length === 1;
}

export type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** A person has at most so many passkeys. */
export const MAX_PASSKEYS = 20;

export async function listPasskeys(db: Queryable, personId: PersonId): Promise<Passkey[]> {
  return db.query<Passkey>(sql`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where person_id = ${personId} order by created_at, id limit ${MAX_PASSKEYS}`);
}

export async function findPasskey(
  db: Queryable,
  id: string,
): Promise<(PasskeyProof & { readonly personId: PersonId }) | undefined> {
  return maybeOne(
    await db.query<PasskeyProof & { readonly personId: PersonId }>(sql`
      select id, person_id as "personId", public_key as "publicKey", counter from passkeys where id = ${id}`),
  );
}

/** Inserts a passkey; undefined when it is known already, or its challenge is not later than those that were answered. */
export async function insertPasskey(
  tx: Transaction,
  personId: PersonId,
  passkey: NewPasskey & { readonly name: string },
): Promise<Passkey | undefined> {
  return maybeOne(
    await tx.query<Passkey>(sql`
      insert into passkeys (id, person_id, name, public_key, counter, transports, challenged_at)
      select ${passkey.id}, ${personId}, ${passkey.name}, ${Buffer.from(passkey.publicKey)}, ${passkey.counter},
        ${passkey.transports}, ${passkey.challengedAt}
      where not exists (
        select from passkeys where person_id = ${personId} and challenged_at >= ${passkey.challengedAt}::timestamptz)
      on conflict (id) do nothing
      returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`),
  );
}

/** Holds the passkey until the transaction ends; false if it was removed. */
export async function holdPasskey(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(sql`select id from passkeys where id = ${id} for share`);
  return rows.length === 1;
}

/** Takes the answer to this challenge, unless one to it or to a later challenge was taken before. */
export async function usePasskey(
  db: Queryable,
  { id, counter, challengedAt }: { id: string; counter: bigint; challengedAt: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update passkeys set counter = ${counter}, challenged_at = ${challengedAt}, last_used_at = now()
    where id = ${id} and challenged_at < ${challengedAt} returning id`);
  return rows.length === 1;
}

export async function deletePasskey(
  tx: Transaction,
  { personId, id }: { personId: PersonId; id: string },
): Promise<Passkey | undefined> {
  return maybeOne(
    await tx.query<Passkey>(sql`
      delete from passkeys where person_id = ${personId} and id = ${id}
      returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`),
  );
}

export async function deletePasskeys(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query(sql`delete from passkeys where person_id = ${personId}`);
}
