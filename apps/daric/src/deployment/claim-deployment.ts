import { hasIssued } from "@daric/addresses/directory-store";
import { chainSettings } from "@daric/chain/nodes/settings";
import type { Database } from "@daric/postgres/sql";
import { ConfigError } from "@daric/runtime/setting";
import type { ClaimContext, NodesContext } from "./context.ts";
import { requireSameSecrets } from "./require-same-secrets.ts";
import { checksOf, type SecretName, type Secrets, xpubCheck } from "./secret-checks.ts";
import { StartError } from "./start-error.ts";
import {
  clearXpubCheck,
  type Deployment,
  findDeployment,
  findGenesisId,
  insertGenesisId,
  lockDeployment,
  replaceSecretChecks,
  saveUnclaimed,
} from "./store.ts";

/**
 * Binds the database to this environment, network and secrets at the first start, all or none, and compares
 * them at every later one.
 *
 * @throws StartError if the database belongs to another environment or network; ConfigError if it belongs to
 * other secrets.
 */
export async function claimDeployment(context: ClaimContext): Promise<void> {
  const { environment, chain } = context.config;
  await bind(context, { environment, network: chain.network, checks: checksOf(context.config) });
}

/**
 * Compares environment, network and secrets with those of the database, and binds the database to them. An unbound
 * one always fits. Without given secrets it only reads, as on a standby.
 *
 * @throws the errors of {@link claimDeployment}.
 */
export async function requireSameDeployment(
  context: ClaimContext,
  used: readonly SecretName[],
): Promise<void> {
  if (used.length === 0) {
    const deployment = await findDeployment(context.db);
    requireSameNetwork(deployment, context.config);
    return requireSameSecrets(context, context.db, deployment.checks);
  }
  await bind(context, { environment: null, network: null, checks: checksOf(context.config, used) });
}

/** Every reason for which the database would refuse a start. Writes and locks nothing. */
export async function faultsOfDeployment(context: ClaimContext): Promise<string[]> {
  const { db, config } = context;
  const deployment = await findDeployment(db);
  const comparisons = [
    async () => requireSameNetwork(deployment, config),
    async () => requireSameSecrets(context, db, deployment.checks),
  ];
  const results = await Promise.allSettled(comparisons.map((compare) => compare()));
  return results.flatMap((result) => {
    if (result.status === "fulfilled") return [];
    const { reason } = result;
    if (reason instanceof StartError || reason instanceof ConfigError) return reason.message.split("\n");
    throw reason;
  });
}

/** Binds the database to these secrets instead of the ones before, as the end of a rotation. */
export async function replaceChecks(
  { db, config }: { readonly db: Database; readonly config: Secrets },
  names: readonly SecretName[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDeployment(tx);
    await replaceSecretChecks(tx, checksOf(config, names));
  });
}

/** Binds in one transaction: a second process compares with the first one's values, and a refusal writes nothing. */
async function bind(context: ClaimContext, claim: Deployment): Promise<void> {
  await context.db.transaction(async (tx) => {
    const deployment = await lockDeployment(tx);
    requireSameNetwork(deployment, context.config);
    await requireSameSecrets(context, tx, deployment.checks);
    await saveUnclaimed(tx, claim);
  });
}

function requireSameNetwork(
  { environment, network }: Pick<Deployment, "environment" | "network">,
  config: ClaimContext["config"],
): void {
  if (environment === null || (environment === config.environment && network === config.chain.network))
    return;
  throw new StartError(
    "other_deployment",
    `this database belongs to the ${environment} environment on ${network}, and ${chainSettings.network.env} is ` +
      `${config.chain.network}: each environment needs a database of its own`,
  );
}

/** Unbinds a database that has issued no address from this xpub, so that it can start with another one. */
export async function releaseXpub({ db }: Pick<NodesContext, "db">, xpub: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDeployment(tx);
    if (!(await hasIssued(tx))) await clearXpubCheck(tx, xpubCheck(xpub));
  });
}

/**
 * Stores block 0 of the verified network. A local chain may be recreated under the same name, and then has
 * none of this database's deposits.
 *
 * @throws StartError if the database knows another block 0.
 */
export async function claimGenesis(
  { db, config }: Pick<NodesContext, "config" | "db">,
  genesisId: string,
): Promise<void> {
  await insertGenesisId(db, genesisId);
  const known = await findGenesisId(db);
  if (known === genesisId) return;
  throw new StartError(
    "other_deployment",
    `this database was used with another ${config.chain.network}: block 0 was ${known} and is now ${genesisId}`,
  );
}
