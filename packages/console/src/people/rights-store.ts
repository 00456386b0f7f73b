import type { PersonId } from "@daric/domain/ids";
import type { Membership } from "@daric/domain/session";
import { one, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";

/** The rights of a person, the proofs that a sign-in needs, and the MAC that covers both; null before it was sealed. */
export type PersonRights = {
  readonly isOperator: boolean;
  readonly hasTotp: boolean;
  readonly memberships: readonly Membership[];
  /** id and public key in base64 */
  readonly passkeyKeys: readonly (readonly [string, string])[];
  readonly rightsMac: Buffer | null;
};

/** The columns of {@link PersonRights} of the row `person`. */
export const rightsColumns: Sql = sql`
  person.is_operator as "isOperator", person.totp_ciphertext is not null as "hasTotp", person.rights_mac as "rightsMac",
  (select coalesce(jsonb_agg(jsonb_build_object('merchantId', merchant_id, 'role', role) order by created_at),
    '[]') from memberships where person_id = person.id) as memberships,
  (select coalesce(jsonb_agg(jsonb_build_array(id, encode(public_key, 'base64'))), '[]')
    from passkeys where person_id = person.id) as "passkeyKeys"`;

export async function getRights(db: Queryable, id: PersonId): Promise<PersonRights> {
  return one(await db.query<PersonRights>(sql`select ${rightsColumns} from people person where id = ${id}`));
}

export async function storeRightsMac(tx: Transaction, id: PersonId, mac: Buffer): Promise<void> {
  await tx.query(sql`update people set rights_mac = ${mac} where id = ${id}`);
}

export type SealablePerson = PersonRights & { readonly id: PersonId; readonly email: string };

/** People by id, `limit` of them behind `after`. */
export async function listRights(
  db: Queryable,
  { after, limit }: { readonly after: PersonId | undefined; readonly limit: number },
): Promise<SealablePerson[]> {
  return db.query<SealablePerson>(sql`
    select person.id, person.email, ${rightsColumns} from people person
    where ${after ?? null}::uuid is null or person.id > ${after ?? null}::uuid order by person.id limit ${limit}`);
}
