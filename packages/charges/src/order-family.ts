import { type ChargeRef, type RefKey, refKey } from "@daric/domain/ids";
import type { Family } from "@daric/domain/rest";
import type { Queryable } from "@daric/postgres/sql";
import { type Charge, loadCharges } from "./charge.ts";
import { selectRests } from "./rest-store.ts";

/** A charge alone is a family too. */
export type OrderFamily = Family<Charge>;

/** The first order of a charge's family: the order that it is a rest of, or itself. */
export function firstOrderOf({
  merchantId,
  id,
  restOf,
}: Pick<Charge, "merchantId" | "id" | "restOf">): ChargeRef {
  return { merchantId, id: restOf ?? id };
}

/** The family of a charge. */
export async function findFamily(db: Queryable, charge: Charge): Promise<OrderFamily> {
  return familyIn(await loadFamilies(db, [charge]), charge);
}

/** The family of a charge among those that {@link loadFamilies} found for it. */
export function familyIn(families: ReadonlyMap<RefKey<"charge">, OrderFamily>, charge: Charge): OrderFamily {
  return families.get(refKey(firstOrderOf(charge))) ?? { first: charge, rests: [] };
}

/** The families of these charges that have rests, by the `refKey` of their first orders. */
export async function loadFamilies(
  db: Queryable,
  charges: readonly Pick<Charge, "merchantId" | "id" | "restOf">[],
): Promise<Map<RefKey<"charge">, OrderFamily>> {
  const firsts = new Map(charges.map((charge) => [refKey(firstOrderOf(charge)), firstOrderOf(charge)]));
  const refs = await selectRests(db, [...firsts.values()]);
  if (refs.length === 0) return new Map();
  const members = await loadCharges(db, [...firsts.values(), ...refs]);
  return new Map(
    [...firsts].flatMap(([key, ref]) => {
      const first = members.get(key);
      const rests = refs.flatMap((rest) => members.get(refKey(rest)) ?? []);
      const own = rests.filter((rest) => rest.restOf === ref.id);
      return first === undefined || own.length === 0 ? [] : [[key, { first, rests: own }] as const];
    }),
  );
}
