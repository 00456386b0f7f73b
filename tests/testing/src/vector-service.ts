import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { type ReceivedRequest, startReceiver } from "./receiver.ts";

type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  /** `cut` ends before the announced end, `endless` never ends; no answer comes for `close` and `silence`, no server for `refuse` */
  readonly fault?: "cut" | "endless" | "close" | "silence" | "refuse";
};

/** One call of a client in its wire form, the answers that it gets in order, and its outcome. */
export type Exchange = {
  readonly name: string;
  readonly operation: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** 1 without it */
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly answers: readonly Answer[];
  readonly expected: {
    /** the number of requests that the service gets */
    readonly requests: number;
    readonly data?: unknown;
    readonly error?: Readonly<Record<string, unknown>>;
    readonly sent?: object;
  };
};

/** The table that every client obeys. */
export type CallVectors = {
  readonly exchanges: readonly Exchange[];
  readonly repeatable: readonly { operation: string; body: unknown; expected: boolean }[];
  readonly waits: readonly {
    readonly code: string;
    readonly status: number | null;
    readonly isOutcomeUnknown: boolean;
    readonly retryAfter: number | null;
    readonly tries: number;
    readonly mayRepeat: boolean;
    readonly random: number;
    readonly waitMs: number | null;
  }[];
  readonly decimals: readonly { text: string; canonical: string | null }[];
  readonly fulfilment: readonly { name: string; event: object; order: object; reason: string | null }[];
};

const FILE = new URL("../../../clients/typescript/vectors/calls.json", import.meta.url);

export const callVectors = JSON.parse(readFileSync(FILE, "utf8")) as CallVectors;

export type VectorService = {
  /** the base URL of the exchange at an index is this, a name of the run, and the index: `…/sync/7` */
  readonly url: string;
  /** Each exchange of a run whose requests were not the expected ones, by its name. */
  faultsOf(run: string): string[];
  close(): Promise<void>;
};

/** Answers as the exchanges of the vectors say, faults of the network included. */
export async function startVectorService(): Promise<VectorService> {
  const receiver = await startReceiver();
  const received = new Map<string, ReceivedRequest[]>();
  receiver.answer = (response, request) => {
    const [, place = "", index = ""] = /^\/(\w+\/(\d+))\//.exec(request.path) ?? [];
    const requests = received.get(place) ?? [];
    received.set(place, [...requests, request]);
    const exchange = callVectors.exchanges[Number(index)];
    const answer = exchange?.answers[requests.length];
    if (answer === undefined) response.writeHead(500).end("one request too many");
    else give(response, answer);
  };
  return {
    url: new URL(receiver.url).origin,
    faultsOf: (run) =>
      callVectors.exchanges.flatMap(({ name, expected }, index) => {
        const requests = received.get(`${run}/${index}`) ?? [];
        const [first] = requests;
        if (requests.length !== expected.requests) return [`${name}: ${requests.length} requests`];
        const sent = first && sentIn(first);
        const isSame = expected.sent === undefined || isDeepStrictEqual(sent, expected.sent);
        return isSame ? [] : [`${name}: sent ${JSON.stringify(sent)}`];
      }),
    close: receiver.close,
  };
}

function give(response: ServerResponse, { status = 200, headers, body, text, fault }: Answer): void {
  if (fault === "silence") return;
  if (fault === "close") return void response.destroy();
  const content = text ?? JSON.stringify(body);
  const announced = fault === "cut" ? { "content-length": String(content.length + 100) } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers, ...announced });
  if (fault === undefined) response.end(content);
  else response.write(content, () => fault === "cut" && response.destroy());
}

function sentIn({ method, path, headers, body }: ReceivedRequest): object {
  const [, route = ""] = /^\/\w+\/\d+(\/.*)$/.exec(path) ?? [];
  const [pathname, search = ""] = route.split("?");
  return {
    method,
    path: pathname,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: body.length === 0 ? null : JSON.parse(body.toString()),
    hasKey: headers["x-api-key"] !== undefined,
  };
}
