import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";

/** The sealed secrets of an endpoint. */
export type SealedRow = {
  readonly endpointId: EndpointId;
  readonly generation: number;
  readonly sealed: Buffer;
  readonly previous: Buffer | null;
};

export async function readSealedSecrets(db: Queryable, merchantId: MerchantId): Promise<SealedRow[]> {
  return db.query<SealedRow>(sql`
    select id as "endpointId", secret_generation as generation, secret_ciphertext as sealed,
      previous_secret_ciphertext as previous
    from webhook_endpoints where merchant_id = ${merchantId} and secret_ciphertext is not null order by id`);
}

/** Replaces the sealed secrets of an endpoint, unless they have changed since `row` was read. */
export async function replaceSealedSecrets(
  db: Queryable,
  merchantId: MerchantId,
  { row, sealed, previous }: { row: SealedRow; sealed: Buffer; previous: Buffer | null },
): Promise<void> {
  await db.query(sql`
    update webhook_endpoints set secret_ciphertext = ${sealed}, previous_secret_ciphertext = ${previous}
    where merchant_id = ${merchantId} and id = ${row.endpointId} and secret_ciphertext = ${row.sealed}
      and previous_secret_ciphertext is not distinct from ${row.previous}`);
}
