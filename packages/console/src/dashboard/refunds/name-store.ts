import type { ApiKeyId, MerchantId, PersonId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import type { Refund } from "@daric/refunds/refund";

/** The person or the API key that asked for a refund, and their name. */
export type Asker = {
  readonly kind: "person" | "key";
  readonly id: PersonId | ApiKeyId;
  readonly name: string | null;
};

/** Finds who asked for these refunds of a merchant; undefined where the row names no one. */
export async function findAskers(
  db: Queryable,
  merchantId: MerchantId,
  refunds: readonly Pick<Refund, "askedBy" | "apiKeyId">[],
): Promise<(refund: Pick<Refund, "askedBy" | "apiKeyId">) => Asker | undefined> {
  type Named = { id: PersonId | ApiKeyId; name: string | null };
  const people = refunds.flatMap(({ askedBy }) => askedBy ?? []);
  const keys = refunds.flatMap(({ apiKeyId }) => apiKeyId ?? []);
  const rows = [
    ...(await db.query<Named>(sql`select id, name from people where id = any(${people}::uuid[])`)),
    ...(await db.query<Named>(sql`
      select id, name from api_keys where merchant_id = ${merchantId} and id = any(${keys}::uuid[])`)),
  ];
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ({ askedBy, apiKeyId }) => {
    if (askedBy !== null) return { kind: "person", id: askedBy, name: names.get(askedBy) ?? null };
    return apiKeyId === null ? undefined : { kind: "key", id: apiKeyId, name: names.get(apiKeyId) ?? null };
  };
}
