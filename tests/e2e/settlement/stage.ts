import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openDatabase } from "@daric/postgres/database";
import { type EmbeddedPostgres, startPostgres } from "@daric/postgres/embedded";
import { type Database, one, sql } from "@daric/postgres/sql";
import { Daric } from "@daric/sdk";
import { TEST_INTEGRITY_KEY, testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { until } from "@daric/testing/until";
import { TronWeb } from "tronweb";
import { expect } from "vitest";
import { run } from "../../../apps/signer/test/terminal.ts";

const resolve = createRequire(import.meta.url).resolve;
const DARIC = resolve("@daric/server/bin");
const SIGNER = join(DARIC, "../../../signer/bin/daric-signer");
const PASSPHRASE = "correct horse battery staple";

/** A program that is restarted after each kill. */
export type RestartedProgram = {
  /** kill -9, and a restart after `awayMs` */
  kill(awayMs?: number): Promise<void>;
  log(): string;
};

/** The settings of the chain. */
export type ChainSettings = {
  readonly network: "devnet" | "private";
  readonly genesisId: string;
  readonly usdtContract: string;
  /** URLs of the nodes, in the order of `TRON_NODE_URLS` */
  readonly nodeUrls: readonly string[];
  /** URLs for solid blocks; by default those of `nodeUrls` */
  readonly solidityUrls?: readonly string[];
  readonly stakeAddress?: string;
  readonly addedCoin?: AddedCoin;
};

/** A coin that the programs accept beside those of their sources. */
export type AddedCoin = {
  readonly code: string;
  readonly contract: string;
  /** makes the service's programs know it */
  readonly nodeOptions: string;
};

/** A PostgreSQL of the test's own, with processes of the service and the signer. */
export type SettlementServices = {
  /** address of the gas wallet; the next field is the key for a stake account's permission */
  readonly gasAddress: string;
  readonly stakePermissionAddress: string;
  /** kill -9 of the whole server, and its recovery */
  killPostgres(): Promise<void>;
  /** the database with the owner's rights; opened anew after a kill */
  owner(): Database;
  /** runs a `daric` command that must succeed; returns its JSON */
  daric<T>(...args: string[]): Promise<T>;
  serve(role: string, variables?: Record<string, string>): Promise<RestartedProgram>;
  /** Signs these destinations as an operator does, and serves. `operator` is a merchant of the list. */
  signer(destinations: readonly { merchant: string; address: string }[]): Promise<RestartedProgram>;
  /** creates a merchant with this wallet, and a client for it */
  merchant(wallet: string, ...options: string[]): Promise<{ id: string; client: Daric }>;
  close(): Promise<void>;
};

export async function openSettlementServices(chain: ChainSettings): Promise<SettlementServices> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-settlement-"));
  const kept = new Set<ChildProcess>();
  let isClosing = false;
  const home = { home: join(folder, "postgres"), mode: "demo", port: await freePort() } as const;
  let postgres: EmbeddedPostgres = await startPostgres(home);
  const ownerUrl = postgres.url;
  let owner = openOwner(ownerUrl);
  await owner.query(sql`create role signer login password 'signer'`);
  const seed = await makeSignerHome(folder, chain);
  const variables = testEnvironment({
    ACCOUNT_XPUB: seed.xpub,
    DATABASE_URL: withUser(ownerUrl, "service"),
    DATABASE_DIRECT_URL: ownerUrl,
    SIGNER_DATABASE_ROLE: "signer",
    TRON_NETWORK: chain.network,
    TRON_NODE_URLS: chain.nodeUrls.join(","),
    ...(chain.solidityUrls && { TRON_SOLIDITY_URLS: chain.solidityUrls.join(",") }),
    ...(chain.network === "private" && {
      TRON_GENESIS_ID: chain.genesisId,
      USDT_CONTRACT: chain.usdtContract,
    }),
    ...(chain.stakeAddress && { STAKE_ADDRESS: chain.stakeAddress }),
    ...(chain.network === "devnet" && { TRON_POLL_MS: "100" }),
    ...(chain.addedCoin && { NODE_OPTIONS: chain.addedCoin.nodeOptions }),
    RATE_LIMIT_KEY_PER_SECOND: "10000",
    RATE_LIMIT_KEY_BURST: "10000",
    LOG_LEVEL: "warn",
  });
  const keep = (start: () => ChildProcess): RestartedProgram =>
    keepProgram(start, { kept, isClosing: () => isClosing });

  const daric: SettlementServices["daric"] = async (...args) => {
    const capture = chain.addedCoin === undefined ? captureDaric : spawnDaric;
    const { code, out, err } = await capture([...args, "--json"], variables);
    expect(code, `${args.join(" ")}\n${err}`).toBe(0);
    return JSON.parse(out);
  };
  await daric("migrate");
  await owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    select code, now(), usd_e8, 'test', now()
    from (values ('USDT', 100000000), ('TRX', 30000000), (${chain.addedCoin?.code}, 100000000)) coin (code, usd_e8)
    where code is not null`);
  let apiUrl: string | undefined;
  const serve: SettlementServices["serve"] = async (role, more = {}) => {
    const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
    if (role === "api") apiUrl = `http://127.0.0.1:${port}`;
    const own = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    const env = { PATH: process.env.PATH, ...variables, ...own, ...more };
    const program = keep(() =>
      spawn(process.execPath, [DARIC, "serve", "--role", role], { env, stdio: "pipe" }),
    );
    await until(
      `${role} is alive`,
      async () => (await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).ok,
      60_000,
    );
    return program;
  };
  return {
    gasAddress: seed.gasAddress,
    stakePermissionAddress: seed.stakePermissionAddress,
    owner: () => owner,
    daric,
    serve,
    killPostgres: async () => {
      await owner.close();
      process.kill(postgres.pid, "SIGKILL");
      await postgres.stop();
      postgres = await startPostgres(home);
      owner = openOwner(ownerUrl);
    },
    signer: async (destinations) => {
      for (const destination of destinations) await approve(folder, destination, chain);
      const { home: signerHome, passphrase } = pathsOf(folder);
      const args = ["serve", "--home", signerHome, "--passphrase-file", passphrase];
      const env = {
        PATH: process.env.PATH,
        SIGNER_DATABASE_URL: withUser(ownerUrl, "signer"),
        DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
        ACCOUNT_XPUB: seed.xpub,
      };
      return keep(() => spawn(SIGNER, args, { env, stdio: "pipe" }));
    },
    merchant: async (wallet, ...options) => {
      if (apiUrl === undefined) throw new Error("the role api is not served");
      const { id } = await daric<{ id: string }>("merchant", "create", "--name", "A shop", ...options);
      await daric("settlement-account", "add", "--merchant", id, "--address", wallet);
      const { key } = await daric<{ key: string }>("key", "create", "--merchant", id);
      return { id, client: new Daric({ baseUrl: apiUrl, apiKey: key }) };
    },
    close: async () => {
      isClosing = true;
      for (const child of kept) child.kill("SIGKILL");
      await owner.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function openOwner(url: string): Database {
  return openDatabase({ url, applicationName: "settlement-test", onError: () => undefined });
}

function withUser(url: string, name: string): string {
  return Object.assign(new URL(url), { username: name, password: name }).href;
}

/** Runs the built `daric`. */
async function spawnDaric(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [DARIC, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: "pipe",
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), out, err };
}

/** Starts a program, and starts it again after each kill, and whenever it ends by itself. */
function keepProgram(
  start: () => ChildProcess,
  { kept, isClosing }: { kept: Set<ChildProcess>; isClosing: () => boolean },
): RestartedProgram {
  let log = "";
  let isHeld = false;
  let child = launch();
  function launch(): ChildProcess {
    const started = start();
    kept.add(started);
    for (const stream of [started.stdout, started.stderr])
      stream?.on("data", (text) => {
        log = (log + text).slice(-20_000);
      });
    started.once("exit", () => {
      kept.delete(started);
      // Like systemd, restarts a program that ends because its database is unreachable.
      if (!isClosing() && !isHeld && started === child) setTimeout(again, 500);
    });
    return started;
  }
  function again(): void {
    if (!isClosing() && !isHeld && child.exitCode !== null) child = launch();
  }
  return {
    log: () => log,
    kill: async (awayMs = 0) => {
      isHeld = true;
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await ended;
      if (awayMs > 0) await new Promise((done) => setTimeout(done, awayMs));
      isHeld = false;
      child = launch();
    },
  };
}

const pathsOf = (folder: string) => ({
  home: join(folder, "signer"),
  key: join(folder, "operator.pem"),
  passphrase: join(folder, "passphrase"),
});

type Seed = Pick<SettlementServices, "gasAddress" | "stakePermissionAddress"> & { readonly xpub: string };

/** Makes a signer's home with a new seed. A database refuses a seed whose addresses the chain already knows. */
async function makeSignerHome(
  folder: string,
  { network, genesisId, usdtContract, stakeAddress, addedCoin }: ChainSettings,
): Promise<Seed> {
  const { home, key, passphrase } = pathsOf(folder);
  await writeFile(passphrase, PASSPHRASE, { mode: 0o600 });
  const stake = stakeAddress === undefined ? [] : ["--stake-address", stakeAddress];
  const asked = ["--network", network, "--genesis-id", genesisId, "--usdt-contract", usdtContract, ...stake];
  const files = ["--home", home, "--operator-key", key, "--passphrase-file", passphrase];
  const made = await run(["init", ...files, ...asked, "--words-from-stdin", "--never-signed"], {
    input: TronWeb.createRandom().mnemonic?.phrase ?? "",
  });
  expect(made.error).toBeUndefined();
  if (addedCoin !== undefined) {
    const path = join(home, "config.json");
    const { code, contract } = addedCoin;
    const config = {
      ...JSON.parse(await readFile(path, "utf8")),
      tokens: { [code]: { contract, decimals: 6 } },
    };
    await writeFile(path, JSON.stringify(config));
  }
  return JSON.parse(made.output);
}

async function approve(
  folder: string,
  { merchant, address }: { merchant: string; address: string },
  { addedCoin }: ChainSettings,
): Promise<void> {
  const { home, key } = pathsOf(folder);
  const entry = ["--merchant", merchant, "--name", "A shop", "--address", address];
  const codes = ["usdt", "trx", ...(addedCoin ? [addedCoin.code.toLowerCase()] : [])];
  const ceiling = codes.flatMap((code) => [`--fee-ceiling-${code}`, "1000000"]);
  const approved = await run(["approve", "--home", home, "--operator-key", key, ...entry, ...ceiling], {
    answers: ["yes"],
  });
  expect(approved.error).toBeUndefined();
}

/** The money on deposit addresses by the ledger, in units. */
export async function findUnswept(owner: Database): Promise<{ USDT: bigint; TRX: bigint }> {
  const rows = await owner.query<{ usdt: string; trx: string }>(sql`
    select coalesce(sum(units) filter (where currency = 'USDT'), 0)::text as usdt,
      coalesce(sum(units) filter (where currency = 'TRX'), 0)::text as trx from address_contents`);
  const { usdt, trx } = one(rows);
  return { USDT: BigInt(usdt), TRX: BigInt(trx) };
}

/**
 * Whether every deposit is booked, no sweep is open, and no address has enough money for a plan. Waiting and
 * frozen sweeps may remain.
 */
export async function isSwept(owner: Database, deposits: number): Promise<boolean> {
  const [row] = await owner.query<{ left: bigint; booked: bigint; unbooked: bigint }>(sql`
    select (select count(*) from sweeps where status not in ('RECLAIMED', 'DROPPED', 'WAITING', 'FROZEN'))
      + (select count(*) from address_contents c where units > 100000 and not exists (
          select from sweeps s
          where s.deposit_address_id = c.deposit_address_id and s.status in ('WAITING', 'FROZEN'))) as left,
      (select count(*) from ledger_entries where kind = 'deposit') as booked,
      (select count(*) from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null
        where not own.is_booked)
      + (select count(*) from sweep_transactions where outcome = 'landed' and fee_units is null) as unbooked`);
  return row?.left === 0n && row.booked === BigInt(deposits) && row.unbooked === 0n;
}

/** The violations of four invariants of settlement, found in the watcher's blocks and in the ledger. */
export async function findBroken(owner: Database): Promise<Record<string, string[]>> {
  const lines = async (statement: ReturnType<typeof sql>) =>
    (await owner.query<{ line: string }>(statement)).map(({ line }) => line);
  return {
    "an address that sent twice to one wallet": await lines(sql`
      select concat_ws(' ', o.address, o.currency, count(*)) as line
      from outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
      group by o.address, o.to_address, o.currency having count(*) > 1`),
    "money that went to no wallet of its merchant": await lines(sql`
      select concat_ws(' ', o.address, o.to_address, o.units) as line
      from outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
      where not exists (
        select from signer_destinations listed
        where listed.address = o.to_address and listed.merchant_id in (o.merchant_id::text, 'operator'))`),
    "an outflow that no sweep explains": await lines(sql`
      select o.tx_id as line from outflows o
      where not exists (select from sweep_transactions t where t.tx_id = o.tx_id)`),
    "an account that is not empty at the end": await lines(sql`
      select concat_ws(' ', currency, account, sum(units)) as line from (
        select currency, debit as account, units from ledger_totals
        union all select currency, credit, -units from ledger_totals) moved
      where account in ('in_flight', 'suspense') group by currency, account having sum(units) <> 0`),
  };
}

export const nothingBroken: Record<string, string[]> = {
  "an address that sent twice to one wallet": [],
  "money that went to no wallet of its merchant": [],
  "an outflow that no sweep explains": [],
  "an account that is not empty at the end": [],
};
