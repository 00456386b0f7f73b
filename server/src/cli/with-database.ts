import { type Config, readSettings, type Variables } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { migrationStatus } from "../db/migrate.ts";
import { type Database, maybeOne, type Queryable, sql } from "../db/sql.ts";
import type { SettingName } from "../settings.ts";
import { networkEnvironment } from "../tron/networks.ts";
import { CommandError } from "./failure.ts";

const ALWAYS_NEEDED = ["DATABASE_URL", "TRON_NETWORK"] as const;

/**
 * Runs `work` on the database of the environment and closes it. The schema must be the one of this program, and the
 * database must not belong to another network than TRON_NETWORK. `names` are further settings that `work` needs.
 */
export async function withDatabase<Name extends SettingName, T>(
  variables: Variables,
  names: readonly Name[],
  work: (context: {
    db: Database;
    config: Pick<Config, "environment"> & Pick<Config, Name | (typeof ALWAYS_NEEDED)[number]>;
  }) => Promise<T>,
): Promise<T> {
  const values = readSettings(variables, [...ALWAYS_NEEDED, ...names]);
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
    await requireSameNetwork(db, config.TRON_NETWORK);
    return await work({ db, config });
  } finally {
    await db.close();
  }
}

async function requireCurrentSchema(db: Queryable): Promise<void> {
  const { current, latest } = await migrationStatus(db);
  if (current < latest) {
    throw new CommandError(
      `the database schema is at version ${current} and this program needs ${latest}: run \`daric migrate\``,
    );
  }
  if (current > latest) {
    throw new CommandError(
      `the database schema is at version ${current} and this program knows ${latest}: run a newer program`,
    );
  }
}

/** The row is written at the first start of the service; before that every network is right. */
async function requireSameNetwork(db: Queryable, network: string): Promise<void> {
  const deployment = maybeOne(await db.query<{ network: string }>(sql`select network from deployment`));
  if (deployment !== undefined && deployment.network !== network) {
    throw new CommandError(
      `TRON_NETWORK is ${network}, but this database belongs to ${deployment.network}: set the one or the other right`,
    );
  }
}
