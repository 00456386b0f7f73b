type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal | undefined };

/** The reason of a try that took too long. */
export class TimeoutReached extends Error {
  override readonly name = "TimeoutReached";
}

/**
 * Runs work with a signal that aborts after this time, or when the caller's own signal does. Leaves no listener
 * and no timer behind.
 */
export async function withTimeout<T>(
  { timeoutMs, signal }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new TimeoutReached()), timeoutMs);
  signal?.addEventListener("abort", follow, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}

/** Resolves after this time; an abort of the signal rejects it with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
