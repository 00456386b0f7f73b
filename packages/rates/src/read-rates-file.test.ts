import { describe, expect, it } from "vitest";
import { RatesFileError, readRatesFile } from "./read-rates-file.ts";
import type { Priced } from "./sources.ts";

const now = new Date("2026-11-03T12:30:30Z");

async function* linesOf(...lines: readonly string[]) {
  yield* lines;
}

const read = (priced: Priced, ...lines: readonly string[]) =>
  readRatesFile(linesOf(...lines), { priced, name: "ecb", now });

async function refusalOf(priced: Priced, ...lines: readonly string[]): Promise<string> {
  const error: unknown = await read(priced, ...lines).catch((thrown: unknown) => thrown);
  return error instanceof RatesFileError ? error.message : expect.fail("the file was taken");
}

describe("a file of rates", () => {
  it("has minutes and prices in any order and with gaps; the import and its source name each rate", async () => {
    expect(
      await read("TRX", "\uFEFFMinute, price", "2026-11-03T12:29Z,0.3127", "", "2026-10-01T00:00:00Z, 1"),
    ).toEqual([
      { minuteMs: Date.UTC(2026, 10, 3, 12, 29), priceE8: 31_270_000n, source: "import:ecb" },
      { minuteMs: Date.UTC(2026, 9, 1), priceE8: 100_000_000n, source: "import:ecb" },
    ]);
    expect(
      await read("EUR", "currency,minute,source,price", "EUR,2026-11-03T12:29:00.000Z,bank-1,0.00000001"),
    ).toEqual([{ minuteMs: Date.UTC(2026, 10, 3, 12, 29), priceE8: 1n, source: "import:bank-1" }]);
  });

  it.each([
    ["2026-11-03T12:30Z,0.3", "has a minute that is not over"],
    ["2027-01-01T00:00Z,0.3", "has a minute that is not over"],
    ["2026-11-03T12:29:30Z,0.3", "has no minute in UTC"],
    ["2026-11-03 12:29,0.3", "has no minute in UTC"],
    ["2026-11-03T12:29+01:00,0.3", "has no minute in UTC"],
    ["2026-02-30T12:29Z,0.3", "has no minute in UTC"],
    ["2026-11-03T12:29Z,-0.3", "has no price above zero"],
    ["2026-11-03T12:29Z,0", "has no price above zero"],
    ["2026-11-03T12:29Z,1e3", "has no price above zero"],
    ["2026-11-03T12:29Z,0.123456789", "has no price above zero"],
    ["2026-11-03T12:29Z,12345678901", "has no price above zero"],
    ["2026-11-03T12:29Z,0,3", "has not the columns minute,price"],
    ["2026-11-03T12:29Z", "has not the columns minute,price"],
    [`2026-11-03T12:29Z,0.${"1".repeat(300)}`, "has not the columns minute,price"],
    ["2026-11-03T12:01Z,0.3", "has the minute of line 2 again"],
  ])("is refused whole for a line %s: it %s", async (line, fault) => {
    const refusal = await refusalOf("TRX", "minute,price", "2026-11-03T12:01Z,0.3", line);
    expect(refusal).toContain(`nothing was imported: line 3 ${fault}`);
  });

  it("of another currency is refused, and names each bad line up to the first 20", async () => {
    const bad = Array.from({ length: 30 }, () => "TRX,2026-11-03T12:29Z,0.3");
    const refusal = await refusalOf("EUR", "currency,minute,price", ...bad);
    expect(refusal.match(/line \d+ is of TRX, and not of EUR/g)).toHaveLength(20);
    expect(refusal).toContain("line 2 ");
    expect(refusal).toContain("line 21 ");
  });

  it.each([
    ["minute", "line 1 must name the columns"],
    ["minute,price,volume", "line 1 must name the columns"],
    ["minute,price,price", "line 1 must name the columns"],
    ["2026-11-03T12:29Z,0.3", "line 1 must name the columns"],
    ["minute,price", "the file has no rate"],
  ])("with the heading %s and no more is refused: %s", async (heading, fault) => {
    expect(await refusalOf("TRX", heading)).toContain(fault);
  });

  it("is read no further than its limit of lines", async () => {
    let read = 0;
    async function* endless() {
      yield "minute,price";
      for (;;) {
        read += 1;
        yield "";
      }
    }
    const reading = readRatesFile(endless(), { priced: "TRX", name: "endless", now });
    await expect(reading).rejects.toThrow("600000 lines at most");
    expect(read).toBe(600_000);
  });
});
