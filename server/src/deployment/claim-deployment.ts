import type { Context } from "../context.ts";
import { StartError } from "./start-error.ts";
import { getDeployment, insertDeployment, insertGenesisId } from "./store.ts";

/**
 * Binds the database to this environment and network at the first start and compares at every later one.
 *
 * @throws StartError when the database was started for another environment or network.
 */
export async function claimDeployment({ db, config }: Context): Promise<void> {
  const { environment, TRON_NETWORK: network } = config;
  await insertDeployment(db, { environment, network });
  const row = await getDeployment(db);
  if (row.environment === environment && row.network === network) return;
  throw new StartError(
    `this database belongs to the ${row.environment} environment on ${row.network}, and TRON_NETWORK is ${network}: ` +
      "each environment needs a database of its own",
  );
}

/**
 * Remembers block 0 of the verified network: a local chain may be made anew under the same name, and then none of
 * the deposits of this database is on it.
 *
 * @throws StartError when the database knows another block 0.
 */
export async function claimGenesis({ db, config }: Context, genesisId: string): Promise<void> {
  await insertGenesisId(db, genesisId);
  const row = await getDeployment(db);
  if (row.genesisId === genesisId) return;
  throw new StartError(
    `this database was used with another ${config.TRON_NETWORK}: its block 0 was ${row.genesisId} and is ${genesisId} now`,
  );
}
