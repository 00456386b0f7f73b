import { lookup } from "node:dns/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import { aReceiver, withAdvice } from "@daric/domain/transport-fault";
import { type FetchedFile, getFile } from "@daric/egress/get-file";
import { EgressFailure, type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { retryAfterMs } from "@daric/egress/retry-after";
import type { FetchContext } from "./context.ts";
import { addressOf, type SourceName } from "./sources.ts";

/** The limit for looking up, connecting, waiting and reading together. */
const TIMEOUT_MS = 5_000;
/** The longest pause that a host may request. */
const MAX_RETRY_AFTER_MS = 60_000;
/** The pause after a 403 that names none. */
const PENALTY_MS = 30_000;
/** The longest answers list all pairs of a market and have about 55 kB. The lists grow. */
const MAX_BODY_BYTES = 256 * 1024;
/** Coinbase refuses callers without a name. */
const USER_AGENT = "daric";
const QUOTED_CHARS = 200;

/** A host of prices. */
export type SourceHost = {
  /** its host name, for messages */
  readonly label: string;
  /** an answer of status 200: its text, and its age at arrival by the header `Age` */
  get(path: string): Promise<{ readonly text: string; readonly ageMs: number }>;
  /** Ends the running request. */
  close(): void;
};

/** IPv4 addresses come first, because an IPv6 address that does not answer would use up the time of a request. */
const access: NetworkAccess = {
  ...systemAccess,
  resolve: async (host) => {
    const found = await lookup(host, { all: true, order: "ipv4first" }).catch(() => []);
    return found.map(({ address }) => address);
  },
};

/**
 * Opens a source. No connection is made yet; no redirect is ever followed. Each request has a connection of
 * its own, through the guard of egress. The guard allows this host, which the operator named: it may be a
 * local chain.
 */
export function openSource({ config, rateAddresses }: FetchContext, name: SourceName): SourceHost {
  const url = new URL(rateAddresses?.[name] ?? addressOf(name, config.chain.nodeUrls));
  const prefix = url.origin + url.pathname.replace(/(?<!\/)\/+$/, "");
  const targets = { allowTargets: [url.hostname.replace(/^\[(.*)\]$/, "$1")], denyTargets: [] };
  const headers = { accept: "application/json", "user-agent": USER_AGENT };
  let underWay = new AbortController();
  return {
    label: url.host,
    get: async (path) => {
      const controller = new AbortController();
      underWay = controller;
      const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
      const request = { url: prefix + path, headers, maxBytes: MAX_BODY_BYTES, signal: controller.signal };
      try {
        return readAnswer(await getFile(targets, request, access), url.host);
      } catch (error) {
        throw error instanceof EgressFailure ? transportError(error, url.host) : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => underWay.abort(),
  };
}

function readAnswer({ statusCode, headers, content }: FetchedFile, node: string) {
  const text = content.toString("utf8");
  if (statusCode === 200) return { text, ageMs: ageOf(headers["age"]) };
  const isLimiter = statusCode === 429 || statusCode === 403;
  throw new NodeError(`answered HTTP ${statusCode}`, {
    fault: isLimiter ? "rate_limited" : "http_status",
    node,
    quote: JSON.stringify(text.slice(0, QUOTED_CHARS)),
    retryAfterMs:
      retryAfterMs(headers["retry-after"], MAX_RETRY_AFTER_MS) ??
      (statusCode === 403 ? PENALTY_MS : undefined),
  });
}

/** RFC 9111, section 5.1: of several values the first counts, and one that is not a number of seconds is ignored. */
function ageOf(header: string | string[] | undefined): number {
  const [first = ""] = [header].flat()[0]?.split(",") ?? [];
  return /^\s*\d{1,12}\s*$/.test(first) ? Number(first) * 1_000 : 0;
}

function transportError(failure: EgressFailure, node: string): NodeError {
  const { code } = failure;
  if (code === "response_too_large")
    return new NodeError(`answered more than ${MAX_BODY_BYTES} bytes`, { fault: "too_large", node });
  const isLate = code === "timeout" || code === "connect_timeout";
  const message = isLate
    ? "did not answer in time"
    : withAdvice(`cannot be reached (${code})`, failure.cause, aReceiver);
  return new NodeError(message, { fault: isLate ? "timeout" : "unreachable", node, cause: failure });
}
