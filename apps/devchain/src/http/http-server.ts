import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type HttpCall = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** the calling page, as browsers name it; undefined for other clients */
  readonly origin: string | undefined;
};

export type HttpAnswer = {
  readonly status: number;
  /** JSON text */
  readonly body: string;
  /** how long the response is delayed; 0 by default */
  readonly delayMs?: number;
};

export type AnswerCall = (call: HttpCall) => HttpAnswer;

/** Bytes of a request body; nodes refuse more (413). */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const HEADERS = { "content-type": "application/json; charset=utf-8" } as const;
const NODE_PATH = /^\/wallet(solidity)?\//;
/** Browser wallets call their node directly. */
const NODE_HEADERS = {
  ...HEADERS,
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
} as const;

/** Listens and passes every complete GET, POST and control DELETE to `answer`. Rejects when the port is taken. */
export async function listen(answer: AnswerCall, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    respond(answer, request, response).catch(() => response.destroy());
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
): Promise<void> {
  // Concatenated, not resolved: a path such as "//" would be read as a host.
  const target = `http://127.0.0.1${request.url ?? "/"}`;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const headers = url && NODE_PATH.test(url.pathname) ? NODE_HEADERS : HEADERS;
  if (request.method === "OPTIONS") {
    response.writeHead(204, headers).end();
    return;
  }
  const body = await readBody(request);
  const { status, body: text, delayMs = 0 } = answerSafely(answer, request, { url, body });
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
}

const TOO_LARGE: HttpAnswer = { status: 413, body: JSON.stringify({ Error: "request body too large" }) };
const UNREADABLE: HttpAnswer = { status: 400, body: JSON.stringify({ Error: "the path cannot be read" }) };

/** An unforeseen error is a response, not fatal: the chain continues to produce blocks. */
function answerSafely(
  answer: AnswerCall,
  request: IncomingMessage,
  { url, body }: { url: URL | undefined; body: string | undefined },
): HttpAnswer {
  if (url === undefined) return UNREADABLE;
  if (body === undefined) return TOO_LARGE;
  const method = request.method ?? "GET";
  const isTaken =
    method === "GET" || method === "POST" || (method === "DELETE" && !NODE_PATH.test(url.pathname));
  if (!isTaken) {
    return { status: 405, body: JSON.stringify({ Error: `${method} is not supported` }) };
  }
  try {
    const { origin } = request.headers;
    return answer({ method, path: url.pathname, query: url.searchParams, body, origin });
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
