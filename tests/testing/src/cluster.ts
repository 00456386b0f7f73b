import type { Database } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { addServerKeys, dropServerKeys } from "@daric/server/deployment/server-keys-store";

/**
 * Gives a test's database the keys of a distributed one, and makes this process query each merchant's rows apart. The
 * returned function takes both back.
 */
export async function standOnServers({ owner }: { readonly owner: Database }): Promise<() => Promise<void>> {
  await addServerKeys(owner);
  spreadTenants((merchantId) => merchantId);
  return async () => {
    spreadTenants(undefined);
    await dropServerKeys(owner);
  };
}
