import { isHeldUp, isRefused } from "@daric/postgres/errors";

type Waiting<Row, Answer> = {
  readonly row: Row;
  /** the deadline of its answer, by `performance.now` */
  readonly answerBy: number;
  /** its batch was refused, so it runs in a batch of its own */
  readonly alone: boolean;
  timer?: NodeJS.Timeout;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export type BatchOptions<Row, Answer> = {
  /** Answers the rows in their order, in one statement or transaction, within `ms`. */
  readonly run: (key: string, rows: readonly Row[], ms: number) => Promise<readonly Answer[]>;
  readonly atOnce: number;
  /** milliseconds between a call and its answer */
  readonly answerMs: number;
  /** The error of a row that certainly did not run: too many rows wait, or it waited too long. */
  readonly refusal: () => Error;
};

/** Runs one row in a batch. `requestedAt` (by `performance.now`) is when the caller's wait began. */
export type RunInBatch<Row, Answer> = (key: string, row: Row, requestedAt?: number) => Promise<Answer>;

/** The API answers within 10 s, also while the database does not answer. */
export const API_ANSWER_MS = 9_000;
const MAX_ROWS = 64;
/** Waiting rows are not split into smaller batches than this: a statement costs as much as some rows. */
const MIN_SHARE = 16;
const MAX_WAITING = 1_000;
/** A row with a smaller part of its time left does not start, because its batch could end without an answer. */
const MIN_LEFT = 2 / 9;

/**
 * Collects the rows of one turn of the event loop and runs them together when the turn ends. While `atOnce` batches
 * of a key run, later rows wait in their order and form the next batches. Keys do not wait for each other. If the
 * database refuses a batch, it runs again row by row, so a bad row fails alone. Any other error goes to every row of
 * the batch, because the outcome is unknown. After a timeout, waiting rows of the key are refused too: each would
 * lose the same time. No row waits longer than `answerMs`.
 */
export function createBatches<Row, Answer>(options: BatchOptions<Row, Answer>): RunInBatch<Row, Answer> {
  const lines = new Map<string, Queue<Row, Answer>>();

  /** The next batch starts before the rows of this one are answered, so the database stays busy. */
  async function runBatch(
    key: string,
    { queue, batch }: { queue: Queue<Row, Answer>; batch: readonly Waiting<Row, Answer>[] },
  ): Promise<void> {
    queue.running += 1;
    const settle = await runOf(options, key, { waitingRows: queue.waitingRows, batch });
    queue.running -= 1;
    const isMoreWaiting = queue.waitingRows.length() > 0;
    start(key, queue);
    if (isMoreWaiting) setImmediate(settle);
    else settle();
  }

  /** Waits one turn: most simultaneous requests are read from their sockets in one turn. */
  function startSoon(key: string, queue: Queue<Row, Answer>): void {
    if (queue.isDue || queue.running >= options.atOnce) return;
    queue.isDue = true;
    setImmediate(start, key, queue);
  }

  function start(key: string, queue: Queue<Row, Answer>): void {
    queue.isDue = false;
    const { waitingRows } = queue;
    if (waitingRows.length() === 0 && queue.running === 0 && lines.get(key) === queue) lines.delete(key);
    while (waitingRows.length() > 0 && queue.running < options.atOnce) {
      const batches = Math.min(options.atOnce - queue.running, Math.floor(waitingRows.length() / MIN_SHARE));
      const share = Math.ceil(waitingRows.length() / Math.max(1, batches));
      void runBatch(key, { queue, batch: waitingRows.take(share) });
    }
  }

  return (key, row, requestedAt = performance.now()) =>
    new Promise<Answer>((resolve, reject) => {
      const queue = lines.get(key) ?? { waitingRows: createWaitingRows(options), running: 0, isDue: false };
      lines.set(key, queue);
      queue.waitingRows.join({
        row,
        answerBy: requestedAt + options.answerMs,
        alone: false,
        resolve,
        reject,
      });
      startSoon(key, queue);
    });
}

async function runOf<Row, Answer>(
  { run }: BatchOptions<Row, Answer>,
  key: string,
  { waitingRows, batch }: { waitingRows: WaitingRows<Row, Answer>; batch: readonly Waiting<Row, Answer>[] },
): Promise<() => void> {
  try {
    const rows = batch.map(({ row }) => row);
    const answers = await run(key, rows, Math.min(...batch.map(timeLeft)));
    if (answers.length !== batch.length) throw new Error("a batch answers each of its rows");
    return () => {
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    };
  } catch (error) {
    const isRunAgain = batch.length > 1 && isRefused(error);
    if (isRunAgain) waitingRows.requeueAlone(batch);
    if (isHeldUp(error)) waitingRows.refuseAll();
    return () => {
      if (!isRunAgain) for (const { reject } of batch) reject(error);
    };
  }
}

type Queue<Row, Answer> = {
  readonly waitingRows: WaitingRows<Row, Answer>;
  running: number;
  /** the next batch starts at the end of this turn */
  isDue: boolean;
};

type WaitingRows<Row, Answer> = {
  length(): number;
  /** Adds a row, or rejects it if too many wait or too little time is left. */
  join(waiting: Waiting<Row, Answer>): void;
  /** Puts rows of a refused batch back at the front, each for a batch of its own. */
  requeueAlone(batch: readonly Waiting<Row, Answer>[]): void;
  refuseAll(): void;
  take(max: number): readonly Waiting<Row, Answer>[];
};

function createWaitingRows<Row, Answer>({
  answerMs,
  refusal,
}: BatchOptions<Row, Answer>): WaitingRows<Row, Answer> {
  let waitingRows: Waiting<Row, Answer>[] = [];

  /** Sets the timer of a row, or rejects it if too little time is left. */
  function mayWait(waiting: Waiting<Row, Answer>): boolean {
    const ms = timeLeft(waiting) - answerMs * MIN_LEFT;
    if (ms <= 0) waiting.reject(refusal());
    else waiting.timer = setTimeout(expire, ms, waiting);
    return ms > 0;
  }

  function expire(waiting: Waiting<Row, Answer>): void {
    waitingRows = waitingRows.filter((row) => row !== waiting);
    waiting.reject(refusal());
  }

  return {
    length: () => waitingRows.length,
    join: (waiting) => {
      if (waitingRows.length >= MAX_WAITING) waiting.reject(refusal());
      else if (mayWait(waiting)) waitingRows.push(waiting);
    },
    requeueAlone: (batch) => {
      waitingRows.unshift(...batch.map((waiting) => ({ ...waiting, alone: true })).filter(mayWait));
    },
    refuseAll: () => {
      for (const { timer, reject } of waitingRows.splice(0)) {
        clearTimeout(timer);
        reject(refusal());
      }
    },
    take: (max) => {
      const count = Math.min(max, MAX_ROWS);
      const end = waitingRows.slice(0, count).findIndex(({ alone }) => alone);
      const batch = waitingRows.splice(0, end === -1 ? count : Math.max(1, end));
      for (const { timer } of batch) clearTimeout(timer);
      return batch;
    },
  };
}

function timeLeft({ answerBy }: { readonly answerBy: number }): number {
  return answerBy - performance.now();
}
