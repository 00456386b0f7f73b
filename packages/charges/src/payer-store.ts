import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";

/** The sealed texts of an order's payer. */
export type SealedPayer = {
  readonly id: ChargeId;
  readonly checkoutToken: string;
  readonly sealed: Buffer;
};

/** The next `limit` orders with texts of their payer, in the order of their ids. */
export async function readSealedPayers(
  db: Queryable,
  { merchantId, after, limit }: { merchantId: MerchantId; after: string; limit: number },
): Promise<SealedPayer[]> {
  return db.query<SealedPayer>(sql`
    select id, checkout_token as "checkoutToken", payer as sealed from deposit_addresses
    where merchant_id = ${merchantId} and payment_link_id is not null and payer is not null and id > ${after}
    order by id limit ${limit}`);
}

/** Replaces the texts, unless they were erased meanwhile. */
export async function replaceSealedPayer(
  db: Queryable,
  merchantId: MerchantId,
  { id, sealed, anew }: { id: ChargeId; sealed: Buffer; anew: Buffer },
): Promise<void> {
  await db.query(sql`
    update deposit_addresses set payer = ${anew} where merchant_id = ${merchantId} and id = ${id} and payer = ${sealed}`);
}
