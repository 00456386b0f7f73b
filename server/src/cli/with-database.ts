import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import { networkEnvironment } from "../chain/networks.ts";
import { faultOfNetwork } from "../chain/settings.ts";
import { readSettings, type SettingPath, type Settled, type Variables, variableOf } from "../config.ts";
import { requireCurrentSchema } from "../deployment/await-database.ts";
import { requireSameDeployment } from "../deployment/claim-deployment.ts";
import { secretNames } from "../deployment/secret-checks.ts";
import type { Environment } from "../domain/api-scope.ts";
import { ConfigError } from "../runtime/setting.ts";

const ALWAYS_NEEDED = [
  "runtime.databaseUrl",
  "chain.network",
  "chain.genesisId",
  "chain.usdtContract",
] as const;

/**
 * Runs `work` on the database of the environment and closes it. The schema must be the one of this program, and the
 * database must not belong to another network than the configured one, nor to other secrets than those that are set.
 * `paths` are further settings that `work` needs.
 */
export async function withDatabase<Path extends SettingPath, T>(
  variables: Variables,
  paths: readonly Path[],
  work: (context: {
    db: Database;
    config: Settled<(typeof ALWAYS_NEEDED)[number]> & Settled<Path> & { readonly environment: Environment };
  }) => Promise<T>,
): Promise<T> {
  const values = readSettings(variables, [...ALWAYS_NEEDED, ...paths], secretNames) as Settled<
    (typeof ALWAYS_NEEDED)[number]
  > &
    Settled<Path>;
  const fault = faultOfNetwork(values.chain);
  if (fault !== undefined) throw new ConfigError(fault);
  const config = { ...values, environment: networkEnvironment(values.chain.network) };
  const db = openDatabase({
    url: config.runtime.databaseUrl,
    max: 2,
    applicationName: "daric-cli",
    // The statement that needs the connection fails and says so.
    onError: () => {},
  });
  try {
    await requireCurrentSchema(db);
    const used = secretNames.filter((secret) => paths.some((path) => path === secret));
    await requireSameDeployment({ db, config, variableOf }, used);
    return await work({ db, config });
  } finally {
    await db.close();
  }
}
