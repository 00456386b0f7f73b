import { parseJsonTexts } from "@daric/chain/blocks/parse-json";
import { AnswerError } from "@daric/chain/blocks/read-json";
import { exchangeRateAnswers, truefxLines } from "@daric/testing/market-answers";
import { type Mutilation, readDespite } from "@daric/testing/mutilate-answer";
import { describe, expect, it } from "vitest";
import { readGmo, readSwissquote, readTruefx } from "./read-exchange-rate.ts";
import { SourceRefusal } from "./read-ticker.ts";

const json = (value: unknown): unknown => parseJsonTexts(JSON.stringify(value));

describe("GMO", () => {
  it("has a price of each pair in one answer, and of no other", () => {
    const answer = parseJsonTexts(exchangeRateAnswers.find(({ market }) => market === "gmo")?.text ?? "");
    expect(readGmo(answer, "AUD_USD")).toEqual({ price: 72_076_500n, statedMs: 1_788_488_366_949 });
    for (const name of ["USD_CAD", "", "usd_jpy"])
      expect(() => readGmo(answer, name)).toThrow("another pair");
  });

  it("is refused while its market is closed, though its time is fresh", () => {
    const closed =
      '{"status":0,"data":[{"symbol":"USD_JPY","ask":"157.84","bid":"157.74","timestamp":"2026-08-08T04:42:49.104119Z","status":"CLOSE"}]}';
    expect(() => readGmo(parseJsonTexts(closed), "USD_JPY")).toThrow(SourceRefusal);
    expect(() => readGmo(parseJsonTexts(closed), "USD_JPY")).toThrow("the market is closed");
  });
});

describe("Swissquote", () => {
  const book = (bid: number, ts: number, platform = "AT") => ({
    topo: { platform, server: "AT" },
    spreadProfilePrices: [{ spreadProfile: "standard", bid, ask: bid + 0.01 }],
    ts,
  });

  it("counts the newest book of its one platform", () => {
    const books = [
      book(7.5, 1_790_618_032_839),
      book(7.25, 1_790_618_032_840),
      book(7, 1_790_618_032_841, "Other"),
    ];
    const newest = { price: 725_500_000n, statedMs: 1_790_618_032_840 };
    expect(readSwissquote(json(books))).toEqual(newest);
    expect(readSwissquote(json(books.toReversed()))).toEqual(newest);
  });

  it("has no price on other platforms or in other profiles", () => {
    expect(() => readSwissquote(json([book(7.5, 1_790_618_032_840, "SwissquoteLtd")]))).toThrow(
      "platform AT",
    );
    const { topo, ts } = book(7.5, 1_790_618_032_840);
    const prime = [{ topo, ts, spreadProfilePrices: [{ spreadProfile: "prime", bid: 7.5, ask: 7.51 }] }];
    expect(() => readSwissquote(json(prime))).toThrow(AnswerError);
  });
});

describe("TrueFX", () => {
  const [[line, price]] = truefxLines;
  const pair = "EUR/USD";

  it.each(truefxLines)("%s is read, digit for digit", (text, price) => {
    const [name = "", time] = text.split(",");
    const ticker = { price, statedMs: Number(time) };
    for (const end of ["", "\n", "\r\n\r\n"]) expect(readTruefx(text + end, name)).toEqual(ticker);
  });

  it("is read among other pairs", () => {
    const [euro = [""], , , yen = [""]] = truefxLines;
    expect(readTruefx(`${euro[0]}\r\n${yen[0]}\r\n`, "USD/JPY").price).toBe(yen[1]);
  });

  it("is refused with any of its faults", () => {
    const fields = line.split(",");
    const wrong: readonly (readonly [fields: readonly number[], values: readonly string[]])[] = [
      [[0], ["", "USD/JPY", "eur/usd", "EURUSD", "EUR/USD "]],
      [[1], ["", "soon", "-1", "0", "1e12", "1789395502", "1789395502988.5", "1789395502988000"]],
      [
        [2, 4],
        ["", "0", "1", "1.", "1.1", "1.155", "-1.15", "+1.15", " 1.15", "1,15", "01.15", "1e0", "NaN"],
      ],
      [
        [2, 4],
        ["0.00", "0.11", "115.", "1.13", "1.17", "1.1x", "<b>"],
      ],
      [
        [3, 5],
        ["", "36", "3610", "-61", "+36", "3.1", "3,61", "1e2", " 36", "abc", "NaN"],
      ],
    ];
    const edits = wrong.flatMap(([places, values]) =>
      places.flatMap((at) => values.map((value) => fields.with(at, value).join(","))),
    );
    const [name, time, bid, bidPoints, ask, askPoints, ...day] = fields;
    const others = [
      ...fields.map((_field, at) => fields.toSpliced(at, 1).join(",")),
      [name, time, ask, askPoints, bid, bidPoints, ...day].join(","),
      [name, time, "0.00", "000", "0.00", "000", ...day].join(","),
      `${line},1`,
      `${line}\n${line}`,
      line.replaceAll(",", ";"),
      JSON.stringify(line),
      "<!doctype html><title>Just a moment...</title>",
      "not authorized",
      "",
      "\r\n",
      null,
      {},
      fields,
    ];
    const faults: Mutilation[] = [...edits, ...others].map((answer) => ({ fault: String(answer), answer }));
    expect(readDespite(faults, (answer) => readTruefx(answer, pair))).toEqual([]);
  });

  it("that is cut off is refused, unless only its last field is", () => {
    const beforeLast = line.lastIndexOf(",");
    for (let end = 0; end < line.length; end += 1) {
      const read = () => readTruefx(line.slice(0, end), pair);
      if (end < beforeLast) expect(read).toThrow(AnswerError);
      else if (end > beforeLast) expect(read().price).toBe(price);
    }
  });

  it("has no text for a pair that it does not have: that is a refusal", () => {
    expect(() => readTruefx("\r\n", pair)).toThrow(SourceRefusal);
  });
});
