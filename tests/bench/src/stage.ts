import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Devchain, startDevchain } from "@daric/devchain";
import { startPostgres } from "@daric/postgres/embedded";
import { runDaricForOutput } from "@daric/server/cli";
import type { Variables } from "@daric/server/process/config";
import pg from "pg";
import { tsImport } from "tsx/esm/api";
import { createOnServers, dropOnServers, execute } from "./cluster-database.ts";
import type { Done, Extent } from "./generator.ts";
import { type Program, type Runner, type ServedRole, startRunner, startService } from "./programs.ts";
import { SETTINGS } from "./settings.ts";

/** The service's own role, with its name as its password. */
const SERVICE_ROLE = "bench";

/** The settings of a durable server. */
const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };

/** A durable PostgreSQL of the bench's own, and a chain that stands still. */
export type Stage = {
  readonly postgresPid: number;
  readonly devchain: Devchain;
  /** a new database with the service's tables */
  open(name: string): Promise<StagedDeployment>;
  /** starts a program of `children/` on this database */
  child<D extends Done = Done, Instruction extends object = Extent>(
    name: string,
    env: Variables,
  ): Promise<Runner<D, Instruction>>;
};

/** The service on a database, as an operator sets it up. */
export type StagedDeployment = {
  /** the chain that its watcher reads */
  readonly devchain: Devchain;
  readonly env: Variables;
  /** the variables with the owner's login */
  readonly ownerEnv: Variables;
  /** the owner's connection, for counting and filling */
  readonly db: pg.Client;
  serve(role: ServedRole, env?: Variables): Promise<Program>;
  merchant(...options: string[]): Promise<StagedMerchant>;
  /** a part to stop at the end */
  keep(program: Program): Program;
  /** creates another API key of a merchant */
  apiKeyOf(merchantId: string): Promise<string>;
};

export type StagedMerchant = { readonly id: string; readonly apiKey: string; readonly wallet: string };

/** Runs the work on a stage. Afterwards it always stops everything that was started, last first. */
export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const home = await mkdtemp(join(tmpdir(), "daric-bench-"));
    stops.push(() => rm(home, { recursive: true, force: true }));
    const postgres = await startPostgres({ home, mode: "demo" });
    stops.push(postgres.stop);
    await assertDurable(postgres.url);
    const devchain = await startDevchain({ paused: true });
    stops.push(devchain.stop);
    const keep = <P extends Program>(program: P): P => {
      stops.push(program.stop);
      return program;
    };
    return await work({
      postgresPid: postgres.pid,
      devchain,
      open: (name) => openDeployment({ postgresUrl: postgres.url, devchain, name, stops }),
      child: async <D extends Done, Instruction extends object>(name: string, env: Variables) =>
        keep(await startRunner<D, Instruction>(name, { ...SETTINGS, ...env })),
    });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** Two deployments on a Citus cluster: one on the coordinator alone, one with its tables on all nodes. */
export type ClusterStage = Pick<Stage, "child"> & {
  readonly plain: StagedDeployment;
  readonly distributed: StagedDeployment;
};

/** Runs the work on the cluster of this coordinator, as a superuser, and drops both databases. */
export async function onCluster<T>(
  postgresUrl: string,
  work: (stage: ClusterStage) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    await assertDurable(postgresUrl);
    // Both derive the same addresses, so each has a chain of its own.
    const [plainChain, distributedChain] = [
      await startDevchain({ paused: true }),
      await startDevchain({ paused: true }),
    ];
    stops.push(plainChain.stop, distributedChain.stop);
    const names = { plain: "daric_bench_plain", distributed: "daric_bench_distributed" };
    stops.push(() => dropOnServers(postgresUrl, Object.values(names)));
    await dropOnServers(postgresUrl, Object.values(names));
    const plain = await openDeployment({ postgresUrl, devchain: plainChain, name: names.plain, stops });
    const create = () => createOnServers(postgresUrl, names.distributed, SERVICE_ROLE);
    const distributed = await openDeployment({
      postgresUrl,
      devchain: distributedChain,
      name: names.distributed,
      stops,
      create,
    });
    await runDaricForOutput(["distribute"], distributed.env);
    return await work({
      plain,
      distributed,
      child: async <D extends Done, Instruction extends object>(name: string, env: Variables) => {
        const runner = await startRunner<D, Instruction>(name, { ...SETTINGS, ...env });
        stops.push(runner.stop);
        return runner;
      },
    });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** A deployment on a primary with a streaming standby of its own. */
export type PairStage = {
  readonly deployment: StagedDeployment;
  readonly primaryPid: number;
  /** Makes commits wait for the standby, or not. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
};

/** Runs the work on two servers of the bench's own, the second a standby of the first. */
export async function onPair<T>(work: (stage: PairStage) => Promise<T>): Promise<T> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    // The test helpers are not compiled.
    const parts = await tsImport("../../testing/src/promotable-postgres.ts", import.meta.url);
    const { primary, setSynchronous, stop } = await parts.startPromotablePostgres("demo");
    stops.push(stop);
    await assertDurable(primary.url);
    const devchain = await startDevchain({ paused: true });
    stops.push(devchain.stop);
    const deployment = await openDeployment({ postgresUrl: primary.url, devchain, name: "pair", stops });
    return await work({ deployment, primaryPid: primary.pid, setSynchronous });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** @throws Error when PostgreSQL may lose acknowledged data, since results would not count */
async function assertDurable(url: string): Promise<void> {
  const client = await connect(url);
  for (const [name, value] of Object.entries(DURABLE)) {
    const { rows } = await client.query("select current_setting($1) as value", [name]);
    if (rows[0]?.value !== value) throw new Error(`${name} is ${rows[0]?.value}, not ${value}`);
  }
  await client.end();
}

async function openDeployment(input: {
  postgresUrl: string;
  devchain: Devchain;
  name: string;
  stops: (() => Promise<unknown>)[];
  create?: () => Promise<void>;
}): Promise<StagedDeployment> {
  const { postgresUrl, devchain, name, stops } = input;
  const create = input.create ?? (() => execute(postgresUrl, `create database ${pg.escapeIdentifier(name)}`));
  await create();
  const ownerUrl = postgresUrl.replace(/(?<=\/)[^/]*$/, name);
  const ownerEnv = { ...SETTINGS, DATABASE_URL: ownerUrl, TRON_NODE_URLS: devchain.url };
  const env = { ...ownerEnv, DATABASE_URL: serviceUrlOf(ownerUrl), DATABASE_DIRECT_URL: ownerUrl };
  const db = await connect(ownerUrl);
  stops.push(() => db.end());
  await runDaricForOutput(["migrate"], env);
  return {
    devchain,
    env,
    ownerEnv,
    db,
    serve: async (role, more = {}) => {
      const program = await startService(role, { ...env, ...more });
      stops.push(program.stop);
      return program;
    },
    keep: (program) => {
      stops.push(program.stop);
      return program;
    },
    merchant: (...options) => makeMerchant(env, devchain.payer.address, options),
    apiKeyOf: (merchantId) => makeKey(env, merchantId),
  };
}

/** The service's own role, which `daric migrate` creates. */
function serviceUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = SERVICE_ROLE;
  url.password = SERVICE_ROLE;
  return url.href;
}

async function makeMerchant(
  env: Variables,
  wallet: string,
  options: readonly string[],
): Promise<StagedMerchant> {
  const { id } = await runDaricForOutput<{ id: string }>(
    ["merchant", "create", "--name", "Bench", ...options],
    env,
  );
  await runDaricForOutput(["settlement-account", "add", "--merchant", id, "--address", wallet], env);
  return { id, apiKey: await makeKey(env, id), wallet };
}

async function makeKey(env: Variables, merchantId: string): Promise<string> {
  const { key } = await runDaricForOutput<{ key: string }>(["key", "create", "--merchant", merchantId], env);
  return key;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
