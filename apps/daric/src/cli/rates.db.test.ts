import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "@daric/postgres/sql";
import { checkRates } from "@daric/rates/check-rates";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type RateSources, startRateSources } from "@daric/testing/rate-sources";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestDevchain;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), aDevchain()]);
});
afterAll(() => Promise.all([context.close(), chain.stop()]));

const check = (overrides: Record<string, string> = {}, ...options: string[]) =>
  captureDaric(["rates", "check", ...options], { ...daricVariables(context, chain.url), ...overrides });

describe("daric rates check", () => {
  it("prints each source with its price, its age and its status, and the resulting rate", async () => {
    const { code, out, err } = await check();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^CURRENCY +SOURCE +PRICE +AGE SECONDS +VERDICT +WHY$/);
    expect(lines[1]).toMatch(/^USDT +devnet +0\.9994 +\d+(\.\d)? +used +-$/);
    expect(lines[2]).toMatch(/^USDT +devnet +0\.9994 +\d+(\.\d)? +quoted +-$/);
    expect(lines[4]).toMatch(/^TRX +devnet +0\.3127 +\d+(\.\d)? +quoted +-$/);
  });

  it("prints the same as JSON", async () => {
    const { out } = await check({}, "--json");
    expect(JSON.parse(out)[0]).toEqual({
      currency: "USDT",
      source: "devnet",
      price: "0.9994",
      ageSeconds: expect.any(Number),
      verdict: "used",
      why: null,
    });
  });

  it("exits with 1 and the reason if an order would be refused now", async () => {
    await chain.control("rates", { usdt: null });
    const { code, out, err } = await check({}, "--json");
    await chain.control("rates", { usdt: "0.9994" });
    expect(code).toBe(1);
    expect(err).toBe(
      "daric: orders priced in USD and paid in USDT would be refused now (RATE_SOURCES names the sources)\n",
    );
    expect(JSON.parse(out).slice(0, 2)).toEqual([
      expect.objectContaining({ verdict: "error", why: expect.stringContaining("usdt is no price") }),
      expect.objectContaining({ source: "all", verdict: "refused", price: null }),
    ]);
  });

  it("refuses the settings that the service refuses", async () => {
    const { code, err } = await check({ RATE_SOURCES: "USDT=kraken" });
    expect(code).toBe(1);
    expect(err).toContain("RATE_SOURCES must name two sources at least for USDT");
  });
});

describe("a check of markets", () => {
  let sources: RateSources;
  beforeAll(async () => {
    sources = await startRateSources();
  });
  afterAll(() => sources.stop());

  it("queries each configured source once, and prints the status of every one", async () => {
    sources.setState("bitstamp", { clockOffMs: -90_000 });
    sources.setState("coinbase", { fault: "status_500" });
    sources.setState("okx", { prices: { USDT: ["9.996", "9.998"], TRX: ["0.3126", "0.3128"] } });
    const { config, clock, db } = context;
    const USDT = ["bitstamp", "coinbase", "gemini", "kraken", "okx"] as const;
    const verdicts = await checkRates({
      db,
      clock,
      config: { ...config, chain: { network: "nile", nodeUrls: [] }, rates: { sources: { USDT } } },
      rateAddresses: sources.addresses,
    });
    expect(verdicts.get("USDT")?.sources.map(({ source, verdict }) => `${source} ${verdict}`)).toEqual([
      "bitstamp stale",
      "coinbase error",
      "gemini used",
      "kraken used",
      "okx outlier",
    ]);
    expect(verdicts.get("USDT")?.rate?.source).toBe("gemini+kraken");
    expect(verdicts.get("TRX")?.rate?.source).toBe("bitfinex+kraken+okx");
    expect(sources.calls.get("gemini")).toBe(1);
    expect(sources.calls.get("bitfinex")).toBe(1);
    expect(await db.query(sql`select from rates`)).toEqual([]);
  });
});

describe("daric rates import", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "daric-rates-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function bring(text: string, ...options: string[]) {
    const file = join(folder, "bank.csv");
    await writeFile(file, text);
    return captureDaric(["rates", "import", "--file", file, ...options], daricVariables(context, chain.url));
  }

  it("stores the rates of a file, and writes into the audit log how many", async () => {
    const { code, out } = await bring("minute,price\n2026-01-02T03:04Z,0.9\n", "--currency", "eur", "--json");
    expect([code, JSON.parse(out)]).toEqual([0, { currency: "EUR", stored: 1, leftOut: 0 }]);
    const entries = await context.db.query(sql`
      select subject, after from audit_log where action = 'rates import'`);
    expect(entries).toMatchObject([{ subject: "rates of EUR", after: { stored: 1, leftOut: 0 } }]);
  });

  it("refuses a bad line by its number, and a code that has no price, in one line each", async () => {
    const line = await bring("minute,price\n2026-01-02T03:04Z,-1\n", "--currency", "TRX");
    expect([line.code, line.err]).toEqual([
      1,
      expect.stringContaining("nothing was imported: line 2 has no price"),
    ]);
    const code = await bring("minute,price\n2026-01-02T03:04Z,1\n", "--currency", "USD");
    expect(code.err).toContain("It must be one of USDT, TRX, ARS");
  });
});
