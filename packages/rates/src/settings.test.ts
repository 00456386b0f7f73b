import { fiatCurrencies, localCurrencies } from "@daric/domain/fiat";
import { roles } from "@daric/runtime/setting";
import { readConfig } from "@daric/server/process/config";
import { testEnvironment } from "@daric/testing/context";
import { describe, expect, it } from "vitest";
import { fiatMarkets } from "./fiat-markets.ts";
import {
  allPriced,
  defaultMarkets,
  pairOf,
  perPriced,
  priceableOf,
  sourcesFor,
  sourcesOf,
} from "./sources.ts";

function chosen(text: string, network = "mainnet") {
  const { chain, rates } = readConfig(testEnvironment({ TRON_NETWORK: network, RATE_SOURCES: text }), roles);
  return sourcesOf(chain.network, rates.sources);
}

function faultOf(text: string, network?: string): string {
  try {
    chosen(text, network);
  } catch (error) {
    return String((error as Error).message);
  }
  return "";
}

describe("RATE_SOURCES", () => {
  it("defaults to three markets per price, and to the devnet's own source on the devnet", () => {
    for (const network of ["mainnet", "nile", "shasta"]) expect(chosen("", network)).toEqual(defaultMarkets);
    expect(chosen("", "devnet")).toEqual(perPriced(() => ["devnet"]));
    for (const priced of allPriced) expect([0, 1, 2]).not.toContain(defaultMarkets[priced].length || 3);
  });

  it("prices USD, and each currency with three sources; on the devnet all", () => {
    expect(priceableOf(chosen(""))).toEqual([
      ...["USD", "AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "JPY", "KRW", "TRY"],
    ]);
    expect(priceableOf(chosen("", "devnet"))).toEqual(fiatCurrencies);
    expect(chosen("EUR=coinbase+kraken+okx").EUR).toEqual(["coinbase", "kraken", "okx"]);
    expect(faultOf("EUR=coinbase+kraken")).toContain("must name three sources at least for EUR");
    expect(faultOf("NGN=kraken+okx+coinbase")).toBe('RATE_SOURCES names "kraken" for NGN; there are devnet');
  });

  it("names sources by currency; a missing currency keeps its default", () => {
    expect(chosen("USDT=okx+kraken+gemini")).toEqual({
      ...defaultMarkets,
      USDT: ["gemini", "kraken", "okx"],
    });
    expect(chosen(" TRX = okx + binance , USDT = kraken + okx ")).toEqual({
      ...defaultMarkets,
      USDT: ["kraken", "okx"],
      TRX: ["binance", "okx"],
    });
  });

  it("refuses an unknown source of a currency, and lists the known ones", () => {
    expect(faultOf("USDT=kraken+krakn")).toBe(
      'RATE_SOURCES names "krakn" for USDT; there are binance, bitfinex, bitstamp, coinbase, coingecko, devnet, gemini, kraken, okx',
    );
    expect(faultOf("TRX=kraken+coinbase")).toBe(
      'RATE_SOURCES names "coinbase" for TRX; there are binance, bitfinex, coingecko, devnet, kraken, okx',
    );
    expect(faultOf("USDT=kraken+")).toContain('names "" for USDT');
  });

  it("refuses one source twice", () => {
    expect(faultOf("USDT=kraken+okx+kraken")).toContain("two prices of one company are one opinion");
  });

  it("refuses fewer than two sources, except the devnet's own", () => {
    expect(faultOf("USDT=kraken")).toContain("must name two sources at least for USDT");
    expect(faultOf("USDT=kraken", "devnet")).toContain("must name two sources at least for USDT");
    expect(faultOf("TRX=devnet", "devnet")).toBe("");
  });

  it("refuses the devnet's source on real networks and beside markets", () => {
    expect(faultOf("USDT=devnet", "nile")).toBe(
      "RATE_SOURCES may name devnet on the devnet alone, not on nile",
    );
    expect(faultOf("USDT=devnet+kraken", "mainnet")).toContain("not on mainnet");
    expect(faultOf("USDT=devnet+kraken", "devnet")).toContain("must name devnet alone for USDT");
  });

  it.each(["kraken", "USDT", "XYZ=kraken+okx", "USDT:kraken+okx", "usdt=kraken+okx", "USDT=kraken;okx"])(
    "%j is refused with an example",
    (text) => {
      expect(faultOf(text)).toMatch(/^RATE_SOURCES (must look like USDT=bitstamp\+|names ")/);
    },
  );

  it("refuses a currency twice", () => {
    expect(faultOf("USDT=kraken+okx,USDT=gemini+okx")).toContain("names the sources of USDT twice");
  });
});

describe("a source", () => {
  it.each(allPriced)("of %s has an endpoint for it", (priced) => {
    for (const name of sourcesFor(priced)) expect(pairOf(name, priced)?.path).toMatch(/^\/[^ ]+$/);
  });

  it("of a currency with a parallel rate has a market of USDT in it, and no exchange rate", () => {
    for (const code of localCurrencies)
      if (fiatMarkets[code].isDirectOnly)
        for (const name of defaultMarkets[code]) expect(pairOf(name, code)?.quotation).toBe("USDT/fiat");
    expect(["ARS", "EGP", "LBP", "NGN"].every((code) => fiatMarkets[code as "NGN"].isDirectOnly)).toBe(true);
  });

  it("that quotes an exchange rate is judged by its own time stamp", () => {
    const stamped = localCurrencies.flatMap((code) =>
      defaultMarkets[code].filter((name) => pairOf(name, code)?.isStamped).map((name) => `${code} ${name}`),
    );
    expect(stamped).toEqual([
      ...["AUD gmo", "AUD truefx", "CAD swissquote", "CAD truefx", "CHF swissquote", "CHF truefx"],
      ...["EUR swissquote", "EUR truefx", "GBP swissquote", "GBP truefx"],
      ...["JPY gmo", "JPY swissquote", "JPY truefx"],
    ]);
  });

  it("that prices TRX in USDT is the only such default, so that a TRX rate never depends on USDT alone", () => {
    const inUsdt = defaultMarkets.TRX.filter((name) => pairOf(name, "TRX")?.quotation === "coin/USDT");
    expect(inUsdt).toEqual(["okx"]);
    expect(defaultMarkets.USDT.every((name) => pairOf(name, "USDT")?.quotation === "coin/USD")).toBe(true);
  });
});
