import { parseJsonTexts } from "@daric/chain/blocks/parse-json";
import { AnswerError } from "@daric/chain/blocks/read-json";
import { dollarAnswers } from "@daric/testing/market-answers";
import { hasRateRecordings, readRateRecording } from "@daric/testing/rate-sources";
import { describe, expect, it } from "vitest";
import { markets } from "./markets.ts";
import {
  readBinance,
  readBitfinex,
  readBitstamp,
  readCoinbase,
  readCoingecko,
  readGemini,
  readKraken,
  readOkx,
  SourceRefusal,
  type Ticker,
} from "./read-ticker.ts";

const recorded = (name: string): unknown => parseJsonTexts(readRateRecording(name));
const json = (value: unknown): unknown => parseJsonTexts(JSON.stringify(value));

it.each(dollarAnswers.filter(({ isNamed }) => isNamed))(
  "$market, $pair, is refused for another pair",
  ({ market, text }) => {
    for (const name of ["another", "", "TRXUSD"]) {
      expect(() => markets[market].read(parseJsonTexts(text), name)).toThrow("another pair");
    }
  },
);

describe.skipIf(!hasRateRecordings)("recorded answers", () => {
  it.each<[string, (answer: unknown) => Ticker, Ticker]>([
    ["kraken-USDTUSD", (answer) => readKraken(answer, "USDTUSD"), { price: 99_966_500n }],
    ["bitstamp-BTCUSD", readBitstamp, { price: 6_447_534_500_000n, statedMs: 1_785_946_282_000 }],
    [
      "okx-BTC-USDT",
      (answer) => readOkx(answer, "BTC-USDT"),
      { price: 6_453_165_000_000n, statedMs: 1_785_946_282_963 },
    ],
    [
      "okx-ws-rows-TRX-USDT",
      (data) => readOkx({ code: "0", data }, "TRX-USDT"),
      { price: 5_797_500n, statedMs: 1_649_730_866_617 },
    ],
    ["bitfinex-tickers-BTCUSD", (answer) => readBitfinex(answer, "tBTCUSD"), { price: 738_165_000_000n }],
    [
      "gemini-USDCUSD",
      (answer) => readGemini(answer, "USDC"),
      { price: 100_013_500n, statedMs: 1_712_847_810_000, cutOffMs: 60_000 },
    ],
    [
      "coingecko-USDT",
      (answer) => readCoingecko(answer, "tether"),
      { price: 99_931_900n, statedMs: 1_791_488_055_000 },
    ],
    [
      "coingecko-BTC",
      (answer) => readCoingecko(answer, "bitcoin"),
      { price: 6_443_200_000_000n, statedMs: 1_785_946_180_000 },
    ],
    [
      "coingecko-docsample-BTC",
      (answer) => readCoingecko(answer, "bitcoin"),
      { price: 6_718_733_589_365n, statedMs: 1_711_356_300_000 },
    ],
  ])("%s is read, digit for digit", (name, read, ticker) => {
    expect(read(recorded(name))).toEqual(ticker);
  });

  it.each<[string, (answer: unknown) => Ticker]>([
    ["kraken-error-unknown-pair", (answer) => readKraken(answer, "USDTUSD")],
    ["kraken-error-rate-limit", (answer) => readKraken(answer, "USDTUSD")],
    ["coinbase-exchange-error-unknown-product", readCoinbase],
    ["bitfinex-error-unknown-symbol", (answer) => readBitfinex(answer, "tUSTUSD")],
    ["bitfinex-error-rate-limit", (answer) => readBitfinex(answer, "tUSTUSD")],
    ["coingecko-error-rate-limit", (answer) => readCoingecko(answer, "tether")],
    ["binance-error-unknown-symbol", (answer) => readBinance(answer, "USDTUSD")],
    ["okx-error-unknown-instrument", (answer) => readOkx(answer, "USDT-USD")],
    ["gemini-error-unknown-symbol", (answer) => readGemini(answer, "USDT")],
    ["gemini-error-rate-limit", (answer) => readGemini(answer, "USDT")],
  ])("%s is a refusal, for any HTTP status", (name, read) => {
    expect(() => read(recorded(name))).toThrow(SourceRefusal);
  });

  it("of another pair or endpoint are refused", () => {
    expect(() => readKraken(recorded("kraken-USDTUSD"), "TRXUSD")).toThrow("another pair");
    expect(() => readOkx(recorded("okx-BTC-USDT"), "USDT-USD")).toThrow("another pair");
    expect(() => readBitfinex(recorded("bitfinex-tickers-BTCUSD"), "tUSTUSD")).toThrow("another pair");
    expect(() => readBitfinex(recorded("bitfinex-trades-ETHUSD"), "tUSTUSD")).toThrow("another pair");
    expect(() => readBinance(recorded("binance-docsample-LTCBTC"), "LTCBTC")).toThrow("the bid is no price");
    expect(() => readCoinbase(recorded("coinbase-exchange-BTC-USD"))).toThrow("the bid is no price");
    expect(() => readBinance(recorded("binance-list-with-TRXUSDT"), "TRXUSDT")).toThrow(AnswerError);
    expect(() => readGemini(recorded("gemini-USDCUSD"), "USDT")).toThrow("another pair");
    expect(() => readCoingecko(recorded("coingecko-USDT"), "tron")).toThrow(AnswerError);
  });
});

describe("an answer with status 200", () => {
  it("of Kraken has one pair, under Kraken's own name", () => {
    const book = { a: ["0.3128"], b: ["0.3126"] };
    const read = (result: object, pair: string) => readKraken(json({ error: [], result }), pair).price;
    for (const key of ["TRXUSD", "XTRXZUSD", "TRXZUSD"]) {
      expect(read({ [key]: book }, "TRXUSD")).toBe(31_270_000n);
    }
    expect(read({ USDTEUR: book }, "USDTEUR")).toBe(31_270_000n);
    expect(() => read({ TRXUSD: book, USDTZUSD: book }, "TRXUSD")).toThrow("another pair");
    for (const key of ["TRXEUR", "TRXUSDT", "ZTRXUSD", "TRXXUSD", "USDTRX", ""]) {
      expect(() => read({ [key]: book }, "TRXUSD")).toThrow("another pair");
    }
    for (const key of ["USDTUSD", "USDTZUSD", "USDTZEUR", "USDTEURO", "ZEURZUSD", "USDTGBP"]) {
      expect(() => read({ [key]: book }, "USDTEUR")).toThrow("another pair");
    }
  });

  it("of Coinbase has the time of its book, and no price in an auction", () => {
    const book = { bids: [["0.9996", "1", 1]], asks: [["0.9998", "1", 1]], time: "2020-01-01T00:00:00Z" };
    expect(readCoinbase(json(book))).toEqual({ price: 99_970_000n, statedMs: 1_577_836_800_000 });
    expect(() => readCoinbase(json({ ...book, auction_mode: true }))).toThrow(SourceRefusal);
  });

  it("of Binance has zeros for a pair that is no longer traded, which are no price", () => {
    const dead = { symbol: "GBPUSDT", bidPrice: "0.00000000", askPrice: "0.00000000" };
    expect(() => readBinance(json(dead), "GBPUSDT")).toThrow("the bid is no price");
  });

  it("of an unknown form is refused, not guessed", () => {
    const forms = [
      null,
      true,
      "0.9996",
      [],
      {},
      { result: null },
      { data: [{}] },
      [["tUSTUSD"]],
      { tether: {} },
    ];
    const readers: ((answer: unknown) => Ticker)[] = [
      (answer) => readKraken(answer, "USDTUSD"),
      readCoinbase,
      readBitstamp,
      (answer) => readOkx(answer, "USDT-USD"),
      (answer) => readBitfinex(answer, "tUSTUSD"),
      (answer) => readBinance(answer, "USDTUSD"),
      (answer) => readGemini(answer, "USDT"),
      (answer) => readCoingecko(answer, "tether"),
    ];
    for (const read of readers) {
      for (const form of forms) expect(() => read(json(form))).toThrow(AnswerError);
    }
  });

  it("with an invalid time is refused", () => {
    const book = { bid: "0.9996", ask: "0.9998" };
    for (const timestamp of ["", "soon", "-1", "1785946282963", "1e9", null]) {
      expect(() => readBitstamp(json({ ...book, timestamp }))).toThrow("its time");
    }
  });
});
