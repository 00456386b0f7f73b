import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import { networkEnvironment } from "../chain/networks.ts";
import { type Config, readSettings, type Variables } from "../config.ts";
import { requireCurrentSchema } from "../deployment/await-database.ts";
import { requireSameDeployment } from "../deployment/claim-deployment.ts";
import { secretNames } from "../deployment/secret-checks.ts";
import type { SettingName } from "../settings.ts";

const ALWAYS_NEEDED = ["DATABASE_URL", "TRON_NETWORK"] as const;

/**
 * Runs `work` on the database of the environment and closes it. The schema must be the one of this program, and the
 * database must not belong to another network than TRON_NETWORK, nor to other secrets than those that are set.
 * `names` are further settings that `work` needs.
 */
export async function withDatabase<Name extends SettingName, T>(
  variables: Variables,
  names: readonly Name[],
  work: (context: {
    db: Database;
    config: Pick<Config, "environment"> & Pick<Config, Name | (typeof ALWAYS_NEEDED)[number]>;
  }) => Promise<T>,
): Promise<T> {
  const values = readSettings(variables, [...ALWAYS_NEEDED, ...names], secretNames);
  const config = { ...values, environment: networkEnvironment(values.TRON_NETWORK) };
  const db = openDatabase({
    url: config.DATABASE_URL,
    max: 2,
    applicationName: "daric-cli",
    // The statement that needs the connection fails and says so.
    onError: () => {},
  });
  try {
    await requireCurrentSchema(db);
    const used = secretNames.filter((secret) => names.some((name) => name === secret));
    await requireSameDeployment({ db, config }, used);
    return await work({ db, config });
  } finally {
    await db.close();
  }
}
