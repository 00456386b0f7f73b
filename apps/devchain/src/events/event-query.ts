import { headOf, type LocalChain, solidOf } from "../chain/chain.ts";
import type { BlockSpan, ChainEvent } from "./chain-events.ts";

/** A refused query, as TronGrid answers it. */
export class QueryRefusal extends Error {
  override readonly name = "QueryRefusal";
}

/** The page that a query wants of a list of events. */
export type EventQuery = {
  readonly span: BlockSpan;
  /** block times, both included, milliseconds */
  readonly fromMs: number;
  readonly toMs: number;
  readonly isNewestFirst: boolean;
  readonly limit: number;
  /** the last event of the page before */
  readonly after: ChainEvent["place"] | undefined;
};

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
const WHOLE = /^\d{1,15}$/;
const PLACE = /^(\d{1,15})\.(\d{1,9})\.(\d{1,9})$/;

/**
 * Reads confirmation, times, order, limit and fingerprint; `times` starts the names of the times. @throws QueryRefusal
 * for a bad value.
 */
export function readEventQuery(chain: LocalChain, query: URLSearchParams, times: string): EventQuery {
  const order = query.get("order_by") ?? "block_timestamp,desc";
  if (!/^(block_)?timestamp,(asc|desc)$/.test(order)) throw refusalOf("order_by");
  return {
    span: {
      from: query.get("only_unconfirmed") === "true" ? solidOf(chain) + 1 : 0,
      to: query.get("only_confirmed") === "true" ? solidOf(chain) : headOf(chain),
    },
    fromMs: wholeParam(query, `min_${times}`) ?? 0,
    toMs: wholeParam(query, `max_${times}`) ?? Number.POSITIVE_INFINITY,
    isNewestFirst: order.endsWith("desc"),
    limit: Math.min(MAX_LIMIT, readLimit(query)),
    after: readFingerprint(query),
  };
}

/** A whole number of the query; undefined when absent. @throws QueryRefusal for anything else. */
export function wholeParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!WHOLE.test(text)) throw refusalOf(name);
  return Number(text);
}

/** The cursor after an event. Its text means nothing to clients. */
export function pageFingerprint({ place }: ChainEvent): string {
  return Buffer.from(place.join(".")).toString("base64url");
}

function readLimit(query: URLSearchParams): number {
  const limit = wholeParam(query, "limit") ?? DEFAULT_LIMIT;
  if (limit === 0) throw refusalOf("limit");
  return limit;
}

function readFingerprint(query: URLSearchParams): EventQuery["after"] {
  const text = query.get("fingerprint");
  if (text === null || text === "") return undefined;
  const [, block, transaction, log] = PLACE.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (block === undefined) throw refusalOf("fingerprint does not match current set of params");
  return [Number(block), Number(transaction), Number(log)];
}

function refusalOf(filter: string): QueryRefusal {
  return new QueryRefusal(`Invalid query filter(s)!: [${filter}]`);
}
