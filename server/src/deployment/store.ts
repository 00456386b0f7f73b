import { maybeOne, one, type Queryable, sql } from "../db/sql.ts";
import type { Environment } from "../domain/api-scope.ts";

/** What a database was first started for. `genesisId` is null until a node of the network was verified. */
export type Deployment = {
  readonly environment: Environment;
  readonly network: string;
  readonly genesisId: string | null;
};

/** Claims the database where nobody has; whoever comes second reads what the first one wrote. */
export async function claimUnclaimed(
  db: Queryable,
  deployment: Pick<Deployment, "environment" | "network">,
): Promise<void> {
  await db.query(sql`
    update deployment set environment = ${deployment.environment}, network = ${deployment.network}
    where environment is null`);
}

/** What the database was claimed for, or undefined before the first start of the service. */
export async function findDeployment(db: Queryable): Promise<Deployment | undefined> {
  return maybeOne(
    await db.query<Deployment>(sql`
      select environment, network, genesis_id as "genesisId" from deployment where environment is not null`),
  );
}

/** The key of the check in every checkout token: 32 bytes, made with the database and never changed. */
export async function getCheckoutKey(db: Queryable): Promise<Buffer> {
  const row = one(
    await db.query<{ checkoutKey: Buffer }>(sql`select checkout_key as "checkoutKey" from deployment`),
  );
  return row.checkoutKey;
}

export async function insertGenesisId(db: Queryable, genesisId: string): Promise<void> {
  await db.query(sql`update deployment set genesis_id = ${genesisId} where genesis_id is null`);
}

/** How far the chain was read, or undefined before the first block. */
export async function findScannedBlock(
  db: Queryable,
  network: string,
): Promise<{ number: bigint; ageSeconds: number } | undefined> {
  return maybeOne(
    await db.query<{ number: bigint; ageSeconds: number }>(sql`
      select number, extract(epoch from now() - time)::float8 as "ageSeconds"
      from scan_cursors where network = ${network}`),
  );
}
