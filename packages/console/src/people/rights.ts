import { ApiError } from "@daric/domain/errors";
import type { PersonId } from "@daric/domain/ids";
import type { Membership } from "@daric/domain/session";
import type { Queryable, Transaction } from "@daric/postgres/sql";
import { isSameMac, macOf } from "@daric/runtime/mac";
import type { RightsContext } from "./context.ts";
import { lockPerson } from "./person-store.ts";
import { getRights, listRights, type PersonRights, storeRightsMac } from "./rights-store.ts";

/** The MAC of a person's memberships, operator's seat, passkeys and second factor, which the database alone must not decide. */
export function rightsMac(key: Buffer, id: PersonId, rights: Omit<PersonRights, "rightsMac">): Buffer {
  const memberships = rights.memberships.map(({ merchantId, role }) => `${merchantId} ${role}`).toSorted();
  const passkeys = rights.passkeyKeys
    .map(([name, publicKey]) => `${name} ${publicKey.replaceAll("\n", "")}`)
    .toSorted();
  const counts = [Number(rights.isOperator), Number(rights.hasTotp), memberships.length];
  return macOf(key, "person", [id, ...counts, ...memberships, ...passkeys]);
}

/** Whether the rights are those that Daric wrote. If not, it raises an alarm. */
export function areRightsOurs(context: RightsContext, id: PersonId, rights: PersonRights): boolean {
  const { config, metrics, log } = context;
  const mac = rightsMac(config.integrity.key, id, rights);
  if (rights.rightsMac !== null && isSameMac(rights.rightsMac, mac)) return true;
  metrics.alarms.inc({ alarm: "person_refused" });
  log.error(
    { event: "person_refused", person_id: id, has_code: rights.rightsMac !== null },
    "the rights, passkeys or second factor of a person are not those that the service wrote: the person is refused",
  );
  return false;
}

/**
 * Changes what the MAC of a person covers: it locks the person, checks the MAC, makes the change and writes the new MAC.
 *
 * @throws CHANGED_MEANWHILE when the rights are not those that Daric wrote.
 */
export async function changeRights<T>(
  tx: Transaction,
  { context, personId }: { readonly context: RightsContext; readonly personId: PersonId },
  change: () => Promise<T>,
): Promise<T> {
  await lockPerson(tx, personId);
  if (!areRightsOurs(context, personId, await getRights(tx, personId)))
    throw new ApiError("CHANGED_MEANWHILE", {
      message:
        "The rights of this person were written by another program: the operator has an alarm about it.",
    });
  const result = await change();
  await sealPerson(tx, context.config.integrity.key, personId);
  return result;
}

/** Writes the MAC of the person's rights as they are, and returns them. */
export async function sealPerson(tx: Transaction, key: Buffer, id: PersonId): Promise<PersonRights> {
  const rights = await getRights(tx, id);
  await storeRightsMac(tx, id, rightsMac(key, id, rights));
  return rights;
}

const AT_ONCE = 500;

/** A person that {@link sealPeople} saw, as the operator reviews the person. */
export type SealedPerson = {
  readonly email: string;
  readonly isOperator: boolean;
  readonly memberships: readonly Membership[];
  readonly secondFactors: number;
};

/**
 * Writes the MAC of each person without one, and lists them. A person whose MAC is wrong keeps it and stays refused. `db` connects
 * as the owner of the tables.
 */
export async function sealPeople(
  db: Queryable & { transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> },
  key: Buffer,
): Promise<{ readonly sealed: SealedPerson[]; readonly refused: string[] }> {
  const sealed: SealedPerson[] = [];
  const refused: string[] = [];
  let after: PersonId | undefined;
  for (;;) {
    const people = await listRights(db, { after, limit: AT_ONCE });
    after = people.at(-1)?.id;
    if (after === undefined) return { sealed, refused };
    for (const { id, email, rightsMac: mac, ...listed } of people) {
      if (mac !== null) {
        if (!isSameMac(mac, rightsMac(key, id, listed))) refused.push(email);
        continue;
      }
      // The list shows the rights that are sealed: a change since they were read is among them.
      const { isOperator, memberships, hasTotp, passkeyKeys } = await db.transaction(async (tx) => {
        await lockPerson(tx, id);
        return sealPerson(tx, key, id);
      });
      sealed.push({ email, isOperator, memberships, secondFactors: Number(hasTotp) + passkeyKeys.length });
    }
  }
}
