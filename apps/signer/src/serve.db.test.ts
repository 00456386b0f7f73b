import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@daric/postgres/database";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { grantRole } from "@daric/postgres/service-role";
import { one, sql } from "@daric/postgres/sql";
import { signerGrants } from "@daric/server/deployment/signer-grants";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { isNight } from "@daric/testing/at-night";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { until } from "@daric/testing/until";
import { decodeTransaction } from "@daric/tron/transaction";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import {
  aBlock,
  aFolder,
  alice,
  aRequest,
  aSigner,
  bob,
  gasAddress,
  integrityKey,
  keys,
  removeFolders,
  walletOf,
  words,
} from "../test/builders.ts";
import { insertRequest } from "../test/insert-request.ts";
import { run } from "../test/terminal.ts";
import type { SigningRequest } from "./policy.ts";

afterAll(removeFolders);

const PROGRAM = fileURLToPath(new URL("../bin/daric-signer", import.meta.url));
const PASSPHRASE = "correct horse battery staple";
const MINUTE_MS = 60_000;
const role = `signer_${randomBytes(6).toString("hex")}`;
const password = randomBytes(16).toString("hex");

let template: string;
let keyFile: string;
let test: TestDatabase;
let home: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const folder = aFolder();
  template = join(folder, "home");
  keyFile = join(folder, "operator.pem");
  writeFileSync(join(folder, "passphrase"), `${PASSPHRASE}\n`, { mode: 0o600 });
  const args = ["--network", "nile", "--operator-key", keyFile, "--words-from-stdin", "--never-signed"];
  const { error } = await run(["init", "--home", template, ...args], {
    input: words,
    answers: [PASSPHRASE, PASSPHRASE],
  });
  expect(error).toBeUndefined();
  for (const merchant of [alice, bob, "operator"]) await approve(template, merchant, `wallet of ${merchant}`);
  await admin(`create role ${role} login password '${password}'`);
});

afterAll(() => admin(`drop role ${role}`));

beforeEach(async () => {
  test = await createTestDatabase();
  expect(await grantRole({ ownerUrl: test.ownerUrl, name: role, grants: signerGrants })).toEqual([]);
  home = join(aFolder(), "home");
  cpSync(template, home, { recursive: true });
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child, "SIGKILL");
  await test.drop();
});

async function approve(of: string, merchant: string, phrase: string): Promise<void> {
  const entry = ["--merchant", merchant, "--name", "A shop", "--address", walletOf(phrase)];
  const args = [...entry, "--operator-key", keyFile, "--fee-ceiling-usdt", "50"];
  const { error } = await run(["approve", "--home", of, ...args], { answers: ["yes"] });
  expect(error).toBeUndefined();
}

const admin = (statement: string) => executeAsAdmin(inject("postgres").adminUrl, statement);

function urlOfSigner(): string {
  return Object.assign(new URL(test.ownerUrl), { username: role, password }).href;
}

/** The installed program, with its seed, its database and the MAC's key. */
function start(): ChildProcess & { log(): string } {
  const child = spawn(PROGRAM, ["serve", "--passphrase-file", join(template, "..", "passphrase")], {
    env: {
      PATH: process.env.PATH,
      SIGNER_HOME: home,
      SIGNER_DATABASE_URL: urlOfSigner(),
      DARIC_INTEGRITY_KEY: integrityKey.toString("hex"),
      ACCOUNT_XPUB: keys.xpub,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (log += text));
  return Object.assign(child, { log: () => log });
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
  return child.exitCode;
}

/** Its exit code, once all of its log was read: "exit" may come before the last lines. */
async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

/** A request that is valid now. */
async function ask(changes: Partial<SigningRequest> = {}): Promise<SigningRequest> {
  const now = Date.now();
  const fake = Object.assign(await aSigner({ entries: [] }), { now });
  const request = aRequest(fake, {
    ...aBlock(60_000_000n, now - 1_000),
    expiresAtMs: now + 5 * MINUTE_MS,
    ...changes,
  });
  await insertRequest(test.db, request);
  return request;
}

type Result = { requestId: string; txId: string | null; transaction: Buffer | null; refusal: string | null };

function results(): Promise<Result[]> {
  return test.owner.query(sql`
    select request_id as "requestId", tx_id as "txId", transaction, refusal from signing_results order by signed_at`);
}

const answered = (count: number) =>
  until(`${count} requests are answered`, async () => (await results()).length === count, 60_000);

const journal = () => readFileSync(join(home, "journal.jsonl"), "utf8");
const intents = () =>
  journal()
    .split("\n")
    .filter((line) => line.includes('"kind":"intent"'))
    .map((line) => JSON.parse(line).intent);

it("requests are answered with signed bytes or a refusal, and the service sees the signer's state and its list", async () => {
  const signer = start();
  const sweep = await ask();
  const topUp = await ask({ kind: "top_up", index: 8, units: 1_000_000n });
  const theft = await ask({ index: 9, destination: walletOf("a thief") });
  await answered(3);
  const found = new Map((await results()).map((result) => [result.requestId, result]));
  for (const { id } of [sweep, topUp]) {
    const { txId, transaction, refusal } = found.get(id) ?? expect.fail("no result");
    expect(refusal).toBeNull();
    expect(decodeTransaction(transaction ?? Buffer.alloc(0)).txId).toBe(txId);
  }
  expect(found.get(theft.id)).toMatchObject({ txId: null, transaction: null });
  expect(found.get(theft.id)?.refusal).toContain(`destination ${walletOf("a thief")} is not`);
  // The result is stored before the line is written.
  await expect.poll(signer.log).toContain('"event":"signing_refused"');
  expect(
    await test.owner.query(sql`select counter, merchant_id, address, fee_ceiling from signer_destinations`),
  ).toEqual(
    [alice, bob, "operator"].map((merchant, index) => ({
      counter: BigInt(index + 1),
      merchant_id: merchant,
      address: walletOf(`wallet of ${merchant}`),
      fee_ceiling: { USDT: "50000000", TRX: "0" },
    })),
  );
  const { state } = one(await test.owner.query<{ state: object }>(sql`select state from signer_state`));
  expect(state).toMatchObject({ network: "nile", gasAddress, isPaused: false, version: "0.1.0" });
  expect(await kill(signer, "SIGTERM")).toBe(0);
  expect((await run(["audit", "verify", "--home", home])).error).toBeUndefined();
});

it("the signer's role has exactly the rights that the signer needs", async () => {
  start();
  const request = await ask();
  await answered(1);
  const db = openDatabase({ url: urlOfSigner(), max: 1, onError: () => undefined });
  try {
    for (const refused of [
      "insert into signing_requests select * from signing_requests",
      "update signing_requests set units = 1",
      "delete from signing_requests",
      "update signing_results set refusal = 'x', tx_id = null, transaction = null",
      "delete from signing_results",
      "update signer_destinations set address = null",
      "delete from signer_destinations",
      "select state from signer_state",
      "delete from signer_state",
      "truncate signing_requests, signing_results",
      "truncate signer_state",
      "select from merchants",
      "select from sweeps",
      "create table mine (id int)",
      "drop table signing_results",
      "create role mine",
    ]) {
      await expect(db.query(raw(refused)), refused).rejects.toThrow(/permission denied|must be owner/);
    }
    expect(await db.query(sql`select id from signing_requests`)).toEqual([{ id: request.id }]);
  } finally {
    await db.close();
  }
});

/** Blocks all writes of results until the returned function is called. */
async function holdResults(): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const lent = withDedicatedClient({ connectionString: test.ownerUrl }, async (client) => {
    await client.query("begin; lock table signing_results in exclusive mode");
    isHeld();
    await released;
    await client.query("commit");
  });
  await held;
  return async () => {
    release();
    await lent;
  };
}

it.runIf(isNight)(
  "a signer that is killed between journal and database inserts the same bytes for the same request, and no second transaction",
  async () => {
    const letGo = await holdResults();
    const killed = start();
    const request = await ask();
    await until("the intent is in the journal", () => intents().length === 1, 60_000);
    await kill(killed, "SIGKILL");
    // Otherwise its statement would run after the table's release.
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await letGo();
    expect(await results()).toEqual([]);
    const [intent] = intents();
    const again = start();
    await answered(1);
    const [result] = await results();
    expect([result?.requestId, result?.txId, result?.refusal]).toEqual([request.id, intent.txId, null]);
    expect(decodeTransaction(result?.transaction ?? Buffer.alloc(0)).rawHex).toBe(intent.rawHex);
    expect(intents()).toHaveLength(1);
    const second = await ask();
    await answered(2);
    expect((await results()).find(({ requestId }) => requestId === second.id)?.refusal).toContain(
      `this address was swept by ${intent.txId}`,
    );
    expect(again.exitCode).toBeNull();
  },
);

it.runIf(isNight)(
  "killed at random points, the signer answers each request once, and journal and database agree",
  async () => {
    const ROUNDS = 40;
    let asked = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const signer = start();
      await until("it serves", () => signer.log().includes('"msg":"serving"'), 60_000);
      for (let n = 0; n < 8; n += 1) await ask({ index: asked++ });
      await sleep(Math.random() * 400);
      await kill(signer, "SIGKILL");
    }
    start();
    await answered(asked);
    const signed = new Map((await results()).map(({ requestId, txId }) => [requestId, txId]));
    expect(
      intents()
        .map(({ requestId, txId }) => [requestId, txId])
        .sort(),
    ).toEqual([...signed].sort());
    expect(new Set(intents().map(({ index }) => index)).size).toBe(asked);
    expect((await run(["audit", "verify", "--home", home])).error).toBeUndefined();
  },
  300_000,
);

it.runIf(isNight)("a restored database gets the same bytes again, and no other transaction", async () => {
  start();
  await ask();
  await answered(1);
  const [before] = await results();
  await test.owner.query(sql`delete from signing_results`);
  await answered(1);
  expect(await results()).toEqual([before]);
  await test.owner.query(sql`delete from signing_results`);
  await test.owner.query(sql`update signing_requests set id = ${randomUUID()}, destination = destination`);
  await answered(1);
  expect((await results())[0]?.refusal).toContain(`this address was swept by ${before?.txId}`);
});

it.runIf(isNight)(
  "a second signer of one home does not start, and one after a killed predecessor does",
  async () => {
    const first = start();
    await until("it serves", () => first.log().includes('"msg":"serving"'), 60_000);
    const second = start();
    expect(await endOf(second)).toBe(1);
    expect(second.log()).toMatch(new RegExp(`^daric-signer: ${home}/? is in use by process \\d+: .*\n$`));
    await kill(first, "SIGKILL");
    const third = start();
    await until("it serves", () => third.log().includes('"msg":"serving"'), 60_000);
  },
);

it("a paused signer answers nothing and shows its pause, until it is resumed", async () => {
  await run(["pause", "--home", home]);
  start();
  const isPaused = async () =>
    one(
      await test.owner.query<{ paused: boolean }>(
        sql`select (state->>'isPaused')::boolean as paused from signer_state`,
      ),
    ).paused;
  await ask();
  await until("the service sees it", isPaused, 60_000);
  await sleep(1_500);
  expect(await results()).toEqual([]);
  await run(["resume", "--home", home]);
  await answered(1);
  // The signer writes its state after its answers.
  await until("the service sees the end of the pause", async () => !(await isPaused()), 60_000);
});

it.runIf(isNight)("a lost connection, and an unreachable database at the start, are waited for", async () => {
  await admin(`alter role ${role} nologin`);
  const signer = start();
  await until("it waits", () => signer.log().includes('"msg":"waiting for the database"'), 60_000);
  await admin(`alter role ${role} login`);
  await ask();
  await answered(1);
  await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await ask({ index: 8 });
  await answered(2);
  expect(signer.exitCode).toBeNull();
});

it("the service learns of a new entry of the list while the signer serves, and an unsigned one ends it", async () => {
  const signer = start();
  await ask();
  await answered(1);
  await approve(home, alice, "new wallet");
  const newest = () =>
    test.owner.query<{ waits: boolean }>(sql`
      select acts_from - seen_at = interval '24 hours' as waits from signer_destinations where counter = 4`);
  await until("the service has the entry", async () => (await newest()).length === 1);
  expect(await newest()).toEqual([{ waits: true }]);
  await expect.poll(signer.log).toContain('"event":"new_destination","counter":4');
  const list = join(home, "destinations.jsonl");
  const forged = JSON.parse(readFileSync(list, "utf8").split("\n")[3] ?? "");
  const ended = endOf(signer);
  appendFileSync(list, `${JSON.stringify({ ...forged, counter: 5, address: walletOf("a thief") })}\n`);
  expect(await ended).toBe(1);
  expect(signer.log()).toContain(
    "daric-signer: destinations.jsonl line 5: the operator's key did not sign it",
  );
});

it.runIf(isNight)("malformed rows are refused one by one, and block nothing", async () => {
  start();
  const huge = 2n ** 63n - 1n;
  for (const changes of [
    { expiresAtMs: Date.parse("9999-12-31T00:00:00Z") },
    { address: "x".repeat(1_000_000) },
  ])
    await expect(ask(changes)).rejects.toThrow("signing_requests_bounded");
  for (const changes of [
    { index: Number.MAX_SAFE_INTEGER },
    { units: huge, feeLimit: huge, blockNumber: huge },
    { blockId: "" },
  ]) {
    await ask({ address: "T", addressMac: null, ...changes });
  }
  const right = await ask();
  await answered(4);
  for (const { requestId, refusal } of await results()) {
    expect(refusal === null).toBe(requestId === right.id);
  }
});

it.runIf(isNight)(
  "without its tables, or without the rights to them, the signer ends with a line about it",
  async () => {
    const refusal = async () => {
      const signer = start();
      await endOf(signer);
      return signer.log().split("\n").at(-2);
    };
    await test.owner.query(raw(`revoke select on signing_requests from ${role}`));
    expect(await refusal()).toBe("daric-signer: permission denied for table signing_requests");
    await test.owner.query(raw("drop table signer_destinations"));
    expect(await refusal()).toBe('daric-signer: relation "signer_destinations" does not exist');
  },
);
