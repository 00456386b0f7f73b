import { Worker } from "node:worker_threads";
import type { Logger } from "./logger.ts";

/** What the thread says to the question of this id: the answer, or why there is none. */
export type WorkerResponse<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

/** A thread that answers questions off the event loop. Questions and answers are copied, but for what is handed over. */
export type WorkerRpcClient<Request, Answer> = {
  /** @throws Error when the thread can answer no such question, or is stopped. */
  call(request: Request): Promise<Answer>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** A question that was open when so many threads died is refused: it may be what they died of. */
const MAX_THREADS = 3;

type ThreadOptions<Request> = {
  readonly log: Logger;
  /** what it does, for messages: "derives addresses" */
  readonly task: string;
  /** what it runs, which calls `serveWorkerRpc` */
  readonly program: () => string | URL;
  /** Memory of a question that the thread gets instead of a copy. What it has got dies with it, so that the question is not asked again. */
  readonly handedOver?: (request: Request) => readonly ArrayBuffer[];
};

type PendingCall<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  threads: number;
};

/** Starts nothing before the first question. A thread that dies is followed by another, which gets the questions that are open. */
export function createWorkerRpcClient<Request, Answer>({
  log,
  task,
  program,
  handedOver,
}: ThreadOptions<Request>): WorkerRpcClient<Request, Answer> {
  const mostThreads = handedOver === undefined ? MAX_THREADS : 1;
  const open = new Map<number, PendingCall<Request, Answer>>();
  let thread: Worker | undefined;
  let lastId = 0;
  let isStopped = false;

  function settle(response: WorkerResponse<Answer>): void {
    const request = open.get(response.id);
    open.delete(response.id);
    if ("failure" in response) request?.reject(new Error(response.failure));
    else request?.resolve(response.answer);
  }

  function put(id: number, call: PendingCall<Request, Answer>): void {
    call.threads += 1;
    thread ??= startThread(program(), { onAnswer: settle, onDeath });
    thread.postMessage({ id, request: call.request }, handedOver?.(call.request) ?? []);
  }

  /** What cannot be put is no open question. */
  function putOrRefuse(id: number, call: PendingCall<Request, Answer>): void {
    try {
      put(id, call);
    } catch (error) {
      settle({ id, failure: String(error) });
    }
  }

  function onDeath(cause: unknown): void {
    thread = undefined;
    if (!isStopped)
      log.error(
        { event: "worker_thread_died", err: cause },
        `the thread that ${task} died; the next call starts a new one`,
      );
    for (const [id, request] of open) {
      if (!isStopped && request.threads < mostThreads) put(id, request);
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
          settle({ id: lastId, failure: `the thread that ${task} was stopped: it is asked no more` });
        else putOrRefuse(lastId, call);
      }),
    stop: async () => {
      isStopped = true;
      await thread?.terminate();
    },
  };
}

/** It does not keep the process alive. */
function startThread<Answer>(
  program: string | URL,
  events: { onAnswer: (answer: WorkerResponse<Answer>) => void; onDeath: (cause: unknown) => void },
): Worker {
  // Flags of the process are for its own program.
  const thread = new Worker(program, { execArgv: [] });
  let cause: unknown = "it was ended";
  thread.unref();
  thread.on("message", events.onAnswer);
  thread.on("error", (error) => {
    cause = error;
  });
  thread.on("exit", () => events.onDeath(cause));
  return thread;
}
