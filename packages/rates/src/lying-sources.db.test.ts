import { setTimeout as sleep } from "node:timers/promises";
import type { MerchantId } from "@daric/domain/ids";
import type { MarketName } from "@daric/domain/market";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { type Clock, systemClock } from "@daric/runtime/clock";
import { createApp, createMemory } from "@daric/server/app";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { type MarketState, type RateSources, startRateSources } from "@daric/testing/rate-sources";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RatePace } from "./feed.ts";
import { type RateKeeper, startRateKeeper } from "./keep-rates.ts";

/* The sources lie while orders are created over HTTP: each order in USD gets a right and fresh price, or is refused. */

type Lie = Partial<MarketState>;

/** The honest price of 1 USDT in USD: between 0.99966 and 0.99968. */
const HONEST_USD = 0.99967;
const MAX_OFF = 0.01;
/** Enough time to read an answer on this machine. */
const ANSWERED_MS = 50;
const MOVED: Lie = { prices: { USDT: ["0.99967", "0.99968"], TRX: ["0.3126", "0.3128"] } };
const pace: RatePace = { fetchEveryMs: 25, firstBackoffMs: 25, maxBackoffMs: 50, checkEveryMs: 20 };
const markets = ["bitstamp", "coinbase", "kraken"] as const satisfies readonly MarketName[];

const priceOf = (bid: string, ask: string): Lie => ({ prices: { USDT: [bid, ask] } });

/** A lie of one source, and the same lie of a second source with another price. */
const allLies: [what: string, lie: Lie, other: Lie][] = [
  ["ten times as much", priceOf("9.9966", "9.9968"), priceOf("99.966", "99.968")],
  ["a tenth", priceOf("0.099966", "0.099968"), priceOf("0.0099966", "0.0099968")],
  ["a little more than 1 % off", priceOf("1.01016", "1.01018"), priceOf("0.98916", "0.98918")],
  ["creeping away", priceOf("1.00866", "1.00868"), priceOf("1.01766", "1.01768")],
  ["nothing", priceOf("0", "0"), priceOf("0.00", "0.00")],
  ["less than nothing", priceOf("-0.99966", "-0.99964"), priceOf("-1", "-1")],
  ["bid above ask", priceOf("1.2", "0.8"), priceOf("1.1", "0.9")],
  ["a wide book", priceOf("0.5", "1.5"), priceOf("0.6", "1.4")],
  [
    "a price of a minute ago",
    { clockOffMs: -61_000 },
    { clockOffMs: -62_000, prices: { USDT: ["1.05", "1.05"] } },
  ],
  [
    "a price of tomorrow",
    { clockOffMs: 86_400_000 },
    { clockOffMs: 3_600_000, prices: { USDT: ["1.05", "1.05"] } },
  ],
  ...(
    [
      "status_500",
      "redirect",
      "html",
      "truncated",
      "refused",
      "wrong_pair",
      "no_price",
      // These never answer in time, so the test does not wait for them.
      "drip",
      "endless",
      "hang",
      "status_429",
    ] as const
  ).map((fault): [string, Lie, Lie] => [fault, { fault }, { fault }]),
];

/** By day every fourth of these runs: lies about the price, its time, the answer and its absence. */
const lies = allLies.filter((_, number) => isNight || number % 4 === 0);

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let apiKey: string;

beforeAll(async () => {
  context = await createTestContext({
    TRON_NETWORK: "nile",
    RATE_LIMIT_KEY_BURST: "1000000",
    RATE_LIMIT_KEY_PER_SECOND: "1000000",
  });
  merchantId = (await aMerchant(context.db)).id;
  apiKey = (await anApiKey(context, merchantId)).key;
});
afterAll(() => context.close());

type Service = {
  readonly sources: RateSources;
  readonly rates: RateKeeper;
  readonly clock: { aheadMs: number };
  /** creates this many orders in parallel */
  create(count: number): Promise<Answer[]>;
};
type Answer = { status: number; code?: string; retryAfter: string | null; quoteRate?: string };

/** Runs the work with a service whose sources have answered honestly. */
async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const clock: Clock & { aheadMs: number } = {
    aheadMs: 0,
    now() {
      return new Date(Date.now() + this.aheadMs);
    },
    monotonicMs() {
      return systemClock.monotonicMs() + this.aheadMs;
    },
  };
  const sources = await startRateSources();
  const rates = startRateKeeper({ ...context, clock, rateAddresses: sources.addresses }, pace);
  const memory = createMemory(context, { rates });
  const app: ApiApp = createApp(context, { memory });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const create = (count: number) => Promise.all(Array.from({ length: count }, () => createIn(baseUrl)));
  try {
    await until("all sources answered", async () => isHonest(rates));
    // One of the three states no time; its price must move to count.
    for (const market of ["coinbase", "kraken"] as const) sources.setState(market, MOVED);
    await until("their prices moved", async () => rates.verdictOf("USDT").rate?.priceE8 === 99_967_500n);
    await work({ sources, rates, clock, create });
  } finally {
    await app.close();
    await Promise.all([memory.addresses.stop(), rates.stop(), sources.stop()]);
  }
}

async function createIn(baseUrl: string): Promise<Answer> {
  const answer = await fetch(`${baseUrl}/v1/deposit-addresses`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ amount: "100", pricingCurrency: "USD" }),
  });
  const { data, error } = (await answer.json()) as {
    data?: { quote_rate: string };
    error?: { code: string };
  };
  const { status, headers } = answer;
  return {
    status,
    retryAfter: headers.get("retry-after"),
    ...(error && { code: error.code }),
    ...(data && { quoteRate: data.quote_rate }),
  };
}

const isHonest = (rates: RateKeeper) => rates.verdictOf("USDT").rate?.source === "bitstamp+coinbase+kraken";

/** The number of quoted orders. Every answer is a right quote, or a refusal with Retry-After. */
function quotedIn(answers: readonly Answer[]): number {
  for (const { status, code, retryAfter, quoteRate } of answers) {
    if (status === 201) {
      const off = Math.abs(Number(quoteRate) * HONEST_USD - 1);
      expect(off, `quoted ${quoteRate}`).toBeLessThanOrEqual(MAX_OFF);
    } else {
      expect([status, code, retryAfter]).toEqual([
        503,
        "RATE_UNAVAILABLE",
        expect.stringMatching(/^[1-9]\d*$/),
      ]);
    }
  }
  return answers.filter(({ status }) => status === 201).length;
}

/** Creates orders as these sources begin to lie, and again after each has answered with its lie. */
async function createWhile(
  { create, sources }: Service,
  reported: readonly (readonly [MarketName, Lie])[],
): Promise<Answer[]> {
  const requested = ([market]: readonly [MarketName, Lie]) => sources.calls.get(market) ?? 0;
  const before = reported.map(requested);
  for (const [market, lie] of reported) sources.setState(market, lie);
  const answers = await create(8);
  await until("the sources answered with the lie", async () =>
    reported.every((source, n) => requested(source) >= (before[n] ?? 0) + 2 || isSlow(source)),
  );
  await sleep(ANSWERED_MS);
  return [...answers, ...(await create(8)), ...(await create(8))];
}

/** Whether the fault delays the next answer beyond the test. */
function isSlow([, { fault }]: readonly [MarketName, Lie]): boolean {
  return fault === "hang" || fault === "drip" || fault === "endless" || fault === "status_429";
}

async function requireNoneStale(): Promise<void> {
  const stale = await context.db.query(sql`
    select id from quotes where merchant_id = ${merchantId}
      and (fetched_at < locked_at - interval '60 seconds' or fetched_at > locked_at + interval '5 seconds')`);
  expect(stale).toEqual([]);
}

describe("while orders in USD are created", () => {
  it("one lying source neither spoils nor stops a quote", async () => {
    await withService(async (service) => {
      for (const [number, [what, lie]] of lies.entries()) {
        const liar = markets[number % markets.length] ?? "kraken";
        expect(quotedIn(await createWhile(service, [[liar, lie]])), what).toBe(24);
        service.sources.setState(liar, honest);
        await until(`${what} is over`, async () => isHonest(service.rates));
      }
      await requireNoneStale();
    });
  }, 60_000);

  it("two sources with different lies spoil no quote: an order gets a right quote or a refusal with Retry-After", async () => {
    let refused = 0;
    await withService(async (service) => {
      for (const [number, [what, lie, other]] of lies.entries()) {
        const [first, second] = [number, number + 1].map(
          (place) => markets[place % markets.length] ?? "kraken",
        );
        const answers = await createWhile(service, [
          [first ?? "kraken", lie],
          [second ?? "kraken", other],
        ]);
        refused += answers.length - quotedIn(answers);
        for (const market of markets) service.sources.setState(market, honest);
        await until(`${what} is over`, async () => isHonest(service.rates));
      }
      await requireNoneStale();
    });
    expect(refused).toBeGreaterThan(0);
  }, 60_000);

  it("the last answers of silent sources count for a minute and not longer", async () => {
    await withService(async (service) => {
      for (const market of markets) service.sources.setState(market, { fault: "hang" });
      expect(quotedIn(await service.create(8))).toBe(8);
      service.clock.aheadMs = 61_000;
      expect(quotedIn(await service.create(8))).toBe(0);
    });
  }, 60_000);
});

/** The state of a source that does not lie any more. */
const honest: Lie = {
  prices: { USDT: ["0.99966", "0.99968"], TRX: ["0.3126", "0.3128"] },
  fault: undefined,
  clockOffMs: 0,
};
