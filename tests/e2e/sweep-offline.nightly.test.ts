import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { TEST_INTEGRITY_KEY, TEST_XPUB, testEnvironment } from "@daric/testing/context";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { anOfflineSigner, type OfflineSigner } from "@daric/testing/offline-signer";
import { until } from "@daric/testing/until";
import { deriveOperatorAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { afterAll, beforeAll, expect, it } from "vitest";

const resolve = createRequire(import.meta.url).resolve;
const DARIC = resolve("@daric/server/bin");
const SIGNER = join(DARIC, "../../../signer/bin/daric-signer");
const LIMIT_MS = 180_000;
const run = promisify(execFile);

let database: TestDatabase;
let devchain: TestDevchain;
let signer: OfflineSigner | undefined;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  [database, devchain] = await Promise.all([createTestDatabase(), aDevchain()]);
  await devchain.mine(30);
}, 60_000);

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await devchain.stop();
  await database.drop();
  if (signer !== undefined) await rm(signer.folder, { recursive: true, force: true });
});

const environment = (variables: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  ...testEnvironment({
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.ownerUrl,
    TRON_NODE_URLS: devchain.url,
    TRON_POLL_MS: "100",
    LOG_LEVEL: "warn",
    ...variables,
  }),
});

/** Starts a role of the service. */
async function serve(role: string): Promise<ChildProcess> {
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [DARIC, "serve", "--role", role], {
    env: environment(ports),
    stdio: "ignore",
  });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  children.delete(child);
}

const daric = async (...args: string[]) =>
  JSON.parse((await run(process.execPath, [DARIC, ...args, "--json"], { env: environment() })).stdout);

/** Signs a file in a process without any network, not even a loopback interface. */
async function signWithoutNetwork({ home, passphraseFile }: OfflineSigner, file: string): Promise<string> {
  const args = ["sign", file, "--home", home, "--passphrase-file", passphraseFile];
  const env = { PATH: process.env.PATH, DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY, ACCOUNT_XPUB: TEST_XPUB };
  const { stdout } = await run("unshare", ["--net", "--map-root-user", SIGNER, ...args], { env });
  return stdout;
}

async function held(wallet: string): Promise<{ USDT: bigint; TRX: bigint }> {
  const tronWeb = devchain.tronWeb();
  const token = await tronWeb.contract().at(devchain.usdtContract);
  return {
    USDT: BigInt(await token.balanceOf?.(wallet).call()),
    TRX: BigInt(await tronWeb.trx.getBalance(wallet)),
  };
}

it("all money of two merchants reaches their wallets by files alone, despite a kill -9 after the import", {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const { db, owner } = database;
  await owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values ('USDT', now(), 100000000, 'test', now()), ('TRX', now(), 30000000, 'test', now())`);
  const gas = deriveOperatorAddress(parseAccountXpub(TEST_XPUB), 0);
  await devchain.control("faucet", { address: gas, trx: "20000" });
  const merchants = [];
  for (const amount of ["1000.000001", "2500.000002"]) {
    const [{ id }, wallet] = [await aMerchant(db), anAddress()];
    await aSettlementAccount(db, id, { address: wallet });
    await devchain.control("faucet", { address: wallet, trx: "1", usdt: "1" });
    merchants.push({ id, wallet, amount });
  }
  await devchain.mine(20);
  signer = await anOfflineSigner(
    devchain,
    merchants.map(({ id, wallet }) => ({ merchant: id, address: wallet })),
  );

  await serve("watcher");
  let settlement = await serve("settlement");
  const isRead = async () => (await owner.query(sql`select from scan_cursors`)).length > 0;
  await until("the watcher reads", isRead, 60_000);
  const payer = devchain.tronWeb();
  const token = await payer.contract().at(devchain.usdtContract);
  for (const { id: merchantId, amount } of merchants) {
    const units = amount.replace(".", "");
    const usdt = await aCharge(db, { merchantId, currency: "USDT", amount });
    const trx = await aCharge(db, { merchantId, currency: "TRX", amount });
    await token.transfer?.(usdt.address, units).send({ feeLimit: 100_000_000 });
    await payer.trx.sendTransaction(trx.address, Number(units));
  }
  await devchain.control("config", { paused: false, blockTimeMs: 300 });
  const booked = async () =>
    (await owner.query(sql`select from ledger_entries where kind = 'deposit'`)).length;
  await until("the deposits are confirmed", async () => (await booked()) === 4, 60_000);

  const file = join(signer.folder, "sweeps.json");
  expect(await daric("sweep", "export", "--out", file)).toMatchObject({ sweeps: 4, transactions: 6 });
  expect(await signWithoutNetwork(signer, file)).toMatch(/^(signed: .*\n){6}Written to /);
  await kill(settlement);
  expect(await daric("sweep", "import", `${file}.signed.json`)).toEqual({
    signed: 6,
    importedBefore: 0,
    refused: 0,
  });
  // The settlement process dies again and again, with the signed bytes stored, at any step of sending them.
  for (let kills = 0; kills < 5; kills += 1) {
    settlement = await serve("settlement");
    await new Promise((wait) => setTimeout(wait, 1_500 + kills * 700));
    await kill(settlement);
  }
  await serve("settlement");
  const isOver = async () =>
    (await owner.query(sql`select from sweeps where status <> 'RECLAIMED'`)).length === 0;
  await until("each sweep has landed", isOver, LIMIT_MS);

  for (const { wallet, amount } of merchants) {
    const units = BigInt(amount.replace(".", ""));
    expect(await held(wallet)).toEqual({ USDT: units + 1_000_000n, TRX: units + 1_000_000n });
  }
  const { results } = JSON.parse(await readFile(`${file}.signed.json`, "utf8"));
  const sent = await owner.query<{ txId: string }>(sql`
    select tx_id as "txId" from own_transactions own join blocks b on b.id = own.block_id and b.orphaned_at is null`);
  expect(sent.map(({ txId }) => txId).toSorted()).toEqual(
    results.map(({ txId }: { txId: string }) => txId).toSorted(),
  );
});
