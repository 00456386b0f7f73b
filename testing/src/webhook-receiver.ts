import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedWebhook = {
  readonly headers: Record<string, string>;
  /** the exact bytes of the body as text */
  readonly body: string;
  readonly event: { id: string; event: string; sequence: number; data: Record<string, unknown> };
  /** what was answered */
  readonly status: number;
};

/** A merchant's server: it keeps what it is sent and answers as it is told. */
export type Receiver = {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** the statuses of the next answers; 200 when there are none left */
  answerNext(...statuses: number[]): void;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const status = statuses.shift() ?? 200;
      received.push({ headers: plain(request.headers), body, event: JSON.parse(body), status });
      response.writeHead(status).end("noted");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerNext: (...next) => statuses.push(...next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
