import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { setClusterServers } from "@daric/postgres/tenants";
import { auditDatabase } from "@daric/server/doctor/audit";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { createAheadReader } from "./confirm-ahead.ts";

const MINUTE_MS = 60_000;
/** So many blocks make one solid. */
const SOLID = 20;
const STEPS = 5;
let context: Awaited<ReturnType<typeof createTestContext>>;
const undo: (() => unknown)[] = [];
beforeEach(async () => {
  context = await createTestContext();
  undo.push(() => context.close());
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** Two orders on two servers of a distributed database, and a chain that was read. */
async function twoServers() {
  const anOrder = async () => {
    const { id: merchantId } = await aMerchant(context.db);
    await anApiKey(context, merchantId);
    return aCharge(context.db, { merchantId, amount: "5", currency: "TRX" });
  };
  const [there, here] = [await anOrder(), await anOrder()];
  undo.push(await standOnServers(context));
  const serverOf = new Map([
    [there.merchantId as string, "one:5432"],
    [here.merchantId as string, "two:5432"],
  ]);
  const hang = (...hung: string[]) => setClusterServers({ serverOf, hung: new Set(hung) });
  undo.push(() => setClusterServers({ serverOf: new Map(), hung: new Set() }));
  hang();
  const chain = createForkChain(Date.now() - 10 * MINUTE_MS);
  chain.mine(30);
  const scanner = await aScanner(context, chain.reader);
  await scanToRest(context, scanner);
  const reader = createAheadReader(context);
  const readAhead = async () => {
    for (let step = 0; step < STEPS; step += 1) await reader.step(scanner);
  };
  return { there, here, hang, chain, scanner, readAhead };
}

/** The statuses of a merchant's deposits, and the types of its events. */
async function standingOf({ merchantId }: { merchantId: MerchantId }) {
  const deposits = await context.db.query<{ status: string }>(
    sql`select status from deposits where merchant_id = ${merchantId} order by block_number`,
  );
  const events = await context.db.query<{ type: string }>(
    sql`select type from webhook_events where merchant_id = ${merchantId} order by type`,
  );
  return { deposits: deposits.map(({ status }) => status), events: events.map(({ type }) => type) };
}

async function violations(): Promise<string[]> {
  const diagnoses = await auditDatabase(context.db, "devnet");
  return diagnoses.flatMap(({ violations: found }) => found.map(({ what }) => what));
}

const PAID = { deposits: ["CONFIRMED"], events: ["deposit.confirmed", "order.paid"] };
const UNPAID = { deposits: [], events: [] };

it("while a server of a distributed database hangs, payments to merchants of the others are confirmed; those of its own are once it answers, and none twice", async () => {
  const { there, here, hang, chain, scanner, readAhead } = await twoServers();
  const before = await findCursor(context.db, "devnet");
  hang("one:5432");
  chain.pay(there.address, 5_000_000n);
  chain.pay(here.address, 5_000_000n);
  chain.mine(SOLID);
  await readAhead();
  expect([await standingOf(there), await standingOf(here)]).toEqual([UNPAID, PAID]);
  expect(await findCursor(context.db, "devnet")).toEqual(before);

  hang();
  expect(await violations()).toEqual([]);
  await scanToRest(context, scanner);
  expect([await standingOf(there), await standingOf(here)]).toEqual([PAID, PAID]);
  expect(await violations()).toEqual([]);
  expect(await alarms(context)).toEqual({});
});

it("a payment that was recorded before the hang is confirmed during it, and one that is not solid waits", async () => {
  const { here, hang, chain, scanner, readAhead } = await twoServers();
  chain.pay(here.address, 5_000_000n);
  chain.mine(2);
  await scanToRest(context, scanner);
  expect((await standingOf(here)).deposits).toEqual(["CONFIRMING"]);
  hang("one:5432");
  await readAhead();
  expect((await standingOf(here)).deposits).toEqual(["CONFIRMING"]);
  chain.mine(SOLID);
  await readAhead();
  expect(await standingOf(here)).toEqual(PAID);
  hang();
  await scanToRest(context, scanner);
  expect(await standingOf(here)).toEqual(PAID);
});

it("a fork above the solid block during the hang is read anew, and its payment counts", async () => {
  const { here, hang, chain, scanner, readAhead } = await twoServers();
  hang("one:5432");
  chain.mine(3);
  await readAhead();
  chain.fork(2, []);
  chain.pay(here.address, 5_000_000n);
  chain.mine(SOLID + 3);
  await readAhead();
  expect(await standingOf(here)).toEqual(PAID);
  hang();
  await scanToRest(context, scanner);
  expect(await standingOf(here)).toEqual(PAID);
});
