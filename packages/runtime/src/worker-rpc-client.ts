import { Worker } from "node:worker_threads";
import type { Logger } from "./logger.ts";

export type WorkerResponse<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

/** A worker thread that computes off the event loop. Requests and answers are copied, except transferred memory. */
export type WorkerRpcClient<Request, Answer> = {
  /** @throws Error when the thread cannot answer this request, or is stopped. */
  call(request: Request): Promise<Answer>;
  stop(): Promise<void>;
};

/** A request that was open during this many crashes is rejected, because it may cause them. */
const MAX_THREADS = 3;
/** A thread without requests ends after this time: at rest it would hold some 15 MB. */
const REST_MS = 15_000;

type ThreadOptions<Request> = {
  readonly log: Logger;
  /** a verb phrase for messages: "derives addresses" */
  readonly task: string;
  /** the program of the thread; it calls `serveWorkerRpc` */
  readonly program: () => string | URL;
  /** Memory of a request that is transferred, not copied. It dies with the thread, so the request is not repeated. */
  readonly transferablesOf?: (request: Request) => readonly ArrayBuffer[];
};

type PendingCall<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  threads: number;
};

/** The messages of a thread to each of its clients. */
type ThreadClient = {
  settle(response: WorkerResponse<unknown>): void;
  onDeath(cause: unknown): void;
};

type Thread = {
  readonly clients: Set<ThreadClient>;
  send(message: object, memory: readonly ArrayBuffer[]): void;
};

/**
 * The threads of this process by program. All clients of a program share one, because starting it costs a fifth of a
 * second of CPU.
 */
const threads = new Map<string, Thread>();

/** Ids are unique in the process, so a client recognises its answers by them. */
let lastId = 0;

/**
 * Starts the thread of the program at the first request, unless another client has. It ends when none came for a while, and
 * keeps the process alive while a request is unanswered. A crashed thread is replaced, and the new one gets the open requests.
 */
export function createWorkerRpcClient<Request, Answer>({
  log,
  task,
  program,
  transferablesOf,
}: ThreadOptions<Request>): WorkerRpcClient<Request, Answer> {
  const maxThreads = transferablesOf === undefined ? MAX_THREADS : 1;
  const open = new Map<number, PendingCall<Request, Answer>>();
  const client: ThreadClient = { settle: (response) => settle(response as WorkerResponse<Answer>), onDeath };
  let isStopped = false;

  function settle(response: WorkerResponse<Answer>): void {
    const request = open.get(response.id);
    open.delete(response.id);
    if ("failure" in response) request?.reject(new Error(response.failure));
    else request?.resolve(response.answer);
  }

  function post(id: number, call: PendingCall<Request, Answer>): void {
    call.threads += 1;
    const { clients, send } = threadOf(program());
    clients.add(client);
    send({ id, request: call.request }, transferablesOf?.(call.request) ?? []);
  }

  function postOrReject(id: number, call: PendingCall<Request, Answer>): void {
    try {
      post(id, call);
    } catch (error) {
      settle({ id, failure: String(error) });
    }
  }

  function onDeath(cause: unknown): void {
    log.error(
      { event: "worker_thread_died", err: cause },
      `the thread that ${task} died; the next call starts a new one`,
    );
    for (const [id, request] of open) {
      if (request.threads < maxThreads) postOrReject(id, request);
      else settle({ id, failure: `the thread that ${task} ended: ${cause}` });
    }
  }

  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const call = { request, resolve, reject, threads: 0 };
        open.set(lastId, call);
        if (isStopped)
          settle({ id: lastId, failure: `the thread that ${task} was stopped and takes no more requests` });
        else postOrReject(lastId, call);
      }),
    stop: async () => {
      isStopped = true;
      for (const { clients } of threads.values()) clients.delete(client);
      for (const id of open.keys())
        settle({ id, failure: `the call ended, as the thread that ${task} was stopped` });
    },
  };
}

function threadOf(program: string | URL): Thread {
  const running = threads.get(String(program));
  if (running !== undefined) return running;
  // The process's flags are for its own program.
  const worker = new Worker(program, { execArgv: [] });
  const clients = new Set<ThreadClient>();
  let cause: unknown = "it was ended";
  let unanswered = 0;
  let rest: NodeJS.Timeout | undefined;
  const forget = (): void => {
    if (threads.get(String(program)) === thread) threads.delete(String(program));
  };
  const end = (): void => {
    forget();
    clients.clear();
    void worker.terminate();
  };
  worker.on("message", (response: WorkerResponse<unknown>) => {
    unanswered -= 1;
    if (unanswered === 0) {
      worker.unref();
      rest = setTimeout(end, REST_MS).unref();
    }
    for (const client of clients) client.settle(response);
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.on("exit", () => {
    clearTimeout(rest);
    forget();
    for (const client of clients) client.onDeath(cause);
  });
  const thread: Thread = {
    clients,
    send: (message, memory) => {
      worker.postMessage(message, memory);
      clearTimeout(rest);
      unanswered += 1;
      worker.ref();
    },
  };
  threads.set(String(program), thread);
  return thread;
}
