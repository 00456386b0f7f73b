import { type Currency, currencies } from "@daric/domain/asset";
import { roles } from "@daric/runtime/setting";
import { readConfig } from "@daric/server/process/config";
import { testEnvironment } from "@daric/testing/context";
import { describe, expect, it } from "vitest";
import { defaultMarkets, pairOf, sourcesFor, sourcesOf } from "./sources.ts";

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
  it("defaults to three markets per currency, and to the devnet's own source on the devnet", () => {
    for (const network of ["mainnet", "nile", "shasta"]) expect(chosen("", network)).toEqual(defaultMarkets);
    expect(chosen("", "devnet")).toEqual({ USDT: ["devnet"], TRX: ["devnet"] });
    for (const currency of currencies) expect(defaultMarkets[currency].length).toBeGreaterThanOrEqual(3);
  });

  it("names sources by currency; a missing currency keeps its default", () => {
    expect(chosen("USDT=okx+kraken+gemini")).toEqual({
      USDT: ["gemini", "kraken", "okx"],
      TRX: defaultMarkets.TRX,
    });
    expect(chosen(" TRX = okx + binance , USDT = kraken + okx ")).toEqual({
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

  it.each(["kraken", "USDT", "EUR=kraken+okx", "USDT:kraken+okx", "usdt=kraken+okx", "USDT=kraken;okx"])(
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
  it.each(currencies)("of %s has an endpoint for it", (currency: Currency) => {
    for (const name of sourcesFor(currency)) expect(pairOf(name, currency)?.path).toMatch(/^\/[^ ]+$/);
  });

  it("that prices TRX in USDT is the only such default, so that a TRX rate never depends on USDT alone", () => {
    const inUsdt = defaultMarkets.TRX.filter((name) => pairOf(name, "TRX")?.quotedIn === "USDT");
    expect(inUsdt).toEqual(["okx"]);
    expect(defaultMarkets.USDT.every((name) => pairOf(name, "USDT")?.quotedIn === "USD")).toBe(true);
  });
});
