import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { aNode, isLastingFault, withAdvice } from "@daric/domain/transport-fault";
import { retryAfterMs } from "@daric/egress/retry-after";
import { type Dispatcher, Pool } from "undici";
import { NodeError, type NodeFault } from "../blocks/node-error.ts";
import { parseJson } from "../blocks/parse-json.ts";
import {
  type BodyLimits,
  limitResponseSize,
  type ResponseSizeLimit,
  tooLarge,
} from "./response-size-limit.ts";

const inflate = promisify(gunzip);

/** Per host: a few blocks fetched ahead, and the polls of head and solid block. */
const MAX_CONNECTIONS = 8;
const MAX_RETRY_AFTER_MS = 60_000;
/** TronGrid suspends a key for 30 s after overuse, and states it only in its message. */
const PENALTY_MS = 30_000;
const RATE_LIMIT_PATTERN = /lack of computing resources|suspended|frequency|too many requests|rate limit/i;
const QUOTED_CHARS = 200;
/** Larger than any error message of a node. */
const MAX_REFUSAL_BYTES = 4_096;

export type HttpJsonOptions = BodyLimits & {
  /** http or https; its path is kept as a prefix */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** connecting, waiting and reading together */
  readonly timeoutMs: number;
};

/** A host that answers JSON. Every failure is a NodeError, also an error message with status 200. */
export type HttpJson = {
  readonly label: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  close(): Promise<void>;
};

export type HttpBytes = {
  /** The body of an answer with status 200, unparsed. An error message, which is short, throws. */
  postForBytes(path: string, body: object): Promise<Uint8Array>;
};

/**
 * Opens a host. No connection is made yet.
 *
 * @throws TypeError when the URL is not http or https.
 */
export function openHttpJson(options: HttpJsonOptions): HttpJson & HttpBytes {
  const { label, send, close } = openHost(options);
  return {
    label,
    get: async (path) => parseAnswer(await send({ method: "GET", path }), label),
    post: async (path, body) => parseAnswer(await send(postCall(path, body)), label),
    postForBytes: async (path, body) => {
      const answer = await send(postCall(path, body));
      if (answer.length <= MAX_REFUSAL_BYTES) parseAnswer(answer, label);
      return answer;
    },
    close,
  };
}

type HttpCall = { readonly method: "GET" | "POST"; readonly path: string; readonly body?: string };

function postCall(path: string, body: object): HttpCall {
  return { method: "POST", path, body: JSON.stringify(body) };
}

function openHost(options: HttpJsonOptions) {
  const url = new URL(options.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`a node's URL must start with http:// or https://, not ${url.protocol}`);
  }
  const { timeoutMs } = options;
  const pool = new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, "");
  const headers = {
    accept: "application/json",
    "accept-encoding": "gzip",
    ...(options.apiKey === undefined ? {} : { "TRON-PRO-API-KEY": options.apiKey }),
  };
  const send = (request: HttpCall) =>
    exchange(pool, { ...request, path: prefix + request.path, headers }, { ...options, node: url.host });
  return {
    label: url.host,
    send,
    close: () => pool.destroy(),
  };
}

type Request = Pick<Dispatcher.RequestOptions, "method" | "path"> & {
  body?: string;
  headers: Record<string, string>;
};

type Limits = Pick<HttpJsonOptions, "timeoutMs"> & BodyLimits & { readonly node: string };

async function exchange(pool: Pool, request: Request, limits: Limits): Promise<Buffer> {
  const sizeLimit = limitResponseSize(limits.node, limits);
  try {
    return await readAnswer(pool, request, { ...limits, sizeLimit });
  } finally {
    sizeLimit.release();
  }
}

async function readAnswer(
  pool: Pool,
  request: Request,
  { node, timeoutMs, maxBodyBytes, sizeLimit }: Limits & { readonly sizeLimit: ResponseSizeLimit },
): Promise<Buffer> {
  const headers = request.body === undefined ? {} : { "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Dispatcher.ResponseData;
  let body: Buffer;
  try {
    response = await pool.request({ ...request, headers: { ...request.headers, ...headers }, signal });
    body = await readBody(response, sizeLimit);
  } catch (error) {
    throw error instanceof NodeError ? error : transportError(error, node, signal);
  }
  const bytes = withoutMark(await decodeBody(body, response, { node, maxBodyBytes, sizeLimit }));
  if (response.statusCode !== 200)
    throw redirectError(response, node) ?? statusError(response, bytes.toString("utf8"), node);
  return bytes;
}

/** JSON has no byte order mark (RFC 8259, section 8.1), but some gateways send one. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

async function readBody(response: Dispatcher.ResponseData, sizeLimit: ResponseSizeLimit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // A throw ends the loop, which destroys the body and its connection.
    sizeLimit.require(length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

async function decodeBody(
  bytes: Buffer,
  response: Dispatcher.ResponseData,
  {
    node,
    maxBodyBytes,
    sizeLimit,
  }: Pick<Limits, "node" | "maxBodyBytes"> & { readonly sizeLimit: ResponseSizeLimit },
): Promise<Buffer> {
  const encoding = String(response.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip") {
    const details = { fault: "not_json", node, quote: quote(encoding) } as const;
    throw new NodeError("unknown content encoding", details);
  }
  const inflated = await inflateUpTo(maxBodyBytes, bytes, node);
  if (inflated !== undefined) return inflated;
  sizeLimit.require(maxBodyBytes + 1);
  const large = await inflateUpTo(sizeLimit.byteLimit, bytes, node);
  if (large === undefined) throw tooLarge(node, sizeLimit.byteLimit);
  return large;
}

async function inflateUpTo(maxBytes: number, bytes: Buffer, node: string): Promise<Buffer | undefined> {
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new NodeError("damaged gzip body", { fault: "not_json", node, cause });
  }
}

function parseAnswer(bytes: Buffer, node: string): unknown {
  const text = bytes.toString("utf8");
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch (cause) {
    throw new NodeError("answered no JSON", { fault: "not_json", node, quote: quote(text), cause });
  }
  const refusal = (answer as { Error?: unknown } | null)?.Error;
  if (typeof refusal !== "string") return answer;
  const isLimiter = RATE_LIMIT_PATTERN.test(refusal);
  throw new NodeError("refused", {
    fault: isLimiter ? "rate_limited" : "node_error",
    node,
    quote: quote(refusal),
    retryAfterMs: isLimiter ? pauseIn(refusal) : undefined,
  });
}

/** TronGrid's message for a penalty window: "… suspended for 30s". */
function pauseIn(refusal: string): number | undefined {
  return /suspended/i.test(refusal) ? PENALTY_MS : undefined;
}

/** No redirect is followed, since the operator chose the host; its target is the URL to set. Undefined for other answers. */
function redirectError(
  { statusCode, headers: { location } }: Dispatcher.ResponseData,
  node: string,
): NodeError | undefined {
  if (statusCode < 300 || statusCode > 399 || typeof location !== "string") return undefined;
  const [target = ""] = location.split(/\/wallet(?:solidity)?\//, 1);
  return new NodeError(`answered HTTP ${statusCode}, a redirect, which is not followed`, {
    fault: "http_status",
    node,
    quote: `set ${quote(target)} if you trust it`,
    retryable: false,
  });
}

/** 403 is a penalty window of hosted gateways; 408, 425, 429 and 5xx pass; other statuses mean a wrong setting. */
function statusError(response: Dispatcher.ResponseData, text: string, node: string): NodeError {
  const { statusCode } = response;
  const isLimiter = statusCode === 429 || statusCode === 403;
  const waitMs = retryAfterMs(response.headers["retry-after"], MAX_RETRY_AFTER_MS);
  return new NodeError(`answered HTTP ${statusCode}`, {
    fault: isLimiter ? "rate_limited" : "http_status",
    node,
    quote: quote(text),
    retryable: isLimiter || statusCode >= 500 || statusCode === 408 || statusCode === 425,
    retryAfterMs: waitMs ?? (statusCode === 403 ? PENALTY_MS : undefined),
  });
}

function transportError(cause: unknown, node: string, signal: AbortSignal): NodeError {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  const fault: NodeFault = signal.aborted || /TIMEOUT/.test(code) ? "timeout" : "unreachable";
  const words =
    fault === "timeout" ? "did not answer in time" : `cannot be reached (${code || String(cause)})`;
  const message = isLastingFault(cause) ? withAdvice(words, cause, aNode) : words;
  return new NodeError(message, { fault, node, cause });
}

/** Foreign text for a message: short, and without control characters that could forge log lines. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_CHARS));
}
