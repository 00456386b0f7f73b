import { AnswerError, readObject } from "@daric/chain/blocks/read-json";
import { readMiddle } from "./price.ts";
import { rowNamed } from "./read-row.ts";
import { refuse, type Ticker } from "./read-ticker.ts";
import { readIsoTime, readMilliseconds } from "./read-time.ts";

/** An exchange rate counts only with its own time: these markets rest at weekends, and then repeat their last price. */
type TimedTicker = Ticker & Required<Pick<Ticker, "statedMs">>;

/** Swissquote has several platforms with several spreads each. One of them is fixed, so that the price does not jump. */
const PLATFORM = "AT";
const PROFILE = "standard";

/** TrueFX writes pair, time, bid, points of the bid, ask, points of the ask, two bounds of the day, and its opening. */
const FIELDS = 9;
/** A price of TrueFX without its last three digits: `1.09`, or `123.` from 10 on. */
const BIG_FIGURE = /^(?:[0-9]\.[0-9]{2}|[1-9][0-9]{1,2}\.)$/;
const POINTS = /^[0-9]{3}$/;

/** `{ status: 0, data: [{ symbol, bid, ask, timestamp, status: "OPEN" }, …] }` of all pairs; the time stays fresh while it is closed. */
export function readGmo(answer: unknown, symbol: string): TimedTicker {
  const { status, messages, data } = readObject(answer, "the answer");
  if (status !== "0") refuse(messages);
  const row = rowNamed(data, "symbol", symbol);
  if (row.status !== "OPEN") refuse("the market is closed");
  return { price: readMiddle(row.bid, row.ask), statedMs: readIsoTime(row.timestamp) };
}

/** `[{ topo: { platform }, spreadProfilePrices: [{ spreadProfile, bid, ask }, …], ts }, …]`; an unlisted pair is an empty list. */
export function readSwissquote(answer: unknown): TimedTicker {
  const books: readonly unknown[] = Array.isArray(answer) ? answer : [readObject(answer, "the answer")];
  if (books.length === 0) refuse("the pair is not listed");
  const [newest] = books
    .map((book) => readObject(book, "a platform"))
    .filter(({ topo }) => readObject(topo, "topo").platform === PLATFORM)
    .map(({ ts, spreadProfilePrices: profiles }) => ({ profiles, statedMs: readMilliseconds(ts) }))
    .toSorted((one, other) => other.statedMs - one.statedMs);
  if (newest === undefined) throw new AnswerError(`the answer has no price of the platform ${PLATFORM}`);
  const { bid, ask } = rowNamed(newest.profiles, "spreadProfile", PROFILE);
  return { price: readMiddle(bid, ask), statedMs: newest.statedMs };
}

/** A line `EUR/USD,1789395502988,1.15,361,1.15,363,…` for each pair. It is CSV: the bid is 1.15361, and the time in milliseconds. */
export function readTruefx(answer: unknown, pair: string): TimedTicker {
  const text = typeof answer === "string" ? answer.trim() : "<no text>";
  if (text === "") refuse("the pair is not listed");
  const rows = text.split("\n").map((line) => line.trim().split(","));
  const [row = [], ...others] = rows.filter(([name]) => name === pair);
  if (row.length !== FIELDS || others.length > 0) throw new AnswerError("the answer is of another pair");
  const [, time, bid, bidPoints, ask, askPoints] = row;
  return {
    price: readMiddle(joined(bid, bidPoints), joined(ask, askPoints)),
    statedMs: readMilliseconds(time),
  };
}

function joined(figure = "", points = ""): string | undefined {
  return BIG_FIGURE.test(figure) && POINTS.test(points) ? figure + points : undefined;
}
