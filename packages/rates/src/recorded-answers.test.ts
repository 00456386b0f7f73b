import { parseJsonTexts } from "@daric/chain/blocks/parse-json";
import { dollarAnswers, exchangeRateAnswers, localAnswers } from "@daric/testing/market-answers";
import { mutilationsOf, readDespite } from "@daric/testing/mutilate-answer";
import { describe, expect, it } from "vitest";
import { markets } from "./markets.ts";
import { SourceRefusal } from "./read-ticker.ts";

describe.each([...dollarAnswers, ...localAnswers, ...exchangeRateAnswers])("$market, $pair", (recorded) => {
  const { market, pair, text, price, statedMs, refusal } = recorded;
  const read = (answer: unknown) => markets[market].read(answer, pair);
  const answer = parseJsonTexts(text);

  it("is read, digit for digit", () => {
    expect(read(answer)).toEqual(statedMs === undefined ? { price } : { price, statedMs });
  });

  it("is refused with any of its faults", () => {
    const faults = mutilationsOf({ ...recorded, answer });
    expect(faults.length).toBeGreaterThan(50);
    expect(readDespite(faults, read)).toEqual([]);
  });

  it("is refused if it is cut off", () => {
    for (let end = 0; end < text.length; end += 1) {
      expect(() => read(parseJsonTexts(text.slice(0, end)))).toThrow();
    }
  });

  it("has an error message of its own, which is a refusal", () => {
    expect(() => read(parseJsonTexts(refusal))).toThrow(SourceRefusal);
  });
});
