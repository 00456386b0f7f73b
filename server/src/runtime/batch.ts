import { isHeldUp, isRefused } from "@daric/postgres/errors";

/** A row that waits for a batch, and who is told of it. */
type Waiting<Row, Answer> = {
  readonly row: Row;
  /** when its caller is answered at the latest, by the clock of `performance.now` */
  readonly answerBy: number;
  /** it was refused with others, and runs without them */
  readonly alone: boolean;
  /** refuses it where its batch does not start in time */
  timer?: NodeJS.Timeout;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export type BatchOptions<Row, Answer> = {
  /**
   * Answers the rows in their order, in one statement or one transaction, within `ms`: so long may the row still wait that
   * has waited longest.
   */
  readonly run: (key: string, rows: readonly Row[], ms: number) => Promise<readonly Answer[]>;
  /** Batches of one key that run at the same time. */
  readonly atOnce: number;
  /** Milliseconds after a row was asked for in which it is answered. */
  readonly answerMs: number;
  /** What a row is refused with that was certainly not run: too many wait, or it has waited for too long. */
  readonly refusal: () => Error;
};

/** Asks for a row; `askedAt` (by `performance.now`) is when its caller began to wait. */
export type RunInBatch<Row, Answer> = (key: string, row: Row, requestedAt?: number) => Promise<Answer>;

/** Callers of the API are promised an answer within 10 s, also while the database gives none. */
export const API_ANSWER_MS = 9_000;
/** Rows of one batch at most. */
const MAX_ROWS = 64;
/** What waits is not shared out to smaller batches than this: each statement costs as much as some rows. */
const LEAST_SHARE = 16;
/** Rows of one key that may wait. */
const MAX_WAITING = 1_000;
/**
 * The part of its time that a row has left when it is run, or it is not: with less, a batch would end without an answer
 * where a clear refusal was possible, and would take younger rows with it.
 */
const LEAST_LEFT = 2 / 9;

/**
 * Puts together what is asked at the same time: answers a function that takes a row and resolves with its answer. What is
 * asked in one turn of the event loop runs together when that turn is over, so that one who is alone waits for nobody; what
 * comes while as many batches of its key run as may is the next one, in the order in which it came. Where several may run,
 * what waits is shared out among them, so that answers are worked on while others are made. Keys do not wait for each other.
 *
 * A batch that the database refuses is run again row by row, so that a bad row hurts nobody but itself. Any other error
 * is that of each of its rows: nobody knows what became of them. Where it was held up, those who wait behind it are
 * refused with it: what holds it would cost each of them its time again.
 *
 * Nobody waits longer than `answerMs`: a row is refused while it waits, as long as there is time to run it, and whatever
 * runs has only the time that its rows have left.
 */
export function createBatches<Row, Answer>(options: BatchOptions<Row, Answer>): RunInBatch<Row, Answer> {
  const lines = new Map<string, Queue<Row, Answer>>();

  /** Before its rows are answered the next batch is on its way: while they are answered, the database works. */
  async function runBatch(
    key: string,
    { queue, batch }: { queue: Queue<Row, Answer>; batch: readonly Waiting<Row, Answer>[] },
  ): Promise<void> {
    queue.running += 1;
    const settle = await runOf(options, key, { line: queue.line, batch });
    queue.running -= 1;
    const goesOn = queue.line.length() > 0;
    start(key, queue);
    if (goesOn) setImmediate(settle);
    else settle();
  }

  /** A turn later: most that come at the same time are read from their sockets in one turn. */
  function startSoon(key: string, queue: Queue<Row, Answer>): void {
    if (queue.isDue || queue.running >= options.atOnce) return;
    queue.isDue = true;
    setImmediate(start, key, queue);
  }

  function start(key: string, queue: Queue<Row, Answer>): void {
    queue.isDue = false;
    const { line } = queue;
    if (line.length() === 0 && queue.running === 0 && lines.get(key) === queue) lines.delete(key);
    while (line.length() > 0 && queue.running < options.atOnce) {
      const batches = Math.min(options.atOnce - queue.running, Math.floor(line.length() / LEAST_SHARE));
      const share = Math.ceil(line.length() / Math.max(1, batches));
      void runBatch(key, { queue, batch: line.take(share) });
    }
  }

  return (key, row, requestedAt = performance.now()) =>
    new Promise<Answer>((resolve, reject) => {
      const queue = lines.get(key) ?? { line: createLine(options), running: 0, isDue: false };
      lines.set(key, queue);
      queue.line.join({ row, answerBy: requestedAt + options.answerMs, alone: false, resolve, reject });
      startSoon(key, queue);
    });
}

/** Runs a batch; answers what tells its rows of it. */
async function runOf<Row, Answer>(
  { run }: BatchOptions<Row, Answer>,
  key: string,
  { line, batch }: { line: Line<Row, Answer>; batch: readonly Waiting<Row, Answer>[] },
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
    if (isRunAgain) line.backAlone(batch);
    if (isHeldUp(error)) line.refuseAll();
    return () => {
      if (!isRunAgain) for (const { reject } of batch) reject(error);
    };
  }
}

/** What is asked under one key. */
type Queue<Row, Answer> = {
  readonly line: Line<Row, Answer>;
  /** batches under way */
  running: number;
  /** the next one starts when this turn is over */
  isDue: boolean;
};

/** The rows of one key that wait. */
type Line<Row, Answer> = {
  length(): number;
  /** Waits, unless too many do or it is too late. */
  join(waiting: Waiting<Row, Answer>): void;
  /** These were refused together: each is first in line again, for a batch of its own. */
  backAlone(batch: readonly Waiting<Row, Answer>[]): void;
  /** None of those who wait is run. */
  refuseAll(): void;
  /** The next batch: the first rows, so many at most. */
  take(most: number): readonly Waiting<Row, Answer>[];
};

function createLine<Row, Answer>({ answerMs, refusal }: BatchOptions<Row, Answer>): Line<Row, Answer> {
  let line: Waiting<Row, Answer>[] = [];

  /** Whether there is time to run it; it is refused when there is not, now or while it waits. */
  function mayWait(waiting: Waiting<Row, Answer>): boolean {
    const ms = timeLeft(waiting) - answerMs * LEAST_LEFT;
    if (ms <= 0) waiting.reject(refusal());
    else waiting.timer = setTimeout(leave, ms, waiting);
    return ms > 0;
  }

  function leave(waiting: Waiting<Row, Answer>): void {
    line = line.filter((other) => other !== waiting);
    waiting.reject(refusal());
  }

  return {
    length: () => line.length,
    join: (waiting) => {
      if (line.length >= MAX_WAITING) waiting.reject(refusal());
      else if (mayWait(waiting)) line.push(waiting);
    },
    backAlone: (batch) => {
      line.unshift(...batch.map((waiting) => ({ ...waiting, alone: true })).filter(mayWait));
    },
    refuseAll: () => {
      for (const { timer, reject } of line.splice(0)) {
        clearTimeout(timer);
        reject(refusal());
      }
    },
    take: (most) => {
      const count = Math.min(most, MAX_ROWS);
      const end = line.slice(0, count).findIndex(({ alone }) => alone);
      const batch = line.splice(0, end === -1 ? count : Math.max(1, end));
      for (const { timer } of batch) clearTimeout(timer);
      return batch;
    },
  };
}

/** Milliseconds until its caller must have an answer. */
function timeLeft({ answerBy }: { readonly answerBy: number }): number {
  return answerBy - performance.now();
}
