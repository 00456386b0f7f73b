import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { Logger } from "../runtime/logger.ts";

/** The indexes `first` to `first` + `count` - 1 of an account key. */
export type IndexRange = { readonly xpub: string; readonly first: number; readonly count: number };

/** An address in both its forms: as it is written, and the 20 bytes behind the prefix that it shares with every other. */
export type DerivedAddress = {
  readonly index: number;
  readonly address: string;
  readonly hash: Uint8Array;
};

/** What the thread says to the question of this id: addresses, or why there are none. */
export type ThreadAnswer = {
  readonly id: number;
  readonly derived?: DerivedAddress[];
  readonly failure?: string;
};

/** Derives off the event loop: 250 addresses cost 25 ms of a core, in which a process would answer nobody. */
export type Deriver = {
  /**
   * The addresses of these indexes, in order.
   *
   * @throws Error when they cannot be derived, or the deriver is stopped.
   */
  derive(range: IndexRange): Promise<DerivedAddress[]>;
  /** Ends the thread; what waits for it is refused. */
  stop(): Promise<void>;
};

/** A question that was open when so many threads died is refused: it may be what they died of. */
const MAX_THREADS = 3;

type Question = {
  readonly range: IndexRange;
  readonly resolve: (derived: DerivedAddress[]) => void;
  readonly reject: (error: Error) => void;
  threads: number;
};

/**
 * Starts nothing before the first question. A thread that dies is followed by another, which gets the questions that
 * are open. `program` is what the thread runs.
 */
export function createDeriver({
  log,
  program = threadProgram,
}: {
  readonly log: Logger;
  readonly program?: () => string | URL;
}): Deriver {
  const open = new Map<number, Question>();
  let thread: Worker | undefined;
  let lastId = 0;
  let isStopped = false;

  function settle({ id, derived, failure }: ThreadAnswer): void {
    const question = open.get(id);
    open.delete(id);
    if (derived === undefined) question?.reject(new Error(failure));
    else question?.resolve(derived);
  }

  function ask(id: number, question: Question): void {
    question.threads += 1;
    thread ??= startThread(program(), { onAnswer: settle, onDeath });
    thread.postMessage({ id, ...question.range });
  }

  function onDeath(cause: unknown): void {
    thread = undefined;
    if (!isStopped)
      log.error({ err: cause }, "the thread that derives addresses died; another one is started");
    for (const [id, question] of open) {
      if (!isStopped && question.threads < MAX_THREADS) ask(id, question);
      else settle({ id, failure: `the thread that derives addresses ended: ${cause}` });
    }
  }

  return {
    derive: (range) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const question = { range, resolve, reject, threads: 0 };
        open.set(lastId, question);
        if (isStopped) settle({ id: lastId, failure: "no addresses are derived any more" });
        else ask(lastId, question);
      }),
    stop: async () => {
      isStopped = true;
      await thread?.terminate();
    },
  };
}

/** A thread is a program, so it is the build's, also where its caller is run from the sources. */
function threadProgram(): string {
  return createRequire(import.meta.url).resolve("@daric/server/addresses/derive-thread");
}

/** It does not keep the process alive. */
function startThread(
  program: string | URL,
  events: { onAnswer: (answer: ThreadAnswer) => void; onDeath: (cause: unknown) => void },
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
