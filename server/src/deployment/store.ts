import { maybeOne, type Queryable, sql } from "../db/sql.ts";
import type { Environment } from "../domain/api-scope.ts";

/** What a database was first started for. `genesisId` is null until a node of the network was verified. */
export type Deployment = {
  readonly environment: Environment;
  readonly network: string;
  readonly genesisId: string | null;
};

/** Writes the row where there is none; whoever comes second reads what the first one wrote. */
export async function insertDeployment(
  db: Queryable,
  deployment: Pick<Deployment, "environment" | "network">,
): Promise<void> {
  await db.query(sql`
    insert into deployment (environment, network) values (${deployment.environment}, ${deployment.network})
    on conflict do nothing`);
}

/** The row, or undefined before the first start of the service. */
export async function findDeployment(db: Queryable): Promise<Deployment | undefined> {
  return maybeOne(
    await db.query<Deployment>(sql`select environment, network, genesis_id as "genesisId" from deployment`),
  );
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
