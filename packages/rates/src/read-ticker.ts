import { AnswerError, type JsonObject, readObject } from "@daric/chain/blocks/read-json";
import { readMiddle, readPrice } from "./price.ts";
import { bestOf, firstIn } from "./read-row.ts";
import { readIsoTime, readMilliseconds, readSeconds } from "./read-time.ts";

/** A source's answer before it is checked. `parseJsonTexts` read its JSON: every number is a text. */
export type Ticker = {
  /** in 10^-8 of the pair's quote currency */
  readonly price: bigint;
  /** when the source made the answer, in ms since 1970; undefined if it does not state it (a last trade's time is not it) */
  readonly statedMs?: number;
  /** how much later the answer may be, if the source cuts its time off */
  readonly cutOffMs?: number;
};

/** A source's own error message, whatever the HTTP status. */
export class SourceRefusal extends AnswerError {}

const QUOTED_CHARS = 120;
const MINUTE_MS = 60_000;

/** `{ error: [], result: { USDTZUSD: { a: [ask], b: [bid] } } }`; the key is Kraken's own name of the pair. */
export function readKraken(answer: unknown, pair: string): Ticker {
  const { error, result } = readObject(answer, "the answer");
  if (!Array.isArray(error) || error.length > 0) refuse(error);
  const [key = "", ...others] = Object.keys(readObject(result, "result"));
  // Kraken's older names have an X before a coin and a Z before USD.
  const names = [pair, pair.replace(/USD$/, "ZUSD")].flatMap((name) => [name, `X${name}`]);
  if (others.length > 0 || !names.includes(key)) throw new AnswerError("result is of another pair");
  const { a, b } = readObject((result as JsonObject)[key], "result");
  return { price: readMiddle(firstIn(b), firstIn(a)) };
}

/** `{ bids: [[price, size, orders]], asks, auction_mode, time }` with the time of the book's last change; it does not name its pair. */
export function readCoinbase(answer: unknown): Ticker {
  const { bids, asks, time, auction_mode: isAuction, message } = readObject(answer, "the answer");
  if (message !== undefined) refuse(message);
  if (isAuction === true) refuse("the market is in an auction");
  return { price: readMiddle(bestOf(bids), bestOf(asks)), statedMs: readIsoTime(time) };
}

/** `{ bid, ask, timestamp }` with the answer's time in seconds. */
export function readBitstamp(answer: unknown): Ticker {
  const { bid, ask, timestamp, status, code, reason } = readObject(answer, "the answer");
  if (status === "error" || code !== undefined) refuse(reason ?? code);
  return { price: readMiddle(bid, ask), statedMs: readSeconds(timestamp) };
}

/** `{ code: "0", data: [{ instId, bidPx, askPx, ts }] }` with the answer's time in milliseconds. */
export function readOkx(answer: unknown, instrument: string): Ticker {
  const { code, msg, data } = readObject(answer, "the answer");
  if (code !== "0") refuse(msg ?? code);
  const rows: readonly unknown[] = Array.isArray(data) ? data : [];
  const { instId, bidPx, askPx, ts } = readObject(rows[0], "data");
  if (rows.length !== 1 || instId !== instrument) throw new AnswerError("data is of another pair");
  return { price: readMiddle(bidPx, askPx), statedMs: readMilliseconds(ts) };
}

/** `[[symbol, bid, bidSize, ask, …]]`; an error is `["error", code, message]`, an unknown pair is left out. */
export function readBitfinex(answer: unknown, symbol: string): Ticker {
  if (!Array.isArray(answer)) {
    const { error } = readObject(answer, "the answer");
    refuse(error);
  }
  const rows: readonly unknown[] = answer;
  if (rows[0] === "error") refuse(rows[2]);
  const row = rows.find((row) => Array.isArray(row) && row[0] === symbol);
  if (!Array.isArray(row)) throw new AnswerError("the answer is of another pair");
  const [, bid, , ask]: readonly unknown[] = row;
  return { price: readMiddle(bid, ask) };
}

/** `{ symbol, bidPrice, askPrice }`; a pair that is no longer traded has zeros. */
export function readBinance(answer: unknown, pair: string): Ticker {
  const { symbol, bidPrice, askPrice, code, msg } = readObject(answer, "the answer");
  if (code !== undefined) refuse(msg ?? code);
  if (symbol !== pair) throw new AnswerError("the answer is of another pair");
  return { price: readMiddle(bidPrice, askPrice) };
}

/** `{ bid, ask, volume: { USDT, USD, timestamp } }`; the time is in milliseconds, cut off at the minute. */
export function readGemini(answer: unknown, coin: string): Ticker {
  const { bid, ask, volume, result, message, reason } = readObject(answer, "the answer");
  if (result === "error") refuse(message ?? reason);
  const { timestamp, ...traded } = readObject(volume, "volume");
  if (!Object.hasOwn(traded, coin)) throw new AnswerError("the answer is of another pair");
  return { price: readMiddle(bid, ask), statedMs: readMilliseconds(timestamp), cutOffMs: MINUTE_MS };
}

/** `{ tether: { usd, last_updated_at } }` with the time in seconds. */
export function readCoingecko(answer: unknown, id: string): Ticker {
  const { [id]: coin, status, error } = readObject(answer, "the answer");
  if (status !== undefined || error !== undefined) refuse(messageOf(status) ?? error);
  const { usd, last_updated_at: updated } = readObject(coin, id);
  return { price: readPrice(usd, "usd"), statedMs: readSeconds(updated) };
}

/** `{ usdt, trx, eur }`: the local chain's rates, set by a test or a developer: USD for a coin, and units of a currency for 1 USD. */
export function readDevnetRates(answer: unknown, code: string): Ticker {
  const field = code.toLowerCase();
  return { price: readPrice(readObject(answer, "the answer")[field], field) };
}

function messageOf(status: unknown): unknown {
  return typeof status === "object" && status !== null ? (status as JsonObject).error_message : undefined;
}

/** @throws SourceRefusal with the source's message, shortened and escaped. */
export function refuse(text: unknown): never {
  throw new SourceRefusal(`refused: ${JSON.stringify(text ?? "without a reason").slice(0, QUOTED_CHARS)}`);
}
