import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type PromotablePostgres, startPromotablePostgres } from "@daric/testing/promotable-postgres";
import { type Row, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const CREATORS = 4;
const BEFORE = 40;
const AFTER = 40;

const cleanUps: (() => Promise<unknown>)[] = [];
let server: PromotablePostgres;
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

it("orders answered before the primary died are on the promoted standby, and no address is issued twice", async () => {
  const made: Row[] = [];
  let count = 0;
  async function createUntil(enough: () => boolean): Promise<void> {
    while (!enough()) {
      count += 1;
      const order = { amount: "2", orderRef: `order-${count}` };
      await merchant.daric.depositAddresses.create(order).then(
        (created) => made.push(created),
        () => sleep(50),
      );
    }
  }
  let answered = Number.POSITIVE_INFINITY;
  const creators = Array.from({ length: CREATORS }, () => createUntil(() => made.length >= answered + AFTER));
  await until("orders are answered", () => made.length >= BEFORE);
  await server.kill();
  answered = made.length;
  server.leadToStandby();
  await server.promote();
  await Promise.all(creators);

  const there = new Set<string>();
  for await (const order of merchant.daric.depositAddresses.all()) {
    expect(there.has(order.address)).toBe(false);
    there.add(order.address);
  }
  for (const { address } of made) expect(there).toContain(address);
});
