import { one, type Queryable, sql } from "@daric/postgres/sql";

export async function areAddressesSealed(db: Queryable): Promise<boolean> {
  const row = one(
    await db.query<{ areSealed: boolean }>(
      sql`select addresses_sealed_at is not null as "areSealed" from deployment`,
    ),
  );
  return row.areSealed;
}
