import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedRequest = {
  headers: IncomingHttpHeaders;
  body: Buffer;
  method: string;
  path: string;
  atMs: number;
};

export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedRequest[];
  /** Answers the next requests, each after its body was read. */
  answer: (response: ServerResponse, request: ReceivedRequest, index: number) => void;
  close(): Promise<void>;
};

/** A merchant's receiver: a real HTTP server on 127.0.0.1 that keeps requests and answers 200 by default. */
export async function startReceiver(options: { port?: number } = {}): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, method = "", url = "" } = request;
      const kept = { headers, body: Buffer.concat(chunks), method, path: url, atMs: performance.now() };
      received.push(kept);
      receiver.answer(response, kept, received.length - 1);
    });
  };
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (response) => response.end("ok"),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
