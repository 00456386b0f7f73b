import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { StartError } from "./start-error.ts";
import { claimUnclaimed, findDeployment, insertGenesisId } from "./store.ts";

type DeploymentContext = Pick<Context, "db"> & { config: Pick<Config, "environment" | "TRON_NETWORK"> };

/**
 * Binds the database to this environment and network at the first start and compares at every later one.
 *
 * @throws StartError when the database was started for another environment or network.
 */
export async function claimDeployment({ db, config }: DeploymentContext): Promise<void> {
  await claimUnclaimed(db, { environment: config.environment, network: config.TRON_NETWORK });
  await requireSameDeployment({ db, config });
}

/**
 * Compares environment and network with those the database was first started for. Before that all are right.
 *
 * @throws StartError when the database belongs to another environment or network.
 */
export async function requireSameDeployment({ db, config }: DeploymentContext): Promise<void> {
  const { environment, TRON_NETWORK: network } = config;
  const row = await findDeployment(db);
  if (row === undefined || (row.environment === environment && row.network === network)) return;
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
  const row = await findDeployment(db);
  if (row?.genesisId === genesisId) return;
  throw new StartError(
    `this database was used with another ${config.TRON_NETWORK}: its block 0 was ${row?.genesisId} and is ${genesisId} now`,
  );
}
