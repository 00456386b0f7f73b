import { networkEnvironment } from "@daric/chain/nodes/networks";
import { openDatabase } from "@daric/postgres/database";
import { isRefusedForRights } from "@daric/postgres/errors";
import { type BrokenFact, findFaults, type Use } from "@daric/postgres/facts";
import type { Database } from "@daric/postgres/sql";
import { faultsOfDeployment } from "../deployment/claim-deployment.ts";
import { findFaultOfXpub } from "../deployment/connect-network.ts";
import { linesOf } from "../deployment/require-facts.ts";
import { findSchemaStatus, requireServedSchema } from "../deployment/schema-status.ts";
import {
  type DatabaseServer,
  describeServer,
  findCreateRight,
  isRoleThere,
} from "../deployment/server-store.ts";
import { type Variables, variableOf } from "../process/config.ts";
import { type Trial, untried, withTimeLimit } from "./config-findings.ts";
import { failureLines } from "./failure.ts";
import type { ReadValues } from "./validate-settings.ts";
import { withNodes } from "./with-nodes.ts";

const WAIT_MS = 10_000;
const ANSWER_MS = 5_000;
/** One cause is one line, which names the trials that could not run because of it. */
const FACTS = "facts of the database";
const AFTER = "schema, secrets of the database";

/** Resolves with the result of a trial, or rejects with its fault. */
type Try = (db: Database) => Promise<Omit<Trial, "trial">>;

/**
 * Tries whether a start would work with the database. Writes and locks nothing; every failure is a finding. `asOwner` tries it
 * as the owner of its tables, before the migration that makes the role of the service.
 */
export async function tryDatabase(
  env: Variables,
  values: ReadValues,
  { asOwner = false }: { readonly asOwner?: boolean } = {},
): Promise<Trial[]> {
  const { databaseDirectUrl } = values.runtime;
  const databaseUrl = asOwner
    ? (databaseDirectUrl ?? values.runtime.databaseUrl)
    : values.runtime.databaseUrl;
  // Missing values are undefined, whatever the type.
  if (!databaseUrl)
    return [untried(`database, ${FACTS}, ${AFTER}`, `${variableOf("runtime.databaseUrl")} cannot be used`)];
  return onDatabase(databaseUrl, async (db) => {
    const attempt = attemptOn(env, db);
    let server: DatabaseServer | undefined;
    const database = await attempt("database", async () => {
      // A pooler in statement mode refuses a transaction alone.
      server = await db.transaction((tx) => describeServer(tx));
      return { verdict: "OK", words: `PostgreSQL ${server.version}` };
    });
    if (server === undefined)
      return [{ ...database, words: `${database.words}; not tried because of it: ${FACTS}, ${AFTER}` }];
    const use = { url: databaseUrl, purpose: asOwner ? "writing" : "serving" } as const;
    const facts = await tryFacts(attempt, use);
    if (!facts.areReadable) return [database, ...facts.trials, untried(AFTER, "the facts do not hold")];
    let isNew = false;
    let isBehind = false;
    const schema = await attempt("schema", async () => {
      const { current, latest, detail } = await findSchemaStatus(db);
      isNew = current === 0;
      isBehind = current < latest;
      await requireServedSchema(db);
      return { verdict: "OK", words: current === latest ? "is that of this program" : detail };
    });
    const rest = await Promise.all([
      asOwner && isBehind ? attempt("migration", () => tryCreateRight(db)) : [],
      schema.verdict === "OK"
        ? attempt("secrets of the database", () => compareSecrets(db, values))
        : asOwner
          ? []
          : untried("secrets of the database", "the schema is another one"),
      databaseDirectUrl === undefined ? [] : tryOther(env, { db, server, values, asOwner }),
      schema.verdict === "OK" ? tryXpub(db, values) : asOwner && isNew ? tryXpub(undefined, values) : [],
    ]);
    return [database, ...facts.trials, schema, ...rest.flat()];
  });
}

async function tryCreateRight(db: Database): ReturnType<Try> {
  const { role, database, mayCreate } = await findCreateRight(db);
  if (mayCreate) return { verdict: "OK", words: `${role} may create tables` };
  const owner = `set ${variableOf("runtime.databaseDirectUrl")} to the URL of the owner of the database`;
  return {
    verdict: "fault",
    words: `${role} may not create tables: ${owner}, or run \`alter database "${database}" owner to "${role}"\` as a superuser`,
  };
}

/** A finding for each fact that does not hold. If none can be read or read by, nothing else can be tried. */
async function tryFacts(
  attempt: ReturnType<typeof attemptOn>,
  use: Use,
): Promise<{ trials: Trial[]; areReadable: boolean }> {
  let findings: readonly BrokenFact[] = [];
  const read = await attempt(FACTS, async (db) => {
    findings = await findFaults(db, use);
    return { verdict: "OK", words: "all hold" };
  });
  const trials = findings.map((finding): Trial => {
    const verdict = finding.stops === undefined ? "doubtful" : "fault";
    return { trial: `${FACTS}: ${finding.name}`, verdict, words: linesOf([finding]).join() };
  });
  const areReadable = read.verdict === "OK" && findings.every(({ stops }) => stops !== "reading");
  return { trials: trials.length === 0 ? [read] : trials, areReadable };
}

type Tried = {
  readonly db: Database;
  readonly server: DatabaseServer;
  readonly values: ReadValues;
  readonly asOwner: boolean;
};

/**
 * Compares the tried database with that of the other URL, because a direct URL of another database would migrate that
 * one. Before the first migration the role of the service may not be able to log in; then there is no finding.
 */
async function tryOther(env: Variables, { db: owner, server, values, asOwner }: Tried): Promise<Trial[]> {
  const { databaseUrl, databaseDirectUrl } = values.runtime;
  const url = asOwner ? databaseUrl : databaseDirectUrl;
  if (!url) return [];
  const trial = `${variableOf("runtime.databaseDirectUrl")} is the same database`;
  return onDatabase(url, async (db) => {
    let failure: unknown;
    const found = await attemptOn(env, db)(trial, async () => {
      const { identity } = await describeServer(db).catch((error: unknown) => {
        failure = error;
        throw error;
      });
      return identity === server.identity
        ? { verdict: "OK", words: "yes" }
        : { verdict: "fault", words: `it is another one than that of ${variableOf("runtime.databaseUrl")}` };
    });
    if (!asOwner || failure === undefined) return [found];
    const isThere = await isRoleThere(owner, decodeURIComponent(new URL(url).username));
    const isFault = isThere && !isRefusedForRights(failure);
    return isFault ? [{ ...found, trial: `login by ${variableOf("runtime.databaseUrl")}` }] : [];
  });
}

async function compareSecrets(db: Database, values: ReadValues): ReturnType<Try> {
  const { network } = values.chain;
  if (!network) return { verdict: "doubtful", words: "not tried: the network is not known" };
  const config = { ...values, environment: networkEnvironment(network) };
  const faults = await faultsOfDeployment({ db, config, variableOf });
  return faults.length === 0
    ? {
        verdict: "OK",
        words: "all match the first use of this database",
      }
    : { verdict: "fault", words: faults.join("; ") };
}

function attemptOn(env: Variables, db: Database): (trial: string, work: Try) => Promise<Trial> {
  return async (trial, work) => {
    try {
      return { trial, ...(await withTimeLimit(WAIT_MS, work(db))) };
    } catch (error) {
      return { trial, verdict: "fault", words: failureLines(error, env).join("; ") };
    }
  };
}

async function onDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const limits = { answerMs: ANSWER_MS };
  const db = openDatabase({ url, max: 2, limits, applicationName: "daric-config", onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Tries whether another database has used the xpub, which a start refuses. `db` is undefined before the first migration. No finding
 * without an xpub.
 */
async function tryXpub(db: Database | undefined, { addresses, chain }: ReadValues): Promise<Trial[]> {
  const xpub = addresses.accountXpub;
  // Missing and invalid values are undefined, whatever the type.
  if (!xpub || !chain.nodeUrls || !chain.solidityUrls || !chain.network) return [];
  const trial = `${variableOf("addresses.accountXpub")} is used here alone`;
  try {
    const fault = await withNodes(chain, (nodes) => findFaultOfXpub(db, nodes, { xpub, unused: new Set() }));
    if (fault === undefined) return [{ trial, verdict: "OK", words: "no other database is known" }];
    return [{ trial, verdict: "fault", words: fault }];
  } catch (error) {
    return [untried(trial, failureLines(error).join("; "))];
  }
}
