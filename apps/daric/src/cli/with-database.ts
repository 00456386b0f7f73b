import { networkEnvironment } from "@daric/chain/nodes/networks";
import { faultOfNetwork, networkPaths } from "@daric/chain/nodes/settings";
import type { Environment } from "@daric/domain/api-scope";
import { openDatabase } from "@daric/postgres/database";
import { isRefusedForRights } from "@daric/postgres/errors";
import type { Use } from "@daric/postgres/facts";
import type { Database } from "@daric/postgres/sql";
import { ConfigError } from "@daric/runtime/setting";
import { requireSameDeployment } from "../deployment/claim-deployment.ts";
import { adaptToServers } from "../deployment/distribute.ts";
import { requireFacts } from "../deployment/require-facts.ts";
import { requireServedSchema } from "../deployment/schema-status.ts";
import { type Secrets, secretNames } from "../deployment/secret-checks.ts";
import {
  readSettings,
  type SettingPath,
  type Settled,
  type Variables,
  variableOf,
} from "../process/config.ts";
import { CommandError } from "./failure.ts";

const ALWAYS_NEEDED = ["runtime.databaseUrl", ...networkPaths] as const;

/** The secrets that are compared with the database if they are set. */
const secretsIfSet = [...secretNames, "merchants.previousKeyPepper", "webhooks.previousMasterKey"] as const;

type Always = (typeof ALWAYS_NEEDED)[number];

/** The input of `work`: `url` is the login of `db`. Secrets are there if they are set. */
type DatabaseContext<Path extends SettingPath> = {
  db: Database;
  url: string;
  config: Settled<Always> & Settled<Path> & Secrets & { readonly environment: Environment };
};

/**
 * Runs `work` on the database of the environment and closes it. The facts that reading depends on must hold, and the schema,
 * the network and the set secrets must match the database. `paths` are further settings that `work` needs.
 */
export function withDatabase<Path extends SettingPath, T>(
  variables: Variables,
  paths: readonly Path[],
  work: (context: DatabaseContext<Path>) => Promise<T>,
): Promise<T> {
  const values = readSettings(variables, [...ALWAYS_NEEDED, ...paths], secretsIfSet) as Settled<Always> &
    Settled<Path> &
    Secrets;
  return workOn({ url: values.runtime.databaseUrl, purpose: "reading" }, { values, paths }, work);
}

/**
 * Like {@link withDatabase}, as the owner of the tables: the role of the service may not write merchants,
 * accounts and keys.
 *
 * @throws CommandError if the role that logs in may not either.
 */
export async function withOwnersDatabase<Path extends SettingPath, T>(
  variables: Variables,
  paths: readonly Path[],
  work: (context: DatabaseContext<Path>) => Promise<T>,
): Promise<T> {
  const needed = [...ALWAYS_NEEDED, "runtime.databaseDirectUrl", ...paths] as const;
  const values = readSettings(variables, needed, secretsIfSet) as Settled<
    Always | "runtime.databaseDirectUrl"
  > &
    Settled<Path> &
    Secrets;
  const { databaseUrl, databaseDirectUrl = databaseUrl } = values.runtime;
  try {
    return await workOn({ url: databaseDirectUrl, purpose: "writing" }, { values, paths }, work);
  } catch (error) {
    if (!isRefusedForRights(error)) throw error;
    const owner = variableOf("runtime.databaseDirectUrl");
    throw new CommandError(
      `the role that logs in may not write this, and the role of the service may not either. Set ${owner} to the URL of the owner of the tables, as for \`daric migrate\``,
    );
  }
}

async function workOn<Path extends SettingPath, T>(
  use: Use,
  { values, paths }: { values: Settled<Always> & Settled<Path> & Secrets; paths: readonly Path[] },
  work: (context: DatabaseContext<Path>) => Promise<T>,
): Promise<T> {
  const { url } = use;
  const fault = faultOfNetwork(values.chain);
  if (fault !== undefined) throw new ConfigError(fault);
  const config = { ...values, environment: networkEnvironment(values.chain.network) };
  const db = openDatabase({
    url,
    max: 2,
    applicationName: "daric-cli",
    // The failing statement reports the error.
    onError: () => {},
  });
  try {
    await requireFacts(db, use);
    await requireServedSchema(db);
    await adaptToServers(db);
    const used = secretNames.filter((secret) => paths.some((path) => path === secret));
    await requireSameDeployment({ db, config, variableOf }, used);
    return await work({ db, url, config });
  } finally {
    await db.close();
  }
}
