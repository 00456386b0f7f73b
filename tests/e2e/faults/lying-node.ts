import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// biome-ignore lint/suspicious/noExplicitAny: answers of a node are JSON of many shapes, which a lie takes apart.
export type Json = any;

/** A query to a node with the honest answer. */
export type NodeReply = {
  readonly path: string;
  readonly question: Json;
  readonly honest: Json;
  /** Sends another query to the honest node, whose answer a lie may return instead. */
  fetchHonest(path: string, question: Json): Promise<Json>;
};

/**
 * Changes an answer, or returns undefined for a query without a lie. It may change `truth`, which is its own
 * copy.
 */
export type Lie = (answer: NodeReply) => Json | undefined | Promise<Json | undefined>;

/** The number of lies so far. */
export type ActiveInjection = { count(): number };

/** A proxy of an honest node that lies on command. */
export type LyingNode = {
  readonly url: string;
  /** Lies at the next `times` matching queries. The earliest injected lie is tried first. */
  inject(lie: Lie, times?: number): ActiveInjection;
  /** Answers matching queries with `answer`, and does not pass them on. */
  keep(isKept: (path: string, question: Json) => boolean, answer: Json): ActiveInjection;
  /** Ends all lies. */
  beHonest(): void;
  stop(): Promise<void>;
};

type ActiveLie = { readonly lie: Lie; left: number; count: number };

/** Starts a proxy in front of a node. Honest answers pass byte for byte. */
export async function startLyingNode(nodeUrl: string): Promise<LyingNode> {
  let lies: ActiveLie[] = [];
  let kept: { isKept: (path: string, question: Json) => boolean; answer: Json; count: number }[] = [];

  const fetchHonest = (path: string, question: string): Promise<Response> =>
    fetch(`${nodeUrl}${path}`, {
      method: "POST",
      body: question,
      headers: { "content-type": "application/json" },
    });
  const fetchJson = async (path: string, question: Json): Promise<Json> =>
    (await fetchHonest(path, JSON.stringify(question))).json();

  async function lieAbout(path: string, question: string, honest: string): Promise<string> {
    for (const injected of lies) {
      if (injected.left === 0) continue;
      const answered = await injected.lie({
        path,
        question: parse(question),
        honest: parse(honest),
        fetchHonest: fetchJson,
      });
      if (answered === undefined || injected.left === 0) continue;
      injected.left -= 1;
      injected.count += 1;
      return typeof answered === "string" ? answered : JSON.stringify(answered);
    }
    return honest;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await readBody(request);
    const path = request.url ?? "/";
    const keeping = kept.find(({ isKept }) => isKept(path, parse(question)));
    if (keeping !== undefined) {
      keeping.count += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(keeping.answer));
      return;
    }
    const honest = await (request.method === "POST"
      ? fetchHonest(path, question)
      : fetch(`${nodeUrl}${path}`));
    const answered = await lieAbout(path, question, await honest.text());
    response.writeHead(honest.status, { "content-type": "application/json" }).end(answered);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    inject: (lie, times = 1) => {
      const injected: ActiveLie = { lie, left: times, count: 0 };
      lies.push(injected);
      return { count: () => injected.count };
    },
    keep: (isKept, answer) => {
      const keeping = { isKept, answer, count: 0 };
      kept.push(keeping);
      return { count: () => keeping.count };
    },
    beHonest: () => {
      lies = [];
      kept = [];
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
