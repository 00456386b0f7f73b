import { addressFromText } from "@daric/tron/address";
import { headOf, type LocalChain } from "../chain/chain.ts";
import type { HttpAnswer, HttpCall } from "../http/http-server.ts";
import { type ChainEvent, comparePlaces, eventsIn } from "./chain-events.ts";
import { type EventQuery, pageFingerprint, QueryRefusal, readEventQuery, wholeParam } from "./event-query.ts";
import { renderEvent, renderTrc20 } from "./render-event.ts";

/** A list of events: those that belong to it, and how it shows each. */
type EventList = {
  readonly query: EventQuery;
  readonly isOf: (event: ChainEvent) => boolean;
  readonly render: (event: ChainEvent) => object;
};

type ListReader = (chain: LocalChain, part: string, query: URLSearchParams) => EventList;

const TX_ID = /^[0-9a-f]{64}$/i;
const BLOCK = /^\d{1,15}$/;

/** By the paths of TronGrid. */
const LISTS: readonly { readonly path: RegExp; readonly read: ListReader }[] = [
  { path: /^\/v1\/contracts\/([^/]+)\/events$/, read: eventsOfContract },
  { path: /^\/v1\/transactions\/([^/]+)\/events$/, read: eventsOfTransaction },
  { path: /^\/v1\/blocks\/([^/]+)\/events$/, read: eventsOfBlock },
  { path: /^\/v1\/accounts\/([^/]+)\/transactions\/trc20$/, read: trc20OfAccount },
];

/** Answers the event endpoints of /v1, and the probe of event servers; undefined for any other path. */
export function answerEvents(chain: LocalChain, call: HttpCall): HttpAnswer | undefined {
  if (call.path === "/healthcheck") return { status: 200, body: "{}" };
  if (!call.path.startsWith("/v1/")) return undefined;
  if (call.method !== "GET") return refusal(405, `${call.method} is not supported`);
  try {
    for (const { path, read } of LISTS) {
      const part = path.exec(call.path)?.[1];
      if (part !== undefined)
        return listAnswer(chain, call, read(chain, decodeURIComponent(part), call.query));
    }
  } catch (error) {
    if (error instanceof QueryRefusal || error instanceof URIError) return refusal(400, error.message);
    throw error;
  }
  return refusal(404, `${call.path} is not supported by this chain`);
}

function listAnswer(chain: LocalChain, call: HttpCall, { query, isOf, render }: EventList): HttpAnswer {
  const found = findEvents(chain, query, isOf);
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  const meta = {
    at: chain.now(),
    ...(last !== undefined && linksAfter(call, last)),
    page_size: page.length,
  };
  return { status: 200, body: JSON.stringify({ data: page.map(render), success: true, meta }) };
}

/** One event more than the page has, if there is one. */
function findEvents(chain: LocalChain, query: EventQuery, isOf: EventList["isOf"]): ChainEvent[] {
  const { fromMs, toMs, isNewestFirst, limit, after } = query;
  const found: ChainEvent[] = [];
  for (const event of eventsIn(chain, spanAfter(query), isNewestFirst)) {
    const isLater = after === undefined || comparePlaces(event.place, after) * (isNewestFirst ? -1 : 1) > 0;
    if (!isLater || event.timestamp < fromMs || event.timestamp > toMs || !isOf(event)) continue;
    if (found.push(event) > limit) break;
  }
  return found;
}

/** The blocks from that of the cursor on. */
function spanAfter({ span, after, isNewestFirst }: EventQuery): EventQuery["span"] {
  if (after === undefined) return span;
  return isNewestFirst
    ? { ...span, to: Math.min(span.to, after[0]) }
    : { ...span, from: Math.max(span.from, after[0]) };
}

function linksAfter({ host, path, query }: HttpCall, last: ChainEvent): object {
  const fingerprint = pageFingerprint(last);
  const next = new URLSearchParams(query);
  next.set("fingerprint", fingerprint);
  return { fingerprint, links: { next: `http://${host}${path}?${next}` } };
}

function eventsOfContract(chain: LocalChain, part: string, query: URLSearchParams): EventList {
  const contract = readTronAddress(part);
  const name = query.get("event_name");
  const block = wholeParam(query, "block_number");
  const page = readEventQuery(chain, query, "block_timestamp");
  return {
    query: block === undefined ? page : within(page, block),
    isOf: (event) => event.contract === contract && (name === null || event.name === name),
    render: renderEvent,
  };
}

function eventsOfTransaction(chain: LocalChain, part: string, query: URLSearchParams): EventList {
  if (!TX_ID.test(part)) throw new QueryRefusal("Invalid transaction id");
  const txId = part.toLowerCase();
  const page = readEventQuery(chain, query, "block_timestamp");
  const block = chain.store.numberByTxId.get(txId) ?? headOf(chain) + 1;
  return {
    query: { ...within(page, block), isNewestFirst: false },
    isOf: (event) => event.txId === txId,
    render: renderEvent,
  };
}

function eventsOfBlock(chain: LocalChain, part: string, query: URLSearchParams): EventList {
  if (part !== "latest" && !BLOCK.test(part)) throw new QueryRefusal("Invalid block number");
  const page = readEventQuery(chain, query, "block_timestamp");
  const block = part === "latest" ? page.span.to : Number(part);
  return { query: { ...within(page, block), isNewestFirst: false }, isOf: () => true, render: renderEvent };
}

function trc20OfAccount(chain: LocalChain, part: string, query: URLSearchParams): EventList {
  const account = readTronAddress(part);
  const token = query.get("contract_address");
  const contract = token === null ? undefined : readTronAddress(token);
  const [onlyFrom, onlyTo] = [query.get("only_from") === "true", query.get("only_to") === "true"];
  return {
    query: readEventQuery(chain, query, "timestamp"),
    isOf: ({ name, inputs: [from, to], contract: its }) =>
      (name === "Transfer" || name === "Approval") &&
      (contract === undefined || contract === its) &&
      ((from?.value === account && !onlyTo) || (to?.value === account && !onlyFrom)),
    render: renderTrc20,
  };
}

/** A page of one block alone, if the page reaches it. */
function within(page: EventQuery, block: number): EventQuery {
  const { from, to } = page.span;
  return { ...page, span: block < from || block > to ? { from: 1, to: 0 } : { from: block, to: block } };
}

/** An address in base58 or hex. @throws QueryRefusal for anything else. */
function readTronAddress(text: string): string {
  const address = addressFromText(text.replace(/^0x/, "41"));
  if (address === undefined) throw new QueryRefusal("Invalid address provided");
  return address;
}

function refusal(statusCode: number, error: string): HttpAnswer {
  return { status: statusCode, body: JSON.stringify({ success: false, error, statusCode }) };
}
