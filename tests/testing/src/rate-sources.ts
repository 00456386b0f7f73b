import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { assets } from "@daric/domain/asset";
import type { LocalCurrency } from "@daric/domain/fiat";
import type { MarketName, Quotation } from "@daric/domain/market";
import { allPriced, isCoin, type Priced, pairOf, pairsOf } from "@daric/rates/sources";

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
  prices: Partial<Record<Priced, readonly [bid: string, ask: string]>>;
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
/** TrueFX splits a price before its last three digits. It has three decimals from 10 on, and five below. */
const splitPrice = (price: string): string => {
  const [whole = "", fraction = ""] = price.split(".");
  const decimals = whole.length > 1 ? 3 : 5;
  const digits = fraction.padEnd(decimals, "0").slice(0, decimals);
  return `${whole}.${digits.slice(0, -3)},${digits.slice(-3)}`;
};
const iso = (ms: number): string => new Date(ms).toISOString();

/** Responses in the recorded format with these prices. */
const answers: Readonly<Record<MarketName, (quote: Quote) => string>> = {
  kraken: ({ name, bid, ask }) =>
    `{"error":[],"result":{"${name}":{"a":["${ask}","1","1.000"],"b":["${bid}","1","1.000"],"c":["${bid}","5.1"],"t":[1,2]}}}`,
  coinbase: ({ bid, ask, ms }) =>
    `{"bids":[["${bid}","1200",1]],"asks":[["${ask}","12782.39",2]],"sequence":1023102151,"auction_mode":false,"auction":null,"time":"${iso(ms)}"}`,
  bitstamp: ({ bid, ask, ms }) =>
    `{"timestamp":"${seconds(ms)}","open":"1","last":"${bid}","bid":"${bid}","ask":"${ask}","side":"0"}`,
  okx: ({ name, bid, ask, ms }) =>
    `{"code":"0","msg":"","data":[{"instType":"SPOT","instId":"${name}","last":"${bid}","askPx":"${ask}","bidPx":"${bid}","ts":"${ms}"}]}`,
  bitfinex: ({ name, bid, ask }) =>
    `[["${name}",${bid},38.644979070000005,${ask},32.1,1e-08,0.0175,${bid},1.5,${ask},${bid}]]`,
  binance: ({ name, bid, ask }) =>
    `{"symbol":"${name}","bidPrice":"${bid}","bidQty":"34186.3","askPrice":"${ask}","askQty":"197194.0"}`,
  gemini: ({ name, bid, ask, ms }) =>
    `{"bid":"${bid}","ask":"${ask}","last":"${bid}","volume":{"${name}":"2444794.7","USD":"2445430.3","timestamp":${ms - (ms % MINUTE_MS)}}}`,
  coingecko: ({ name, bid, ms }) => `{"${name}":{"usd":${bid},"last_updated_at":${seconds(ms)}}}`,
  bithumb: ({ name, bid, ask, ms }) => {
    const [coin, currency] = name.split("_");
    return `{"status":"0000","data":{"timestamp":"${ms}","payment_currency":"${currency}","order_currency":"${coin}","bids":[{"price":"${bid}","quantity":"1.5"}],"asks":[{"price":"${ask}","quantity":"2.5"}]}}`;
  },
  btcturk: ({ name, bid, ask, ms }) =>
    `{"data":[{"pair":"${name}","timestamp":${ms},"last":"${bid}","bid":"${bid}","ask":"${ask}","order":2000}],"success":true,"message":null,"code":0}`,
  coinjar: ({ bid, ask }) =>
    `{"asks":[["${ask}","686.922540"],["999999","1.0"]],"bids":[["${bid}","1689.217877"],["0.0001","1.0"]]}`,
  coinone: ({ name, bid, ask, ms }) => {
    const [currency, coin] = name.toLowerCase().split("/");
    return `{"result":"success","error_code":"0","server_time":${ms},"tickers":[{"quote_currency":"${currency}","target_currency":"${coin}","timestamp":${ms},"last":"${bid}","best_asks":[{"price":"${ask}","qty":"2.5"}],"best_bids":[{"price":"${bid}","qty":"1.5"}]}]}`;
  },
  foxbit: ({ name, bid, ask }) =>
    `{"data":[{"market_symbol":"btcbrl","best":{"ask":{"price":"397400.0"},"bid":{"price":"397300.0"}}},{"market_symbol":"${name}","last_trade":{"price":"${bid}"},"best":{"ask":{"price":"${ask}"},"bid":{"price":"${bid}"}}}]}`,
  gmo: ({ name, bid, ask, ms }) =>
    `{"status":0,"data":[{"symbol":"${name}","ask":"${ask}","bid":"${bid}","timestamp":"${iso(ms)}","status":"OPEN"},{"symbol":"ZAR_JPY","ask":"9.761","bid":"9.751","timestamp":"${iso(ms)}","status":"OPEN"}],"responsetime":"${iso(ms)}"}`,
  independentreserve: ({ name, bid, ask, ms }) =>
    `{"CurrentLowestOfferPrice":"${ask}","CurrentHighestBidPrice":"${bid}","LastPrice":"${bid}","PrimaryCurrencyCode":"Usdt","SecondaryCurrencyCode":"${name}","CreatedTimestampUtc":"${iso(ms)}"}`,
  mercadobitcoin: ({ name, bid, ask, ms }) =>
    `[{"pair":"${name}","last":"${bid}","buy":"${bid}","sell":"${ask}","date":${seconds(ms)}}]`,
  paribu: ({ name, bid, ask }) =>
    `{"BTC_TL":{"lowestAsk":"4100001.0","highestBid":"4100000.0"},"${name}":{"chartData":[],"lowestAsk":"${ask}","highestBid":"${bid}","last":"${bid}"}}`,
  swissquote: ({ bid, ask, ms }) =>
    `[{"topo":{"platform":"AT","server":"AT"},"spreadProfilePrices":[{"spreadProfile":"standard","bid":"${bid}","ask":"${ask}"}],"ts":${ms}}]`,
  truefx: ({ name, bid, ask, ms }) =>
    `${name},${ms},${splitPrice(bid)},${splitPrice(ask)},${bid},${ask},${bid}\n`,
  upbit: ({ name, bid, ms }) =>
    `[{"market":"${name}","trade_price":"${bid}","prev_closing_price":"${bid}","timestamp":${ms}}]`,
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
  bithumb: '{"status":"5500","message":"상장 코인 아님"}',
  btcturk: '{"success":false,"message":"INVALID_REQUEST_ERROR","code":1037}',
  coinjar: '{"error_type":"NOT_FOUND","error_messages":["Record not found."]}',
  coinone: '{"result":"error","error_code":"108","error_msg":"Unknown CryptoCurrency"}',
  foxbit: '{"error":{"message":"Too many requests.","code":429,"details":"Request limit exceeded"}}',
  gmo: '{"status":5,"messages":[{"message_code":"ERR-5201","message_string":"MAINTENANCE. Please wait for a while"}]}',
  independentreserve: '{"ErrorCode":"ValidationError","Message":"Invalid Secondary Currency Code"}',
  mercadobitcoin: '{"code":"API|ROUTE_NOT_FOUND","message":"This route not found"}',
  paribu: '{"message":"Internal Server Error","code":5001}',
  swissquote: "[]",
  truefx: "\n",
  upbit: '{"error":{"name":404,"message":"Code not found"}}',
};

const names = Object.keys(answers) as MarketName[];
const HTML = "<!doctype html><title>Just a moment...</title>";
const DRIP_MS = 200;
const RETRY_AFTER_SECONDS = 7;

/** Units of a currency for 1 USD; for 1 USDT it is a little less. */
const PER_DOLLAR: Partial<Record<LocalCurrency, number>> = {
  AUD: 1.5237,
  BRL: 5.3412,
  CAD: 1.3974,
  CHF: 0.8043,
  EUR: 0.8613,
  GBP: 0.7551,
  JPY: 156.37,
  KRW: 1468.3,
  TRY: 42.43,
};
const PER_TETHER: Readonly<Record<Quotation, (perDollar: number) => number>> = {
  "coin/USD": () => 0,
  "coin/USDT": () => 0,
  "USDT/fiat": (perDollar) => perDollar * 0.99967,
  "USD/fiat": (perDollar) => perDollar,
  "fiat/USD": (perDollar) => 1 / perDollar,
};

/** The usual book of a pair in its own quotation. */
function usualBook(market: MarketName, priced: Priced): readonly [bid: string, ask: string] {
  if (isCoin(priced)) return assets[priced].isPegged ? ["0.99966", "0.99968"] : ["0.3126", "0.3128"];
  const quotation = pairsOf(priced)[market]?.quotation ?? "USDT/fiat";
  const middle = PER_TETHER[quotation](PER_DOLLAR[priced] ?? 1);
  return [(middle * 0.9999).toFixed(5), (middle * 1.0001).toFixed(5)];
}

/** Starts markets that report the usual prices. */
export async function startRateSources(): Promise<RateSources> {
  const states = new Map(names.map((name) => [name, { prices: {} } as MarketState]));
  const calls = new Map<MarketName, number>();
  const callers = new Set<string | undefined>();
  const server = createServer((request, response) => {
    const [, name = "", path] = /^\/(\w+)(\/.+)$/.exec(request.url ?? "") ?? [];
    const market = names.find((known) => known === name);
    const state = market && states.get(market);
    const priced = market && allPriced.filter((code) => pairOf(market, code)?.path === path);
    if (market === undefined || state === undefined || priced === undefined || priced.length === 0) {
      response.writeHead(404).end();
      return;
    }
    callers.add(request.headers["user-agent"]);
    calls.set(market, (calls.get(market) ?? 0) + 1);
    answerAs(market, { state, priced, response });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    addresses: Object.fromEntries(names.map((name) => [name, `${base}/${name}`])) as RateSources["addresses"],
    setState: (market, state) => {
      states.set(market, { ...(states.get(market) ?? { prices: {} }), ...state });
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
  /** several where one answer has all pairs of a market */
  readonly priced: readonly Priced[];
  readonly response: ServerResponse;
};

function answerAs(market: MarketName, { state, priced, response }: RateRequest): void {
  const { prices, fault, clockOffMs = 0, age } = state;
  if (age !== undefined) response.setHeader("age", age);
  const bodies = priced.map((code) => {
    const name = fault === "wrong_pair" ? "another" : (pairsOf(code)[market]?.name ?? "");
    const [bid, ask] = prices[code] ?? usualBook(market, code);
    return answers[market]({ name, bid, ask, ms: Date.now() + clockOffMs });
  });
  const body = bodies.length === 1 ? (bodies[0] ?? "") : joined(bodies);
  if (fault === undefined || fault === "wrong_pair") send(response, body);
  else faults[fault](response, { market, body });
}

/** The rows of several answers in one list `data`. */
function joined(bodies: readonly string[]): string {
  const parsed = bodies.map((body) => JSON.parse(body) as { readonly data: readonly { symbol?: string }[] });
  const rows = parsed.flatMap(({ data }, index) => (index === 0 ? data : data.slice(0, 1)));
  return JSON.stringify({ ...parsed[0], data: rows });
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
  no_price: (response, { body }) => send(response, body.replaceAll(/\d+\.\d*/g, "NaN")),
};
