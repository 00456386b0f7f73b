import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { RawAnswer } from "./node-faults.ts";

export type NodeCall = {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: questions are JSON of many shapes, which a test picks apart
  readonly question: any;
};

/** A proxy of a node that counts calls and fails on command. */
export type FaultyNode = {
  readonly url: string;
  /** every call so far, with or without a fault; a test may empty the list */
  readonly calls: NodeCall[];
  /** Replaces responses from now on; undefined passes the node's own response. */
  fail(answer: (call: NodeCall) => RawAnswer | undefined): void;
  heal(): void;
  stop(): Promise<void>;
};

export async function startFaultyNode(nodeUrl: string): Promise<FaultyNode> {
  const calls: NodeCall[] = [];
  const honest = (): RawAnswer | undefined => undefined;
  let fault: (call: NodeCall) => RawAnswer | undefined = honest;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { url: path = "/", method = "GET" } = request;
    const call = { path, question: body === "" ? {} : JSON.parse(body) };
    calls.push(call);
    const faked = fault(call) ?? (await forward(path, { method, ...(body !== "" && { body }) }));
    response.writeHead(faked.status ?? 200, { ...faked.headers }).end(faked.body);
  }

  async function forward(path: string, init: RequestInit): Promise<RawAnswer> {
    const fetched = await fetch(`${nodeUrl}${path}`, init);
    return { status: fetched.status, body: await fetched.text() };
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fail: (faulty) => {
      fault = faulty;
    },
    heal: () => {
      fault = honest;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
