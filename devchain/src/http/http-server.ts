import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** JSON text */
  readonly body: string;
}

export type AnswerCall = (call: HttpCall) => HttpAnswer;

/** Bytes of a request body; nodes refuse more (413). */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  // Wallets in a browser call their node directly.
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
} as const;

/** Listens on an address and hands every complete GET and POST to `answer`. Rejects when the port is taken. */
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

/** Stops listening and drops every open connection. */
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
  if (request.method === "OPTIONS") {
    response.writeHead(204, HEADERS).end();
    return;
  }
  const body = await readBody(request);
  const { status, body: text } = body === undefined ? TOO_LARGE : answerSafely(answer, request, body);
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...HEADERS, "content-length": bytes.length }).end(bytes);
}

const TOO_LARGE: HttpAnswer = { status: 413, body: JSON.stringify({ Error: "request body too large" }) };

/** An unforeseen error is answered, not fatal: the chain goes on producing blocks for everybody else. */
function answerSafely(answer: AnswerCall, request: IncomingMessage, body: string): HttpAnswer {
  const method = request.method ?? "GET";
  if (method !== "GET" && method !== "POST") {
    return { status: 405, body: JSON.stringify({ Error: `${method} is not supported` }) };
  }
  try {
    // Put together, not resolved: a path such as "//" would be read as a host.
    const url = new URL(`http://127.0.0.1${request.url ?? "/"}`);
    return answer({ method, path: url.pathname, query: url.searchParams, body });
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
    return { status: 500, body: JSON.stringify({ Error: `internal error: ${text}` }) };
  }
}

/** The body as text, undefined when it is too large; the rest of it is read and thrown away. */
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
