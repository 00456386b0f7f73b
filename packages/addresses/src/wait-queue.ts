/** Callers that wait for a value, first come, first served. */
export type WaitQueue<T> = {
  length(): number;
  /** Waits for a value, at most `waitMs`, and then throws the error of `onTimeout`. */
  join(options: { waitMs: number; onTimeout: () => Error }): Promise<T>;
  /** Gives a value to the caller that has waited longest; the queue must not be empty. */
  serve(thing: T): void;
  refuseAll(error: unknown): void;
};

export function createWaitQueue<T>(): WaitQueue<T> {
  const waiting = new Set<{ resolve: (thing: T) => void; reject: (error: unknown) => void }>();
  return {
    length: () => waiting.size,
    join: ({ waitMs, onTimeout }) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(waiter);
          reject(onTimeout());
        }, waitMs);
        const waiter = {
          resolve: (thing: T) => {
            clearTimeout(timer);
            resolve(thing);
          },
          reject: (error: unknown) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        waiting.add(waiter);
      }),
    serve: (thing) => {
      const [first] = waiting;
      if (first === undefined) throw new Error("no caller waits");
      waiting.delete(first);
      first.resolve(thing);
    },
    refuseAll: (error) => {
      for (const waiter of waiting) waiter.reject(error);
      waiting.clear();
    },
  };
}
