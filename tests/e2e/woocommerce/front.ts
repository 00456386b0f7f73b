import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The web server in front of a shop: it can cache as a careless CDN does, and keep requests out as a firewall does. */
export type ShopFront = {
  readonly url: string;
  leadTo(port: number): void;
  /** Whether answers to GET without `no-store`, `no-cache` or `private` are kept, cookies or not. */
  cacheAll(isOn: boolean): void;
  /** Answers requests with such a path by this status instead of the shop, except those of the test. Returns the way back. */
  refuse(path: RegExp, status: number): () => void;
  /** the requests since the start whose path and query match */
  count(path: RegExp): number;
  close(): Promise<void>;
};

/** A header of requests that the test itself sends, which no firewall keeps out. */
export const OF_TEST = "x-of-test";

/** Daric then pauses for as many seconds. Without it five refusals leave an endpoint one attempt a minute, also in the next journeys. */
const RETRY_AFTER = "1";

type Kept = { readonly status: number; readonly headers: IncomingMessage["headers"]; readonly body: Buffer };

export async function openFront(): Promise<ShopFront> {
  let target = 0;
  let isCaching = false;
  const kept = new Map<string, Kept>();
  const refusals = new Set<{ path: RegExp; status: number }>();
  const seen: string[] = [];

  function answer(incoming: IncomingMessage, response: ServerResponse): void {
    const { url = "/", method = "GET", headers } = incoming;
    seen.push(url);
    const refusal = [...refusals].find(({ path }) => path.test(url) && headers[OF_TEST] === undefined);
    if (refusal !== undefined) {
      response
        .writeHead(refusal.status, { "content-type": "text/html", "retry-after": RETRY_AFTER })
        .end("<h1>Checking your browser</h1>");
      return;
    }
    const cached = isCaching && method === "GET" ? kept.get(url) : undefined;
    if (cached !== undefined) {
      response.writeHead(cached.status, { ...cached.headers, "x-cache": "HIT" }).end(cached.body);
      return;
    }
    const outgoing = request({ host: "127.0.0.1", port: target, path: url, method, headers }, (inner) => {
      const chunks: Buffer[] = [];
      inner.on("data", (chunk: Buffer) => chunks.push(chunk));
      inner.on("end", () => {
        const body = Buffer.concat(chunks);
        const { statusCode: status = 502 } = inner;
        if (isCaching && method === "GET" && mayKeep(inner))
          kept.set(url, { status, headers: inner.headers, body });
        response.writeHead(status, inner.headers).end(body);
      });
      inner.on("error", () => response.destroy());
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (port) => {
      target = port;
    },
    cacheAll: (isOn) => {
      isCaching = isOn;
      kept.clear();
    },
    refuse: (path, status) => {
      const refusal = { path, status };
      refusals.add(refusal);
      return () => refusals.delete(refusal);
    },
    count: (path) => seen.filter((url) => path.test(url)).length,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Such a cache ignores cookies, as carelessly configured ones do; it obeys what the answer says of itself. */
function mayKeep({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && !/no-store|no-cache|private/.test(headers["cache-control"] ?? "");
}
