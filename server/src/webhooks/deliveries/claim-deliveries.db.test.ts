import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { aBacklog, aMerchantId, anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { idOf, type MerchantId } from "../../domain/ids.ts";
import { claimDeliveries } from "./worker.ts";

const SLOTS = 16;
const SHARED = 12;
const PER_ENDPOINT = 4;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_ENDPOINT_CONCURRENCY: String(PER_ENDPOINT) });
});
afterAll(() => context.close());
afterEach(async () => {
  await context.owner.query(sql`delete from webhook_deliveries`);
});

/** A merchant with this many endpoints, and due deliveries for each. */
async function aMerchantWith(endpoints: number, backlog: number): Promise<MerchantId> {
  const merchantId = await aMerchantId(context.db);
  for (let count = 0; count < endpoints; count++)
    await aBacklog(context, { merchantId, id: await anEndpointRow(context.db, merchantId) }, backlog);
  return merchantId;
}

type Taken = Readonly<Record<string, number>>;

/** Claims next to attempts in progress; returns how many each merchant got. */
async function claimBeside(underWay: Taken, slots = SLOTS): Promise<Taken> {
  const { claims } = await claimDeliveries(context, { slots, underWay: byMerchant(underWay) });
  return countBy(claims.map(({ merchantId }) => merchantId));
}

function byMerchant(taken: Taken): Map<MerchantId, number> {
  return new Map(Object.entries(taken).map(([id, count]) => [idOf("merchant", id), count]));
}

function countBy(keys: readonly string[]): Taken {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

it("a single merchant gets three quarters of the slots, for any number of endpoints", async () => {
  const merchantId = await aMerchantWith(40, 2);
  expect(await claimBeside({})).toEqual({ [merchantId]: SHARED });
  expect(await claimBeside({ [merchantId]: SHARED })).toEqual({});
  expect(await claimBeside({ [merchantId]: SHARED - 1 })).toEqual({ [merchantId]: 1 });
});

it("the last quarter is for merchants without an attempt in progress, one slot each", async () => {
  const busy = await aMerchantWith(40, 2);
  const newcomers = [await aMerchantWith(2, 2), await aMerchantWith(1, 5)];
  const one = Object.fromEntries(newcomers.map((id) => [id, 1]));
  expect(await claimBeside({ [busy]: SHARED })).toEqual(one);
  expect(await claimBeside({ [busy]: SHARED, ...one })).toEqual({});
});

it("a few merchants that use all shared slots together leave the last quarter too", async () => {
  const [first, second] = [await aMerchantWith(4, 4), await aMerchantWith(4, 4)];
  const taken = await claimBeside({});
  expect(taken).toEqual({ [first]: SHARED / 2, [second]: SHARED / 2 });
  expect(await claimBeside(taken)).toEqual({});
});

it("merchants take turns, counting their attempts in progress", async () => {
  const [many, few] = [await aMerchantWith(40, 4), await aMerchantWith(1, 4)];
  expect(await claimBeside({ [many]: 6 })).toEqual({ [few]: 4, [many]: 2 });
});

it("a merchant's endpoint with the fewest attempts in progress is first", async () => {
  const merchantId = await aMerchantId(context.db);
  const [slow, fresh] = [
    await anEndpointRow(context.db, merchantId),
    await anEndpointRow(context.db, merchantId),
  ];
  await aBacklog(context, { merchantId, id: slow }, 20);
  expect(await claimBeside({})).toEqual({ [merchantId]: PER_ENDPOINT });
  await aBacklog(context, { merchantId, id: fresh }, 20);
  const { claims } = await claimDeliveries(context, { slots: 8, underWay: new Map([[merchantId, 4]]) });
  expect(claims.map(({ endpointId }) => endpointId)).toEqual([fresh, fresh]);
});

it("a test event in progress takes no slot from its endpoint's deliveries", async () => {
  const merchantId = await aMerchantId(context.db);
  const endpoint = { merchantId, id: await anEndpointRow(context.db, merchantId) };
  await aBacklog(context, endpoint, 1);
  await context.owner.query(sql`
    update webhook_deliveries set event_type = 'webhook.test', status = 'SENDING', next_attempt_at = null,
      lease_until = now() + interval '1 minute'`);
  await aBacklog(context, endpoint, 20);
  expect(await claimBeside({})).toEqual({ [merchantId]: PER_ENDPOINT });
});

it("a process with a single slot serves all merchants, one at a time", async () => {
  const [first, second] = [await aMerchantWith(1, 3), await aMerchantWith(1, 3)];
  const got = [await claimBeside({}, 1), await claimBeside({}, 1), await claimBeside({}, 1)];
  expect(got.flatMap((taken) => Object.values(taken))).toEqual([1, 1, 1]);
  expect([first, second]).toEqual(expect.arrayContaining(got.flatMap((taken) => Object.keys(taken))));
});
