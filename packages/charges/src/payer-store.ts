import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";

/** The sealed columns about an order's payer, and the condition of an index that finds their rows. */
const columns = {
  payer: { column: sql`payer`, isThere: sql`payment_link_id is not null and payer is not null` },
  customer_email: { column: sql`customer_email`, isThere: sql`customer_email is not null` },
} as const satisfies Record<string, { column: Sql; isThere: Sql }>;

export type SealedColumn = keyof typeof columns;
export const sealedColumns = Object.keys(columns) as SealedColumn[];

/** A sealed value about an order's payer. */
export type SealedPayer = {
  readonly id: ChargeId;
  readonly checkoutToken: string;
  readonly sealed: Buffer;
};

/** The next `limit` orders with a value in this column, in the order of their ids. */
export async function readSealedPayers(
  db: Queryable,
  name: SealedColumn,
  { merchantId, after, limit }: { merchantId: MerchantId; after: string; limit: number },
): Promise<SealedPayer[]> {
  const { column, isThere } = columns[name];
  return db.query<SealedPayer>(sql`
    select id, checkout_token as "checkoutToken", ${column} as sealed from deposit_addresses
    where merchant_id = ${merchantId} and ${isThere} and id > ${after}
    order by id limit ${limit}`);
}

/** Replaces the value, unless it was changed or erased meanwhile. */
export async function replaceSealedPayer(
  db: Queryable,
  name: SealedColumn,
  { merchantId, id, sealed, anew }: SealedPayer & { merchantId: MerchantId; anew: Buffer },
): Promise<void> {
  const { column } = columns[name];
  await db.query(sql`
    update deposit_addresses set ${column} = ${anew} where merchant_id = ${merchantId} and id = ${id} and ${column} = ${sealed}`);
}
