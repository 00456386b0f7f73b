type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal | undefined };

/** Why a try that took too long was given up. */
export class TimeoutReached extends Error {
  override readonly name = "TimeoutReached";
}

/** Runs work under a signal that ends it after so long, or with the caller's own. No listener or timer stays behind. */
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

/** Resolves after so long; when the signal is given up first, it fails with its reason. */
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
