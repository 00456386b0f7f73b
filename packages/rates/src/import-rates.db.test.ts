import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { amountFromUnits } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findBookValues } from "./find-book-values.ts";
import { importRates } from "./import-rates.ts";
import type { Priced } from "./sources.ts";
import { findKeptRates } from "./store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let folder: string;

beforeAll(async () => {
  [context, folder] = await Promise.all([createTestContext(), mkdtemp(join(tmpdir(), "daric-rates-"))]);
});
afterAll(() => Promise.all([context.close(), rm(folder, { recursive: true })]));
beforeEach(() => context.owner.query(sql`delete from rates`));

const now = new Date("2026-11-03T12:30:30Z");
const START = Date.UTC(2026, 2, 4, 12);
const timeOf = (minute: number) => new Date(START + minute * 60_000).toISOString().replace(":00.000", "");

type Line = readonly [minute: number, price: string];

async function bring(priced: Priced, lines: readonly Line[], name = "bank.csv") {
  const path = join(folder, name);
  await writeFile(
    path,
    ["minute,price", ...lines.map(([minute, price]) => `${timeOf(minute)},${price}`)].join("\r\n"),
  );
  return importRates(context.db, { priced, path, now });
}

const rows = () =>
  context.db.query<{ minute: bigint; price: bigint; source: string }>(sql`
    select (extract(epoch from minute)::bigint * 1000 - ${START}::bigint) / 60000 as minute,
      coalesce(usd_e8, tether_e8) as price, source from rates order by currency, minute`);

const valuesOf = (minutes: readonly number[]) =>
  findBookValues(
    context.db,
    "EUR",
    minutes.flatMap((minute) =>
      (["TRX", "USDT"] as const).map((currency) => ({
        ...{ currency, units: amountFromUnits(1_000_000_000n) },
        at: new Date(START + minute * 60_000 + 30_000),
      })),
    ),
  );

describe("importRates", () => {
  it("stores a minute where neither it nor the five before it were known, and counts what it leaves out", async () => {
    expect(await bring("EUR", [[10, "0.9"]], "first.csv")).toEqual({ stored: 1, leftOut: 0 });
    const lines: Line[] = [9, 10, 11, 15, 16, 17].map((minute) => [minute, "0.8"]);
    expect(await bring("EUR", lines, "Second file.csv")).toEqual({ stored: 3, leftOut: 3 });
    expect(await rows()).toEqual([
      { minute: 9n, price: 80_000_000n, source: "import:Second-file" },
      { minute: 10n, price: 90_000_000n, source: "import:first" },
      { minute: 16n, price: 80_000_000n, source: "import:Second-file" },
      { minute: 17n, price: 80_000_000n, source: "import:Second-file" },
    ]);
  });

  it("never changes a value that is known, whatever is imported, and makes unknown ones known", async () => {
    const minutes = Array.from({ length: 16 }, (_, minute) => minute);
    const line = fc.tuple(
      fc.nat(15),
      fc.integer({ min: 1, max: 99 }).map((cents) => `0.${cents + 100}`),
    );
    const file = fc.record({
      priced: fc.constantFrom("TRX" as const, "USDT" as const, "EUR" as const),
      lines: fc.uniqueArray(line, { selector: ([minute]) => minute, minLength: 1, maxLength: 6 }),
    });
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 6 }), async (files) => {
        await context.owner.query(sql`delete from rates`);
        let before = await valuesOf(minutes);
        for (const { priced, lines } of files) {
          await bring(priced, lines);
          const after = await valuesOf(minutes);
          for (const [index, known] of before.entries())
            if (known !== undefined) expect(after[index]).toEqual(known);
            else if (after[index] !== undefined) changes += 1;
          before = after;
        }
      }),
      { numRuns: 25 },
    );
    expect(changes).toBeGreaterThan(0);
  });

  it("stores nothing of a file with a bad line, nor of one that is not there", async () => {
    await expect(
      bring("TRX", [
        [1, "0.3"],
        [2, "-0.3"],
      ]),
    ).rejects.toThrow("nothing was imported: line 3");
    const missing = importRates(context.db, { priced: "TRX", path: join(folder, "none.csv"), now });
    await expect(missing).rejects.toThrow("cannot read the file: ENOENT");
    expect(await rows()).toEqual([]);
  });

  it("takes 100,000 lines, and two imports at once take each other's rates for known", async () => {
    const lines = (price: string) => Array.from({ length: 100_000 }, (_, minute): Line => [minute, price]);
    const results = await Promise.all([
      bring("TRX", lines("0.3"), "a.csv"),
      bring("TRX", lines("0.4"), "b.csv"),
    ]);
    expect(results.map(({ stored }) => stored).toSorted()).toEqual([0, 100_000]);
    const sources = await context.db.query(sql`select source from rates group by source`);
    expect(sources).toHaveLength(1);
  });

  it("prices nothing: the rates that limit new prices are those of markets", async () => {
    await context.owner.query(sql`
      insert into rates (currency, minute, usd_e8, source, fetched_at)
      values ('TRX', date_trunc('minute', now()) - interval '10 minutes', 30000000, 'kraken', now()),
        ('TRX', date_trunc('minute', now()) - interval '20 minutes', 90000000, 'import:bank', now())`);
    expect((await findKeptRates(context.db, ["TRX"])).get("TRX")?.lastHour).toEqual([30_000_000n]);
  });
});
