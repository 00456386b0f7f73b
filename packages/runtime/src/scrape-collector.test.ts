import { describe, expect, it } from "vitest";
import { createScrapeCollector } from "./scrape-collector.ts";

describe("a collector", () => {
  it("is undefined without a query, which is no failure", async () => {
    let failures = 0;
    const collector = createScrapeCollector<number>(() => {
      failures += 1;
    });
    expect(await collector.read()).toBeUndefined();
    collector.answerBy(() => undefined);
    expect(await collector.read()).toBeUndefined();
    expect(failures).toBe(0);
  });

  it("runs one query for all reads of the same moment or soon after", async () => {
    let calls = 0;
    const collector = createScrapeCollector<number>(() => {});
    collector.answerBy(async () => {
      calls += 1;
      return calls;
    });
    expect(await Promise.all([collector.read(), collector.read()])).toEqual([1, 1]);
    expect(await collector.read()).toBe(1);
  });

  it("that fails or is late is undefined and counted, and does not reject", async () => {
    let failures = 0;
    const collector = createScrapeCollector<number>(() => {
      failures += 1;
    });
    collector.answerBy(() => Promise.reject(new Error("no database")));
    expect(await collector.read()).toBeUndefined();
    const slow = createScrapeCollector<number>(
      () => {
        failures += 1;
      },
      { withinMs: 5 },
    );
    slow.answerBy(() => new Promise(() => {}));
    expect(await slow.read()).toBeUndefined();
    expect(failures).toBe(2);
  });
});
