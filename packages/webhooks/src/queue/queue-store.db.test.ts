import { type EndpointId, idOf, type MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { createTestContext } from "@daric/testing/context";
import { until } from "@daric/testing/until";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  depositData,
} from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ClaimedDelivery } from "../deliveries/delivery-store.ts";
import { maintainDeliveries } from "../deliveries/maintain-deliveries.ts";
import { releaseClaims, saveEachAttempt } from "../deliveries/result-store.ts";
import { claimDeliveries } from "../deliveries/worker.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { enqueueEvents } from "../events/enqueue-events.ts";
import { findDueWork, rescheduleLater } from "./queue-store.ts";

const PARKED_FOR = { parkedForMs: 259_200_000 };
const ATTEMPT = { statusCode: 200, snippet: null, error: null, durationMs: 1 } as const;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let id: EndpointId;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.db.query(sql`update endpoint_queue set due_at = 'infinity'`);
  merchantId = await aMerchantId(context.db);
  id = await anEndpointRow(context.db, merchantId);
});

async function due(): Promise<readonly MerchantId[]> {
  return (await findDueWork(context.db, { after: undefined })).merchantIds;
}

/** The seconds until the endpoint is due; undefined without work. */
async function dueInSeconds(): Promise<number | undefined> {
  const { seconds } = one(
    await context.db.query<{ seconds: number | null }>(sql`
      select extract(epoch from nullif(due_at, 'infinity') - now())::float8 as seconds
      from endpoint_queue where merchant_id = ${merchantId} and endpoint_id = ${id}`),
  );
  return seconds ?? undefined;
}

const raise = () => rescheduleLater(context.db, [merchantId], PARKED_FOR);

async function claim(): Promise<ClaimedDelivery[]> {
  return (await claimDeliveries(context, { free: 100, held: new Map(), rooms: new Map() })).claims;
}

async function accept(claim: ClaimedDelivery): Promise<boolean> {
  const attempt = { ...ATTEMPT, attemptedAt: new Date() };
  const result = { claim, attempt, verdict: { event: "accepted", delayMs: null } } as const;
  return (await saveEachAttempt(context.db, [result])).length === 1;
}

it("an endpoint is due from the commit of its event until the claim, then when the lease ends", async () => {
  expect(await due()).toEqual([]);
  await announceDeposit(context, merchantId);
  expect(await due()).toEqual([merchantId]);
  expect(await raise()).toBe(0);
  const [claimed] = await claim();
  expect(await raise()).toBe(1);
  expect(await due()).toEqual([]);
  expect(await dueInSeconds()).toBeGreaterThan(30);
  if (claimed) await accept(claimed);
  await context.db.query(sql`update endpoint_queue set due_at = now() where endpoint_id = ${id}`);
  await raise();
  expect(await dueInSeconds()).toBeUndefined();
});

it.each([
  [
    "failed",
    (claimed: ClaimedDelivery) =>
      saveEachAttempt(context.db, [
        {
          claim: claimed,
          attempt: { ...ATTEMPT, statusCode: 500, error: "http_status", attemptedAt: new Date() },
          verdict: { event: "rejected", delayMs: 5_000 },
        },
      ]),
  ],
  ["was given back", (claimed: ClaimedDelivery) => releaseClaims(context.db, [claimed], 5_000)],
] as const)(
  "a delivery that %s is due in its turn, though the entry was moved later meanwhile",
  async (_what, end) => {
    await announceDeposit(context, merchantId);
    const [claimed] = await claim();
    await raise();
    if (claimed) await end(claimed);
    expect(await dueInSeconds()).toBeLessThanOrEqual(5);
  },
);

it("an entry is not moved later while an event of its endpoint is being announced", async () => {
  for (const isDueBefore of [false, true]) {
    if (isDueBefore)
      await context.db.query(sql`update endpoint_queue set due_at = now() where endpoint_id = ${id}`);
    else await context.db.query(sql`update endpoint_queue set due_at = 'infinity' where endpoint_id = ${id}`);
    const resourceId = idOf("deposit", uuidv7());
    await context.db.transaction(async (tx) => {
      await enqueueEvents(context, tx, [
        { merchantId, type: "deposit.confirmed", resourceId, data: depositData(resourceId) },
      ]);
      expect(await raise()).toBe(0);
    });
    expect(await due()).toEqual([merchantId]);
    for (const claimed of await claim()) await accept(claimed);
  }
});

it("deliveries of a disabled endpoint are not due until it is enabled or they have waited too long", async () => {
  await aBacklog(context, { merchantId, id }, 3);
  await updateEndpoint(context, { merchantId, id, isActive: false });
  await maintainDeliveries(context, [merchantId]);
  expect(await due()).toEqual([]);
  expect(await dueInSeconds()).toBeGreaterThan(3_000);
  await updateEndpoint(context, { merchantId, id, isActive: true });
  expect(await due()).toEqual([merchantId]);
  await maintainDeliveries(context, [merchantId]);
  await context.db.query(sql`select pg_sleep(0.2)`);
  expect(await claim()).toHaveLength(3);
});

it("a disabled endpoint is due when the first of its deliveries ends, not an hour later", async () => {
  await aBacklog(context, { merchantId, id }, 3);
  await context.owner.query(sql`
    update webhook_deliveries set expires_at = now() + interval '10 minutes'
    where id = (select id from webhook_deliveries where endpoint_id = ${id} limit 1)`);
  await updateEndpoint(context, { merchantId, id, isActive: false });
  await maintainDeliveries(context, [merchantId]);
  expect(await dueInSeconds()).toBeGreaterThan(500);
  expect(await dueInSeconds()).toBeLessThanOrEqual(600);
});

it("a search returns merchants without work in progress first, and reaches every merchant", async () => {
  const busy = merchantId;
  const others: MerchantId[] = [];
  for (let count = 0; count < 3; count++) {
    const other = await aMerchantId(context.db);
    await anEndpointRow(context.db, other);
    others.push(other);
  }
  await context.db.query(
    sql`update endpoint_queue set due_at = now() where merchant_id = any(${[busy, ...others]})`,
  );
  const [first, second, third] = others;
  const page = await findDueWork(context.db, { after: first, busy: [busy] });
  expect(page.merchantIds).toEqual([second, third, first, busy]);
});

it("a search returns when the next work is due", async () => {
  await context.db.query(
    sql`update endpoint_queue set due_at = now() + interval '20 seconds' where endpoint_id = ${id}`,
  );
  const { merchantIds, nextMs } = await findDueWork(context.db, { after: undefined });
  expect(merchantIds).toEqual([]);
  expect(nextMs).toBeGreaterThan(10_000);
  expect(nextMs).toBeLessThanOrEqual(20_000);
});

it("concurrent announcements and moves of entries lose no delivery", async () => {
  const LANES = 4;
  const ROUNDS = isNight ? 60 : 15;
  let isDone = false;
  const lanes: { merchantId: MerchantId; delivered: number }[] = [];
  for (let lane = 0; lane < LANES; lane++) {
    const owner = await aMerchantId(context.db);
    await anEndpointRow(context.db, owner);
    lanes.push({ merchantId: owner, delivered: 0 });
  }
  const allMerchants = lanes.map((lane) => lane.merchantId);
  // Workers look only at due endpoints: one moved past its work would wait for the next event.
  const worker = async () => {
    while (!isDone) {
      for (const claimed of await claim()) {
        const lane = lanes.find((lane) => lane.merchantId === claimed.merchantId);
        if ((await accept(claimed)) && lane) lane.delivered += 1;
      }
    }
  };
  const raiser = async () => {
    while (!isDone) await rescheduleLater(context.db, allMerchants, PARKED_FOR);
  };
  const announcer = async (lane: { merchantId: MerchantId; delivered: number }) => {
    for (let round = 1; round <= ROUNDS; round++) {
      await announceDeposit(context, lane.merchantId);
      await until(`event ${round} is delivered`, () => lane.delivered === round);
    }
  };
  const running = [worker(), raiser(), raiser()];
  try {
    await Promise.all(lanes.map(announcer));
  } finally {
    isDone = true;
    await Promise.all(running);
  }
  expect(lanes.map(({ delivered }) => delivered)).toEqual(Array(LANES).fill(ROUNDS));
}, 120_000);
