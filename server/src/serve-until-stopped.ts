import { type ServeOptions, serve } from "./main.ts";

/**
 * Serves until SIGTERM or SIGINT, then stops in order. SIGTERM, the signal of supervisors, drains first; SIGINT, the signal
 * of a person at a terminal, does not. A second signal ends the process at once.
 *
 * @throws ConfigError or StartError when it cannot start, or when a node turns out to be of the wrong chain later.
 */
export async function serveUntilStopped(options: ServeOptions): Promise<void> {
  const stopping = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(name);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  const { signal } = stopping;
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    const service = await serve({ ...options, signal });
    const refusal = signal.aborted ? undefined : await Promise.race([service.refused, stopped]);
    if (signal.reason === "SIGTERM") await service.drain();
    await service.stop();
    if (refusal) throw refusal;
  } catch (error) {
    if (!(signal.aborted && error instanceof Error && error.name === "AbortError")) throw error;
  } finally {
    process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
    // What could not be stopped in time must not keep the process alive.
    setTimeout(() => process.exit(), 500).unref();
  }
}
