import { describe, expect, it } from "vitest";
import { createScrapeCollector } from "./scrape-collector.ts";

describe("a survey", () => {
  it("is undefined while nobody answers it, which is no failure", async () => {
    let failures = 0;
    const survey = createScrapeCollector<number>(() => {
      failures += 1;
    });
    expect(await survey.read()).toBeUndefined();
    survey.answerBy(() => undefined);
    expect(await survey.read()).toBeUndefined();
    expect(failures).toBe(0);
  });

  it("is asked once, however many read it at the same moment or soon after", async () => {
    let asked = 0;
    const survey = createScrapeCollector<number>(() => {});
    survey.answerBy(async () => {
      asked += 1;
      return asked;
    });
    expect(await Promise.all([survey.read(), survey.read()])).toEqual([1, 1]);
    expect(await survey.read()).toBe(1);
  });

  it("that fails, or takes too long, is undefined and counted, and rejects nobody", async () => {
    let failures = 0;
    const survey = createScrapeCollector<number>(() => {
      failures += 1;
    });
    survey.answerBy(() => Promise.reject(new Error("no database")));
    expect(await survey.read()).toBeUndefined();
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
