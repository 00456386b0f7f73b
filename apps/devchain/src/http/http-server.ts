import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type HttpCall = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** the calling page, as browsers name it; undefined for other clients */
  readonly origin: string | undefined;
  /** host and port, as the client names this server */
  readonly host: string;
};

export type HttpAnswer = {
  readonly status: number;
  /** JSON text */
  readonly body: string;
  /** how long the response is delayed; 0 by default */
  readonly delayMs?: number;
};

export type AnswerCall = (call: HttpCall) => HttpAnswer;

/** A request and its response. */
export type AnsweredCall = {
  readonly method: string;
  readonly path: string;
  readonly requestBody: string;
  readonly status: number;
  readonly body: string;
  /** from the complete request to the end of the response */
  readonly ms: number;
};

type ListenOptions = {
  readonly host: string;
  readonly port: number;
  readonly onAnswer: ((answered: AnsweredCall) => void) | undefined;
};

/** Bytes of a request body; nodes refuse more (413). */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const HEADERS = { "content-type": "application/json; charset=utf-8" } as const;
const NODE_PATH = /^\/(wallet(solidity)?\/|v1\/|jsonrpc$)/;
/** Longer than the pools of clients keep an idle connection, so that none sends into a connection that just closed. */
const IDLE_MS = 65_000;
/** Browser wallets call their node directly. */
const NODE_HEADERS = {
  ...HEADERS,
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
} as const;

/** Listens and passes every complete GET, POST and control DELETE to `answer`. Rejects when the port is taken. */
export async function listen(answer: AnswerCall, { host, port, onAnswer }: ListenOptions): Promise<Server> {
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    respond(answer, request, response).then(onAnswer, () => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return server;
}

export async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function respond(
  answer: AnswerCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<AnsweredCall> {
  // Concatenated, not resolved: a path such as "//" would be read as a host.
  const target = `http://127.0.0.1${request.url ?? "/"}`;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const path = url?.pathname ?? "";
  const headers = NODE_PATH.test(path) ? NODE_HEADERS : HEADERS;
  const requestBody = await readBody(request);
  const startedMs = performance.now();
  const { status, body, delayMs = 0 } = answerSafely(answer, request, { url, body: requestBody });
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  if (status === NO_CONTENT.status) response.writeHead(status, headers).end();
  else {
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
  }
  const ms = performance.now() - startedMs;
  return { method: request.method ?? "GET", path, requestBody: requestBody ?? "", status, body, ms };
}

/** The answer to a preflight. */
const NO_CONTENT: HttpAnswer = { status: 204, body: "" };
const TOO_LARGE: HttpAnswer = { status: 413, body: JSON.stringify({ Error: "request body too large" }) };
const UNREADABLE: HttpAnswer = { status: 400, body: JSON.stringify({ Error: "the path cannot be read" }) };

/** An unforeseen error is a response, not fatal: the chain continues to produce blocks. */
function answerSafely(
  answer: AnswerCall,
  request: IncomingMessage,
  { url, body }: { url: URL | undefined; body: string | undefined },
): HttpAnswer {
  if (request.method === "OPTIONS") return NO_CONTENT;
  if (url === undefined) return UNREADABLE;
  if (body === undefined) return TOO_LARGE;
  const method = request.method ?? "GET";
  const isTaken =
    method === "GET" || method === "POST" || (method === "DELETE" && !NODE_PATH.test(url.pathname));
  if (!isTaken) {
    return { status: 405, body: JSON.stringify({ Error: `${method} is not supported` }) };
  }
  try {
    const { origin, host = "" } = request.headers;
    return answer({ method, path: url.pathname, query: url.searchParams, body, origin, host });
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
    return { status: 500, body: JSON.stringify({ Error: `internal error: ${text}` }) };
  }
}

/** The body as text, undefined when it is too large; the remainder is discarded. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString();
}
