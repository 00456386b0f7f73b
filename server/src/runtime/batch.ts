import { isRefused } from "@daric/postgres/errors";

/** A row that waits for a batch, and who is told of it. */
type Waiting<Row, Answer> = {
  readonly row: Row;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export type BatchOptions<Row, Answer> = {
  /** Answers the rows in their order, in one statement or one transaction. */
  readonly run: (key: string, rows: readonly Row[]) => Promise<readonly Answer[]>;
  /** Batches of one key that run at the same time. */
  readonly atOnce: number;
  /** What a row is refused with when too many wait. */
  readonly full: () => Error;
};

/** Rows of one batch at most. */
const MAX_ROWS = 64;
/** Rows of one key that may wait. */
const MAX_WAITING = 1_000;

/**
 * Puts together what is asked at the same time: answers a function that takes a row and resolves with its answer. A row
 * that finds nobody before it runs at once, so that one who is alone pays nothing; what comes while as many batches of its
 * key run as may is the next one, in the order in which it came. Keys do not wait for each other.
 *
 * A batch that the database refuses is run again row by row, so that a bad row hurts nobody but itself. Any other error
 * is that of each of its rows: nobody knows what became of them.
 */
export function createBatches<Row, Answer>(
  options: BatchOptions<Row, Answer>,
): (key: string, row: Row) => Promise<Answer> {
  const queues = new Map<string, { waiting: Waiting<Row, Answer>[]; running: number }>();

  async function runBatch(key: string, batch: readonly Waiting<Row, Answer>[]): Promise<void> {
    try {
      const answers = await options.run(
        key,
        batch.map(({ row }) => row),
      );
      if (answers.length !== batch.length) throw new Error("a batch answers each of its rows");
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      if (batch.length === 1 || !isRefused(error)) {
        for (const { reject } of batch) reject(error);
      } else {
        for (const waiting of batch) await runBatch(key, [waiting]);
      }
    }
  }

  function start(key: string): void {
    const queue = queues.get(key);
    if (queue === undefined || queue.running >= options.atOnce) return;
    if (queue.waiting.length === 0) {
      if (queue.running === 0) queues.delete(key);
      return;
    }
    queue.running += 1;
    void runBatch(key, queue.waiting.splice(0, MAX_ROWS)).finally(() => {
      queue.running -= 1;
      start(key);
    });
  }

  return (key, row) =>
    new Promise<Answer>((resolve, reject) => {
      const queue = queues.get(key) ?? { waiting: [], running: 0 };
      queues.set(key, queue);
      if (queue.waiting.length >= MAX_WAITING) return reject(options.full());
      queue.waiting.push({ row, resolve, reject });
      start(key);
    });
}
