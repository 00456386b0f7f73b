const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type SignalSource = { on(signal: (typeof STOP_SIGNALS)[number], listener: () => void): unknown };

/** Calls `stop` at the first signal. Ctrl-C comes twice, from the terminal and from npm. */
export function onFirstStopSignal(source: SignalSource, stop: () => void): void {
  let isStopping = false;
  for (const signal of STOP_SIGNALS) {
    source.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      stop();
    });
  }
}
