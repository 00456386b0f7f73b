import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { grantRole } from "@daric/postgres/service-role";
import { sql } from "@daric/postgres/sql";
import { signerGrants } from "@daric/server/deployment/grants";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { TEST_INTEGRITY_KEY, TEST_XPUB, testEnvironment } from "@daric/testing/context";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { until } from "@daric/testing/until";
import { deriveOperatorAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "../signer/test/terminal.ts";

const resolve = createRequire(import.meta.url).resolve;
const DARIC = resolve("@daric/server/bin");
const SIGNER = join(DARIC, "../../../signer/bin/daric-signer");
const WORDS = `${"abandon ".repeat(11)}about`;
const PASSPHRASE = "correct horse battery staple";
/** Addresses that are swept: half of them hold USDT and half TRX. */
const ADDRESSES = 44;
const KILLS = 16;
const LIMIT_MS = 420_000;
const role = `signer_${randomBytes(6).toString("hex")}`;
const password = randomBytes(16).toString("hex");

let database: TestDatabase;
let devchain: TestDevchain;
let folder: string;
const children = new Set<ChildProcess>();

const admin = (statement: string) => executeAsAdmin(inject("postgres").adminUrl, statement);

beforeAll(async () => {
  [database, devchain] = await Promise.all([createTestDatabase(), aDevchain()]);
  folder = await mkdtemp(join(scratchFolder(), "daric-settlement-"));
  await writeFile(join(folder, "passphrase"), PASSPHRASE, { mode: 0o600 });
  await admin(`create role ${role} login password '${password}'`);
  expect(await grantRole({ ownerUrl: database.ownerUrl, name: role, grants: signerGrants })).toEqual([]);
  await devchain.mine(30);
}, 60_000);

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await devchain.stop();
  await database.drop();
  await admin(`drop role ${role}`);
  await rm(folder, { recursive: true, force: true });
});

/** A program that is started again whenever it is killed. */
function keep(start: () => ChildProcess): { kill(): Promise<void>; log(): string } {
  let log = "";
  const launch = () => {
    const child = start();
    children.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (log += text));
    return child;
  };
  let child = launch();
  return {
    log: () => log,
    kill: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      children.delete(child);
      child = launch();
    },
  };
}

async function serve(name: string, variables: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    ...testEnvironment({
      DATABASE_URL: database.url,
      TRON_NODE_URLS: devchain.url,
      TRON_POLL_MS: "100",
      LOG_LEVEL: "warn",
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      ...variables,
    }),
  };
  return keep(() => spawn(process.execPath, [DARIC, "serve", "--role", name], { env, stdio: "pipe" }));
}

/** The signer's home, made and approved as an operator does; answers how it is started. */
async function aSigner(destinations: readonly { merchant: string; address: string }[]) {
  const home = join(folder, "signer");
  const key = join(folder, "operator.pem");
  const { genesisId, usdtContract } = devchain;
  const chain = ["--network", "devnet", "--genesis-id", genesisId, "--usdt-contract", usdtContract];
  const words = ["--words-from-stdin", "--never-signed", "--passphrase-file", join(folder, "passphrase")];
  const made = await run(["init", "--home", home, "--operator-key", key, ...chain, ...words], {
    input: WORDS,
  });
  expect(made.error).toBeUndefined();
  for (const { merchant, address } of destinations) {
    const entry = [
      "--merchant",
      merchant,
      "--name",
      "A shop",
      "--address",
      address,
      "--fee-ceiling-usdt",
      "1000000",
    ];
    const approved = await run(["approve", "--home", home, "--operator-key", key, ...entry], {
      answers: ["yes"],
    });
    expect(approved.error).toBeUndefined();
  }
  const env = {
    PATH: process.env.PATH,
    SIGNER_DATABASE_URL: Object.assign(new URL(database.ownerUrl), { username: role, password }).href,
    DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
    ACCOUNT_XPUB: TEST_XPUB,
  };
  const args = ["serve", "--home", home, "--passphrase-file", join(folder, "passphrase")];
  return keep(() => spawn(SIGNER, args, { env, stdio: "pipe" }));
}

it("kill -9 of settlement and signer at any step: each address is swept once, and every unit arrives", {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const { db, owner } = database;
  const [wallet, operatorWallet] = [anAddress(), anAddress()];
  const { id: merchantId } = await aMerchant(db);
  await aSettlementAccount(db, merchantId, { address: wallet });
  await owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values ('USDT', now(), 100000000, 'test', now()), ('TRX', now(), 30000000, 'test', now())`);
  const gas = deriveOperatorAddress(parseAccountXpub(TEST_XPUB), 0);
  for (const to of [gas, wallet]) await devchain.control("faucet", { address: to, trx: "20000", usdt: "1" });
  await devchain.control("faucet", { address: operatorWallet, usdt: "1" });
  await devchain.mine(20);
  const heldBefore = await held([wallet, operatorWallet]);

  const watcher = await serve("watcher");
  const signer = await aSigner([
    { merchant: merchantId, address: wallet },
    { merchant: "operator", address: operatorWallet },
  ]);
  const settlement = await serve("settlement", { OPERATOR_FEE_TRANSFERS: "10" });
  await until(
    "the watcher reads",
    async () => (await owner.query(sql`select from scan_cursors`)).length > 0,
    60_000,
  );
  const payer = devchain.tronWeb();
  const token = await payer.contract().at(devchain.usdtContract);
  const paid = { USDT: 0n, TRX: 0n };
  for (let n = 0; n < ADDRESSES; n += 1) {
    const currency = n % 2 === 0 ? "USDT" : "TRX";
    const units = BigInt(n + 1) * 1_000_003n + 1_000_000_000n;
    const { address } = await aCharge(db, { merchantId, currency, amount: "1000", feeBasisPoints: 100 });
    if (currency === "TRX") await payer.trx.sendTransaction(address, Number(units));
    else await token.transfer?.(address, String(units)).send({ feeLimit: 100_000_000 });
    paid[currency] += units;
    if (n % 10 === 9) await devchain.mine(1);
  }
  await devchain.control("config", { paused: false, blockTimeMs: 300 });

  const isOver = async () => {
    const [row] = await owner.query<{ left: bigint; booked: bigint }>(sql`
      select (select count(*) from sweeps where status not in ('RECLAIMED', 'DROPPED', 'WAITING')) + (
          select count(*) from address_contents c where units > 100000 and not exists (
            select from sweeps s where s.deposit_address_id = c.deposit_address_id and s.status = 'WAITING')) as left,
        (select count(*) from ledger_entries where kind = 'deposit') as booked`);
    return row?.left === 0n && row.booked === BigInt(ADDRESSES);
  };
  const deadline = Date.now() + LIMIT_MS;
  let kills = 0;
  while (Date.now() < deadline && (kills < KILLS || !(await isOver()))) {
    await sleep(500 + Math.random() * 2_500);
    if (kills >= KILLS) continue;
    await (kills % 2 === 0 ? settlement : signer).kill();
    kills += 1;
  }
  expect(await isOver(), `${settlement.log()}\n${signer.log()}\n${watcher.log()}`).toBe(true);
  await sleep(5_000);

  // Read from the chain: what arrived, and how often each address sent.
  const heldAfter = await held([wallet, operatorWallet]);
  const [unswept] = await owner.query<{ usdt: string; trx: string }>(sql`
    select coalesce(sum(units) filter (where currency = 'USDT'), 0)::text as usdt,
      coalesce(sum(units) filter (where currency = 'TRX'), 0)::text as trx from address_contents`);
  expect(heldAfter.USDT - heldBefore.USDT + BigInt(unswept?.usdt ?? 0)).toBe(paid.USDT);
  expect(heldAfter.TRX - heldBefore.TRX + BigInt(unswept?.trx ?? 0)).toBe(paid.TRX);
  const twice = await owner.query(sql`
    select address, to_address, currency, count(*) from outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
    group by 1, 2, 3 having count(*) > 1`);
  expect(twice).toEqual([]);
  const explained = await owner.query(sql`
    select from outflows o where not exists (select from sweep_transactions t where t.tx_id = o.tx_id)`);
  expect(explained).toEqual([]);
  const sums = await owner.query<{ account: string }>(sql`
    select currency || ' ' || account as account from (
      select currency, debit as account, units from ledger_totals
      union all select currency, credit, -units from ledger_totals) moved
    where account in ('in_flight', 'suspense') group by 1 having sum(units) <> 0`);
  expect(sums).toEqual([]);
});

async function held(wallets: readonly string[]): Promise<{ USDT: bigint; TRX: bigint }> {
  const tronWeb = devchain.tronWeb();
  const token = await tronWeb.contract().at(devchain.usdtContract);
  const sums = { USDT: 0n, TRX: 0n };
  for (const wallet of wallets) {
    sums.USDT += BigInt(await token.balanceOf?.(wallet).call());
    sums.TRX += BigInt(await tronWeb.trx.getBalance(wallet));
  }
  return sums;
}
