import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { openDatabase } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";
import { type PromotablePostgres, startPromotablePostgres } from "@daric/testing/promotable-postgres";
import { type Row, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
/** More orders than a process has addresses ready, so that some addresses are issued after the gap. */
const MANY = 300;
/** The test derives tens of thousands of addresses, which take ten seconds of a core. */
const LIMIT_MS = 150_000;

const cleanUps: (() => Promise<unknown>)[] = [];
let server: PromotablePostgres;
let owner: Database;
let stack: Stack;
let merchant: StackMerchant;

beforeAll(async () => {
  server = await startPromotablePostgres();
  cleanUps.push(server.stop);
  const service = Object.assign(new URL(server.url), { username: "shop", password: "shop" }).href;
  const urls = { DATABASE_URL: service, DATABASE_DIRECT_URL: server.url };
  await promisify(execFile)(process.execPath, [DARIC, "migrate"], {
    env: { PATH: process.env.PATH, ...urls },
  });
  stack = await startStack(urls);
  cleanUps.push(stack.stop);
  merchant = await stack.merchant();
});
afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const order = (orderRef: string) => merchant.daric.depositAddresses.create({ amount: "2", orderRef });

async function orders(name: string, count: number): Promise<Row[]> {
  const made: Row[] = [];
  for (let number = 0; number < count; number += 1) made.push(await order(`${name}-${number}`));
  return made;
}

async function pay(address: string): Promise<void> {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  await token.transfer(address, "2000000").send({ feeLimit: 100_000_000 });
}

const isPaid = async ({ id = "" }: Row) =>
  (await merchant.daric.depositAddresses.retrieve(id)).payment_status === "paid";

/** One check of `/readyz`, and the overall result. */
async function readiness(name: string): Promise<Row> {
  const answer = await fetch(`${stack.baseUrl}/readyz`);
  const { checks } = (await answer.json()) as { checks: Row[] };
  return { status: answer.status, ...checks.find((check) => check.name === name) };
}

const readBlock = async () =>
  one(await owner.query<{ block: bigint }>(sql`select number as block from scan_cursors`)).block;

/** Keeps the watcher from processing the skipped indexes, except for a few ranges, until `letGo`. */
async function holdGaps(): Promise<{ letGo(): Promise<void> }> {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let transaction: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    transaction = owner
      .transaction(async (tx) => {
        await until("indexes are skipped, and locked", async () => {
          const locked = await tx.query(
            sql`select first from index_gaps where not is_watched for update skip locked`,
          );
          return locked.length > 0;
        });
        resolve();
        await released;
      })
      .catch((error: unknown) => reject(error));
  });
  return {
    letGo: () => {
      letGo();
      return transaction;
    },
  };
}

it("a promoted standby skips indexes, and orders and readiness do not wait for them", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  const before = await orders("before", 3);
  await server.kill();
  await expect(order("away")).rejects.toMatchObject({ status: 503 });
  server.leadToStandby();
  await stack.mine(1);
  await until("the watcher cannot read on", async () => (await readiness("scanner")).ok === false);
  await server.promote();
  owner = openDatabase({ url: server.url, applicationName: "owner", onError: () => undefined });
  cleanUps.push(() => owner.close());
  const held = await holdGaps();
  await until("an order is taken", () => order("first").then(() => true));

  const after = await orders("after", MANY);
  const block = await readBlock();
  await until("the service is ready", async () => (await readiness("addresses")).status === 200);
  expect((await readiness("addresses")).detail).toMatch(/^\d+ skipped addresses are not watched/);
  const made = [...before, ...after];
  expect(new Set(made.map(({ address }) => address)).size).toBe(made.length);

  const paid = [before[0] ?? {}, after[0] ?? {}, after.at(-1) ?? {}];
  for (const { address } of paid) await pay(address);
  await stack.mine(5);
  expect((await readiness("addresses")).detail).toMatch(/not watched yet/);
  expect(await readBlock()).toBe(block);
  await held.letGo();
  await stack.mine(20);
  for (const made of paid) await until("it is credited", () => isPaid(made), LIMIT_MS);
  expect((await readiness("addresses")).detail).toBe("all that may have been issued are watched");
});
