import type { Database } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { addNodeKeys, dropNodeKeys } from "@daric/server/deployment/node-keys-store";

/**
 * Gives a test's database the keys of a distributed one, and makes this process query each merchant's rows apart. The
 * returned function takes both back.
 */
export async function standOnNodes({ owner }: { readonly owner: Database }): Promise<() => Promise<void>> {
  await addNodeKeys(owner);
  spreadTenants((merchantId) => merchantId);
  return async () => {
    spreadTenants(undefined);
    await dropNodeKeys(owner);
  };
}
