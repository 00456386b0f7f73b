import pg from "pg";
import { withDedicatedClient } from "./dedicated-client.ts";
import { isRefusedForRights } from "./errors.ts";
import { type BrokenFact, findFaults } from "./facts.ts";
import { applyGrants, type Grants, refuseLargeObjects, refuseTables } from "./grants.ts";
import { withMigrationLock } from "./migrate.ts";
import { quoted } from "./quoted.ts";
import { scramVerifier } from "./scram/scram-verifier.ts";
import { missingDefaults } from "./session-settings.ts";
import type { Sql } from "./sql.ts";
import { driversUrl } from "./tls.ts";

export type ServiceRole = {
  readonly name: string;
  /** The role has the owner's rights, so the database cannot stop it from changing tables. */
  readonly isOwner: boolean;
  /** statements that neither the owner nor the role could run */
  readonly toRun: readonly string[];
  readonly reason: string | undefined;
  /** the facts that do not hold on a connection of the service, if it can log in */
  readonly findings: readonly BrokenFact[];
};

/**
 * Gives the user of `serviceUrl` exactly the rights of `grants` and its settings ({@link roleDefaults}) in the
 * database of `ownerUrl`. Creates a missing role with the URL's password. May run again, and several times at once.
 * @throws Error when the role does not exist and cannot be created, with the statement that creates it.
 */
export async function prepareServiceRole(options: {
  ownerUrl: string;
  serviceUrl: string;
  grants: Grants;
}): Promise<ServiceRole> {
  const { ownerUrl, serviceUrl, grants } = options;
  const { user: name = "", password } = new pg.Client({ connectionString: driversUrl(serviceUrl) });
  const role = await withMigrationLock(ownerUrl, async (client) => {
    const owner = await ownerOf(client);
    if (name !== owner.name) {
      await ensureRole(client, { name, password, mayCreateRoles: owner.mayCreateRoles });
      await applyGrants(client, name, { grants, reads: "all" });
    }
    const { rows } = await client.query<{ isOwner: boolean }>(
      `select pg_has_role($1, current_user, 'usage') as "isOwner"`,
      [name],
    );
    const isOwner = rows[0]?.isOwner === true;
    const refused = isOwner ? [] : await refuseTables(client, name);
    await refuseLargeObjects(client);
    const { left, reason } = await setDefaults(client, options, await missingDefaults(client, name));
    return { name, isOwner, toRun: [...refused, ...left], reason };
  });
  return { ...role, findings: await findingsOf(serviceUrl) };
}

/**
 * Gives an existing role the rights of `grants` in the database of `ownerUrl`, and no others: it reads no other table. Returns
 * statements that need a superuser. Idempotent and safe when several machines run it at once.
 * @throws Error when the role does not exist, or has the rights of the owner.
 */
export async function grantRole({
  ownerUrl,
  name,
  grants,
}: {
  ownerUrl: string;
  name: string;
  grants: Grants;
}): Promise<readonly string[]> {
  return withMigrationLock(ownerUrl, async (client) => {
    const { rows } = await client.query<{ isOwner: boolean }>(
      `select pg_has_role(oid, current_user, 'usage') as "isOwner" from pg_roles where rolname = $1`,
      [name],
    );
    const [role] = rows;
    if (role === undefined)
      throw new Error(
        `there is no role ${name}: create role ${quoted(name)} login password '…'; and run this again`,
      );
    if (role.isOwner)
      throw new Error(`role ${name} has the rights of the owner of the tables: name another one`);
    await applyGrants(client, name, { grants, reads: "granted" });
    return refuseTables(client, name);
  });
}

async function findingsOf(url: string): Promise<readonly BrokenFact[]> {
  try {
    return await withDedicatedClient({ connectionString: url }, async (client) => {
      const query = async <Row>(statement: Sql) => (await client.query(statement)).rows as Row[];
      return await findFaults({ query }, { url, purpose: "serving" });
    });
  } catch {
    return [];
  }
}

async function ownerOf(client: pg.Client): Promise<{ name: string; mayCreateRoles: boolean }> {
  const { rows } = await client.query<{ name: string; mayCreateRoles: boolean }>(
    `select rolname::text as name, rolcreaterole or rolsuper as "mayCreateRoles"
     from pg_roles where rolname = current_user`,
  );
  return rows[0] ?? { name: "", mayCreateRoles: false };
}

async function ensureRole(
  client: pg.Client,
  role: { name: string; password: string | null | undefined; mayCreateRoles: boolean },
): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role.name]);
  if (rowCount === 1) return;
  if (!role.mayCreateRoles || typeof role.password !== "string" || role.password === "") {
    throw new Error(
      `there is no role ${role.name}, as which the service logs in: ` +
        `create role ${quoted(role.name)} login password '…'; and run this again`,
    );
  }
  // For printable ASCII this is the server's own verifier; the password stays out of the server's log.
  const secret = /^[\x20-\x7e]+$/.test(role.password) ? scramVerifier(role.password) : role.password;
  await client.query(`create role ${quoted(role.name)} login password ${pg.escapeLiteral(secret)}`);
}

/**
 * Runs the statements as the owner or as the role itself, past a pooler if possible. Returns the failed ones and
 * the reason.
 */
async function setDefaults(
  client: pg.Client,
  { ownerUrl, serviceUrl }: { ownerUrl: string; serviceUrl: string },
  statements: readonly string[],
): Promise<{ left: readonly string[]; reason: string | undefined }> {
  if (statements.length === 0) return { left: [], reason: undefined };
  const all = statements.join(" ");
  await client.query("savepoint before_defaults");
  try {
    await client.query(all);
    return { left: [], reason: undefined };
  } catch (error) {
    if (!isRefusedForRights(error)) throw error;
    await client.query("rollback to savepoint before_defaults");
  }
  const reasons: string[] = [];
  for (const url of new Set([asUserOf(serviceUrl, ownerUrl), serviceUrl])) {
    try {
      await withDedicatedClient({ connectionString: url }, (service) => service.query(all));
      return { left: [], reason: undefined };
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { left: statements, reason: [...new Set(reasons)].join("; ") };
}

function asUserOf(serviceUrl: string, ownerUrl: string): string {
  const { username, password } = new URL(serviceUrl);
  return Object.assign(new URL(ownerUrl), { username, password }).href;
}
