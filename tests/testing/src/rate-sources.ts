import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  type Asset,
  assets,
  type Currency,
  currencies,
  type MarketName,
  perCurrency,
} from "@daric/domain/asset";
import { pairOf } from "@daric/rates/sources";

const DIRECTORY = fileURLToPath(new URL("../../../../shared/fixtures/rates/", import.meta.url));

/** Recorded responses of the markets are kept beside the repository. */
export const hasRateRecordings = existsSync(DIRECTORY);

export function readRateRecording(name: string): string {
  return readFileSync(`${DIRECTORY}${name}.json`, "utf8");
}

/** A fault in place of a response. */
export type SourceFault =
  | "hang"
  | "drip"
  | "endless"
  | "status_500"
  | "status_429"
  | "redirect"
  | "html"
  | "truncated"
  | "refused"
  | "wrong_pair"
  | "no_price";

/** A market's response until it is changed. */
export type MarketState = {
  /** bid and ask in the pair's quote currency, as decimals */
  prices: Partial<Record<Currency, readonly [bid: string, ask: string]>>;
  fault?: SourceFault | undefined;
  /** the error of its clock */
  clockOffMs?: number;
  /** the header `Age` of a cache in front of it */
  age?: string;
};

/** Markets on 127.0.0.1, each with its own response format. */
export type RateSources = {
  readonly addresses: Readonly<Record<MarketName, string>>;
  setState(market: MarketName, state: Partial<MarketState>): void;
  /** number of calls */
  readonly calls: Map<MarketName, number>;
  /** the `user-agent` of each call */
  readonly callers: Set<string | undefined>;
  stop(): Promise<void>;
};

/** `name` is that of the pair at the market. */
type Quote = { readonly name: string; readonly bid: string; readonly ask: string; readonly ms: number };

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const MINUTE_MS = 60_000;
const A_TRADE_LONG_AGO = "2026-08-13T04:08:53.281522458Z";

/** Responses in the recorded format with these prices. */
const answers: Readonly<Record<MarketName, (quote: Quote) => string>> = {
  kraken: ({ name, bid, ask }) =>
    `{"error":[],"result":{"${name}USD":{"a":["${ask}","1","1.000"],"b":["${bid}","1","1.000"],"c":["${bid}","5.1"],"t":[1,2]}}}`,
  coinbase: ({ bid, ask }) =>
    `{"ask":"${ask}","bid":"${bid}","volume":"6271.6","trade_id":1069846848,"price":"${ask}","size":"0.1","time":"${A_TRADE_LONG_AGO}"}`,
  bitstamp: ({ bid, ask, ms }) =>
    `{"timestamp":"${seconds(ms)}","open":"1","last":"${bid}","bid":"${bid}","ask":"${ask}","side":"0"}`,
  okx: ({ name, bid, ask, ms }) =>
    `{"code":"0","msg":"","data":[{"instType":"SPOT","instId":"${name}","last":"${bid}","askPx":"${ask}","bidPx":"${bid}","ts":"${ms}"}]}`,
  bitfinex: ({ name, bid, ask }) =>
    `[["${name}",${bid},38.644979070000005,${ask},32.1,1e-08,0.0175,${bid},1.5,${ask},${bid}]]`,
  binance: ({ name, bid }) => `{"symbol":"${name}","price":"${bid}"}`,
  gemini: ({ name, bid, ask, ms }) =>
    `{"bid":"${bid}","ask":"${ask}","last":"${bid}","volume":{"${name}":"2444794.7","USD":"2445430.3","timestamp":${ms - (ms % MINUTE_MS)}}}`,
  coingecko: ({ name, bid, ms }) => `{"${name}":{"usd":${bid},"last_updated_at":${seconds(ms)}}}`,
};

/** Refusals, as recorded with status 200 or assumed. */
const refusals: Readonly<Record<MarketName, string>> = {
  kraken: '{"error":["EGeneral:Too many requests"]}',
  coinbase: '{"message":"NotFound"}',
  bitstamp: '{"status":"error","reason":"no such pair","code":"400.002"}',
  okx: '{"code":"51001","msg":"Instrument ID does not exist.","data":[]}',
  bitfinex: '["error",10020,"symbol: invalid"]',
  binance: '{"code":-1121,"msg":"Invalid symbol."}',
  gemini: '{"result":"error","reason":"Bad Request","message":"not a valid symbol"}',
  coingecko: '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit."}}',
};

const names = Object.keys(answers) as MarketName[];
const HTML = "<!doctype html><title>Just a moment...</title>";
const DRIP_MS = 200;
const RETRY_AFTER_SECONDS = 7;

const usualPrices: MarketState["prices"] = perCurrency((currency) =>
  assets[currency].isPegged ? ["0.99966", "0.99968"] : ["0.3126", "0.3128"],
);

/** Starts markets that all report `prices`. */
export async function startRateSources(prices = usualPrices): Promise<RateSources> {
  const states = new Map(names.map((name) => [name, { prices } as MarketState]));
  const calls = new Map<MarketName, number>();
  const callers = new Set<string | undefined>();
  const server = createServer((request, response) => {
    const [, name = "", path] = /^\/(\w+)(\/.+)$/.exec(request.url ?? "") ?? [];
    const market = names.find((known) => known === name);
    const state = market && states.get(market);
    const currency = market && currencies.find((code) => pairOf(market, code)?.path === path);
    if (market === undefined || state === undefined || currency === undefined) {
      response.writeHead(404).end();
      return;
    }
    callers.add(request.headers["user-agent"]);
    calls.set(market, (calls.get(market) ?? 0) + 1);
    answerAs(market, { state, currency, response });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    addresses: Object.fromEntries(names.map((name) => [name, `${base}/${name}`])) as RateSources["addresses"],
    setState: (market, state) => {
      states.set(market, { ...(states.get(market) ?? { prices }), ...state });
    },
    calls,
    callers,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type RateRequest = {
  readonly state: MarketState;
  readonly currency: Currency;
  readonly response: ServerResponse;
};

function answerAs(market: MarketName, { state, currency, response }: RateRequest): void {
  const { prices, fault, clockOffMs = 0, age } = state;
  if (age !== undefined) response.setHeader("age", age);
  const pairs: Asset["prices"] = assets[currency].prices;
  const name = fault === "wrong_pair" ? "another" : (pairs[market]?.name ?? "");
  const [bid, ask] = prices[currency] ?? ["0", "0"];
  const body = answers[market]({ name, bid, ask, ms: Date.now() + clockOffMs });
  if (fault === undefined || fault === "wrong_pair") send(response, body);
  else faults[fault](response, { market, body });
}

function send(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

type Faulty = (response: ServerResponse, given: { market: MarketName; body: string }) => void;

const faults: Readonly<Record<Exclude<SourceFault, "wrong_pair">, Faulty>> = {
  hang: () => {},
  drip: (response, { body }) => {
    let at = 0;
    const timer = setInterval(() => {
      response.write(body[at] ?? " ");
      at += 1;
    }, DRIP_MS);
    response.on("close", () => clearInterval(timer));
  },
  endless: (response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(" ".repeat(16 * 1024)));
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
  },
  status_500: (response, { market }) => send(response, refusals[market], 500),
  status_429: (response) => {
    response.writeHead(429, { "retry-after": String(RETRY_AFTER_SECONDS) }).end("{}");
  },
  redirect: (response, { market }) => {
    response.writeHead(302, { location: `/${market}/elsewhere` }).end();
  },
  html: (response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(HTML);
  },
  truncated: (response, { body }) => {
    response.writeHead(200, { "content-length": body.length }).write(body.slice(0, body.length / 2));
    setTimeout(() => response.destroy(), DRIP_MS / 10);
  },
  refused: (response, { market }) => send(response, refusals[market]),
  no_price: (response, { body }) => send(response, body.replaceAll(/\d+\.\d+/g, "NaN")),
};
