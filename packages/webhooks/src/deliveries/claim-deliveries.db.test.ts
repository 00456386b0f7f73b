import { idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { aBacklog, aMerchantId, anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { claimDeliveries } from "./worker.ts";

const FREE = 16;
const PER_ENDPOINT = 4;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_CONCURRENCY: String(16 * PER_ENDPOINT) });
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

/** Claims beside what is held, of as many claims as fit; returns how many each merchant got. */
async function claimBeside(held: Taken, most = FREE): Promise<Taken> {
  const free = most - Object.values(held).reduce((sum, count) => sum + count, 0);
  const { claims } = await claimDeliveries(context, { free, held: byMerchant(held), rooms: new Map() });
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

it("a single merchant gets three quarters, for any number of endpoints", async () => {
  const merchantId = await aMerchantWith(40, 2);
  expect(await claimBeside({})).toEqual({ [merchantId]: 12 });
  expect(await claimBeside({ [merchantId]: 12 })).toEqual({});
  expect(await claimBeside({ [merchantId]: 11 })).toEqual({ [merchantId]: 1 });
});

it("beside a merchant with three quarters another one gets three quarters of what is left", async () => {
  const [busy, newcomer] = [await aMerchantWith(40, 2), await aMerchantWith(4, 4)];
  expect(await claimBeside({ [busy]: 12 })).toEqual({ [newcomer]: 3 });
  expect(await claimBeside({ [busy]: 12, [newcomer]: 3 })).toEqual({});
});

it("two merchants that want everything leave a part to the next one", async () => {
  const [first, second] = [await aMerchantWith(4, 4), await aMerchantWith(4, 4)];
  const taken = await claimBeside({});
  expect(taken).toEqual({ [first]: 7, [second]: 7 });
  expect(await claimBeside(taken)).toEqual({});
  const third = await aMerchantWith(4, 4);
  expect(await claimBeside(taken)).toEqual({ [third]: 2 });
});

it("merchants take turns, counting what is held of them", async () => {
  const [many, few] = [await aMerchantWith(40, 4), await aMerchantWith(1, 4)];
  expect(await claimBeside({ [many]: 6 })).toEqual({ [few]: 4, [many]: 3 });
});

it("of a full endpoint nothing is claimed, of one with a pace as much as has room, of a new one twice its slots", async () => {
  const merchantId = await aMerchantId(context.db);
  const [full, quick, fresh] = [
    await anEndpointRow(context.db, merchantId),
    await anEndpointRow(context.db, merchantId),
    await anEndpointRow(context.db, merchantId),
  ];
  for (const id of [full, quick, fresh]) await aBacklog(context, { merchantId, id }, 20);
  const rooms = new Map([
    [full, 0],
    [quick, 9],
  ]);
  const { claims } = await claimDeliveries(context, { free: 100, held: new Map(), rooms });
  expect(countBy(claims.map(({ endpointId }) => endpointId))).toEqual({
    [quick]: 9,
    [fresh]: 2 * PER_ENDPOINT,
  });
});

it("a process with a single slot serves all merchants, one at a time", async () => {
  const [first, second] = [await aMerchantWith(1, 3), await aMerchantWith(1, 3)];
  const got = [await claimBeside({}, 1), await claimBeside({}, 1), await claimBeside({}, 1)];
  expect(got.flatMap((taken) => Object.values(taken))).toEqual([1, 1, 1]);
  expect([first, second]).toEqual(expect.arrayContaining(got.flatMap((taken) => Object.keys(taken))));
});

it("an endpoint that accepted its last attempt gets many at once, one that did not gets its slots", async () => {
  const merchantId = await aMerchantWith(1, 30);
  const note = (success: string | null, failing: string | null) =>
    context.owner.query(sql`
      insert into endpoint_health (merchant_id, endpoint_id, last_success_at, failing_since, failed_attempts)
      select merchant_id, id, ${success}::timestamptz, ${failing}::timestamptz, ${failing === null ? 0 : 1}::integer
      from webhook_endpoints where merchant_id = ${merchantId}
      on conflict (merchant_id, endpoint_id) do update set last_success_at = excluded.last_success_at,
        failing_since = excluded.failing_since, failed_attempts = excluded.failed_attempts`);
  const WIDE = 400;
  await note("2026-01-01", "2026-01-02");
  expect(await claimBeside({}, WIDE)).toEqual({ [merchantId]: PER_ENDPOINT });
  await note("2026-01-01", null);
  expect(await claimBeside({}, WIDE)).toEqual({ [merchantId]: 30 - PER_ENDPOINT });
});
