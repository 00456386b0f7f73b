import type { MerchantId } from "@daric/domain/ids";
import { createTestContext, withSettings } from "@daric/testing/context";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  claimAsIdle,
  deliveryRows,
  eventually,
} from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createResultRecorder, type HeldResult } from "./record-results.ts";

const LEASE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchants: MerchantId[];

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchants = [await aMerchantId(context.db), await aMerchantId(context.db)];
});

/** An endpoint of each merchant, and the accepted attempts of three deliveries to each. */
async function madeAttempts() {
  const endpoints = await Promise.all(
    merchants.map(async (merchantId) => {
      const endpoint = await anEndpointRow(context.db, merchantId);
      await aBacklog(context, { merchantId, id: endpoint }, 3);
      return endpoint;
    }),
  );
  const claims = await claimAsIdle(context, 6);
  expect(claims).toHaveLength(6);
  const results = claims.map((claim): HeldResult & { attempt: { snippet: string } } => ({
    merchantId: claim.merchantId,
    claim,
    attempt: { statusCode: 200, snippet: "ok", error: null, durationMs: 1, attemptedAt: new Date() },
    leaseUntilMs: context.clock.monotonicMs() + LEASE_MS,
  }));
  const statuses = async () =>
    (await Promise.all(endpoints.map((endpoint) => deliveryRows(context, endpoint))))
      .flat()
      .map(({ status }) => status)
      .sort();
  return { results, statuses };
}

it("a result that the database refuses costs none of the others of its batch", async () => {
  const { results, statuses } = await madeAttempts();
  const done: number[] = [];
  const recorder = createResultRecorder(context, (batch) => done.push(batch.length));
  // PostgreSQL has no such text.
  const [refused, ...others] = results;
  if (refused === undefined) throw new Error("nothing was claimed");
  recorder.add({ ...refused, attempt: { ...refused.attempt, snippet: "\u0000" } });
  for (const result of others) recorder.add(result);
  await recorder.drain();
  expect(await statuses()).toEqual([...Array<string>(5).fill("DELIVERED"), "SENDING"]);
  expect(done).toEqual([6]);
});

it("four results for each slot make a batch, and fewer wait for others", async () => {
  const { results, statuses } = await madeAttempts();
  const done: number[] = [];
  const recorder = createResultRecorder(withSettings(context, { webhooks: { concurrency: 1 } }), (batch) =>
    done.push(batch.length),
  );
  for (const result of results) recorder.add(result);
  await eventually(() => done.length === 2);
  expect(done.toSorted()).toEqual([2, 4]);
  expect(await statuses()).toEqual(Array<string>(6).fill("DELIVERED"));
});

it("a result that comes alone is recorded at once, not a tenth of a second later", async () => {
  const { results, statuses } = await madeAttempts();
  let onDone = () => {};
  const recorder = createResultRecorder(context, () => onDone());
  const times: number[] = [];
  for (const result of results) {
    const startMs = performance.now();
    const recorded = new Promise<void>((resolve) => {
      onDone = resolve;
    });
    recorder.add(result);
    await recorded;
    times.push(performance.now() - startMs);
  }
  // A busy machine delays some of them, hardly all.
  expect(Math.min(...times)).toBeLessThan(50);
  expect(await statuses()).toEqual(Array<string>(6).fill("DELIVERED"));
});
