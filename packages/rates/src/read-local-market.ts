import { AnswerError, readList, readObject } from "@daric/chain/blocks/read-json";
import { readMiddle, readPrice } from "./price.ts";
import { bestOf, firstIn, rowNamed } from "./read-row.ts";
import { refuse, type Ticker } from "./read-ticker.ts";
import { readIsoTime, readMilliseconds } from "./read-time.ts";

const COIN = "Usdt";

/** `{ bids: [[price, size], …], asks }`; it names neither its pair nor its time. */
export function readCoinjar(answer: unknown): Ticker {
  const { bids, asks, error_messages: messages } = readObject(answer, "the answer");
  if (messages !== undefined) refuse(firstIn(messages));
  return { price: readMiddle(bestOf(bids), bestOf(asks)) };
}

/** `{ PrimaryCurrencyCode: "Usdt", SecondaryCurrencyCode, CurrentHighestBidPrice, … }` with the answer's time in ISO 8601. */
export function readIndependentreserve(answer: unknown, currency: string): Ticker {
  const summary = readObject(answer, "the answer");
  if (summary.Message !== undefined) refuse(summary.Message);
  const isPair = summary.PrimaryCurrencyCode === COIN && summary.SecondaryCurrencyCode === currency;
  if (!isPair) throw new AnswerError("the answer is of another pair");
  return {
    price: readMiddle(summary.CurrentHighestBidPrice, summary.CurrentLowestOfferPrice),
    statedMs: readIsoTime(summary.CreatedTimestampUtc),
  };
}

/** `{ success: true, data: [{ pair, bid, ask, timestamp }] }` with the answer's time in milliseconds. */
export function readBtcturk(answer: unknown, pair: string): Ticker {
  const { success, message, code, data } = readObject(answer, "the answer");
  if (success !== true) refuse(message ?? code);
  const { bid, ask, timestamp } = rowNamed(data, "pair", pair);
  return { price: readMiddle(bid, ask), statedMs: readMilliseconds(timestamp) };
}

/** `{ USDT_TL: { highestBid, lowestAsk }, … }` of all pairs, without a time. */
export function readParibu(answer: unknown, pair: string): Ticker {
  const { [pair]: row, message } = readObject(answer, "the answer");
  if (message !== undefined) refuse(message);
  if (row === undefined) throw new AnswerError("the answer is of another pair");
  const { highestBid, lowestAsk } = readObject(row, pair);
  return { price: readMiddle(highestBid, lowestAsk) };
}

/** `{ data: [{ market_symbol, best: { bid: { price }, ask: { price } } }, …] }` of all pairs; only the last trade has a time. */
export function readFoxbit(answer: unknown, symbol: string): Ticker {
  const { data, error } = readObject(answer, "the answer");
  if (error !== undefined) refuse(error);
  const { bid, ask } = readObject(rowNamed(data, "market_symbol", symbol).best, "best");
  return { price: readMiddle(readObject(bid, "the bid").price, readObject(ask, "the ask").price) };
}

/** `[{ pair, buy, sell, date }]`; the date is that of the last change, which may be minutes ago. */
export function readMercadobitcoin(answer: unknown, pair: string): Ticker {
  if (!Array.isArray(answer)) {
    const { code, message } = readObject(answer, "the answer");
    refuse(message ?? code);
  }
  const { buy, sell } = rowNamed(answer, "pair", pair);
  return { price: readMiddle(buy, sell) };
}

/** `{ status: "0000", data: { order_currency, payment_currency, timestamp, bids: [{ price }, …], asks } }`, in milliseconds. */
export function readBithumb(answer: unknown, pair: string): Ticker {
  const { status, message, data } = readObject(answer, "the answer");
  if (status !== "0000") refuse(message ?? status);
  const {
    order_currency: coin,
    payment_currency: currency,
    timestamp,
    bids,
    asks,
  } = readObject(data, "data");
  if ([coin, currency].join("_") !== pair) throw new AnswerError("data is of another pair");
  return { price: readMiddle(bestPriceOf(bids), bestPriceOf(asks)), statedMs: readMilliseconds(timestamp) };
}

/** `{ result: "success", tickers: [{ quote_currency, target_currency, timestamp, best_bids: [{ price }], best_asks }] }`, in milliseconds. */
export function readCoinone(answer: unknown, pair: string): Ticker {
  const { result, error_msg: message, error_code: code, tickers } = readObject(answer, "the answer");
  if (result !== "success") refuse(message ?? code);
  const [first, ...others] = readList(tickers, "tickers");
  const { quote_currency: currency, target_currency: coin, ...ticker } = readObject(first, "tickers");
  // It answers in lower case, and takes both.
  const isPair = [currency, coin].join("/").toUpperCase() === pair;
  if (!isPair || others.length > 0) throw new AnswerError("tickers are of another pair");
  return {
    price: readMiddle(bestPriceOf(ticker.best_bids), bestPriceOf(ticker.best_asks)),
    statedMs: readMilliseconds(ticker.timestamp),
  };
}

/** `[{ market, trade_price, timestamp }]`: the last trade's price, and the time of the last change in milliseconds. */
export function readUpbit(answer: unknown, market: string): Ticker {
  if (!Array.isArray(answer)) {
    const { error } = readObject(answer, "the answer");
    refuse(error);
  }
  const { trade_price: price, timestamp } = rowNamed(answer, "market", market);
  return { price: readPrice(price, "the price"), statedMs: readMilliseconds(timestamp) };
}

function bestPriceOf(levels: unknown): unknown {
  return readObject(firstIn(levels), "the best level").price;
}
