import { Worker } from "node:worker_threads";
import type { Logger } from "./logger.ts";

/** What the thread says to the question of this id: the answer, or why there is none. */
export type WorkerResponse<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

/** A thread that answers questions off the event loop. Questions and answers are copied, but for what is handed over. */
export type WorkerRpcClient<Question, Answer> = {
  /** @throws Error when the thread can answer no such question, or is stopped. */
  ask(question: Question): Promise<Answer>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** A question that was open when so many threads died is refused: it may be what they died of. */
const MAX_THREADS = 3;

type ThreadOptions<Question> = {
  readonly log: Logger;
  /** what it does, for messages: "derives addresses" */
  readonly task: string;
  /** what it runs, which calls `serveWorkerRpc` */
  readonly program: () => string | URL;
  /** Memory of a question that the thread gets instead of a copy. What it has got dies with it, so that the question is not asked again. */
  readonly handedOver?: (question: Question) => readonly ArrayBuffer[];
};

type PendingCall<Question, Answer> = {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  threads: number;
};

/** Starts nothing before the first question. A thread that dies is followed by another, which gets the questions that are open. */
export function createWorkerRpcClient<Question, Answer>({
  log,
  task,
  program,
  handedOver,
}: ThreadOptions<Question>): WorkerRpcClient<Question, Answer> {
  const mostThreads = handedOver === undefined ? MAX_THREADS : 1;
  const open = new Map<number, PendingCall<Question, Answer>>();
  let thread: Worker | undefined;
  let lastId = 0;
  let isStopped = false;

  function settle(told: WorkerResponse<Answer>): void {
    const question = open.get(told.id);
    open.delete(told.id);
    if ("failure" in told) question?.reject(new Error(told.failure));
    else question?.resolve(told.answer);
  }

  function put(id: number, asked: PendingCall<Question, Answer>): void {
    asked.threads += 1;
    thread ??= startThread(program(), { onAnswer: settle, onDeath });
    thread.postMessage({ id, question: asked.question }, handedOver?.(asked.question) ?? []);
  }

  /** What cannot be put is no open question. */
  function putOrRefuse(id: number, asked: PendingCall<Question, Answer>): void {
    try {
      put(id, asked);
    } catch (error) {
      settle({ id, failure: String(error) });
    }
  }

  function onDeath(cause: unknown): void {
    thread = undefined;
    if (!isStopped)
      log.error({ err: cause }, `the thread that ${task} died; the next question starts another one`);
    for (const [id, question] of open) {
      if (!isStopped && question.threads < mostThreads) put(id, question);
      else settle({ id, failure: `the thread that ${task} ended: ${cause}` });
    }
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const asked = { question, resolve, reject, threads: 0 };
        open.set(lastId, asked);
        if (isStopped)
          settle({ id: lastId, failure: `the thread that ${task} was stopped: it is asked no more` });
        else putOrRefuse(lastId, asked);
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
