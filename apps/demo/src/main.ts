import { saveReceiver } from "./receiver.ts";
import { DemoError, readDemoSettings } from "./settings.ts";
import { type Started, startDemo } from "./start-demo.ts";
import { onFirstStopSignal } from "./stop-signals.ts";
import { welcome } from "./welcome.ts";

/** The most time from a signal to the end of all parts. */
const STOP_LIMIT_MS = 9_500;

const stopSignal = new AbortController();
const started: Started = {
  stops: [],
  stopping: stopSignal.signal,
  watch: {
    onRestart: (message) => process.stdout.write(`${message}\n`),
    onGivenUp: (error) => void fail(error),
  },
};
let stopping: Promise<void> | undefined;

/** Stops all parts, last first, and then this process. A second call waits for the first. */
function stop(exitCode: number): Promise<void> {
  stopSignal.abort();
  stopping ??= (async () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    for (const end of started.stops.toReversed()) await end().catch(report);
    process.exit(exitCode);
  })();
  return stopping;
}

/** Prints the reason and stops. Failures during a stop are ignored. */
async function fail(error: unknown): Promise<void> {
  if (stopping === undefined) report(error);
  await stop(1);
}

function report(error: unknown): void {
  const text = error instanceof Error && !(error instanceof DemoError) ? error.stack : undefined;
  process.stderr.write(`${text ?? (error instanceof Error ? error.message : String(error))}\n`);
}

/**
 * Stops the demo when npm is gone: a killed npm cannot signal its child, which would then run on unnoticed. `npm
 * start` passes npm's pid as the argument, because npm may be gone before this program starts.
 */
function stopWithNpm(npm: string | undefined): void {
  if (npm === undefined) return;
  setInterval(() => {
    if (process.ppid !== Number(npm)) void stop(0);
  }, 500).unref();
}

onFirstStopSignal(process, () => {
  process.stdout.write("\nStopping …\n");
  void stop(0);
});

stopWithNpm(process.argv[2]);
try {
  process.stdout.write("Starting database, local chain, service and signer …\n");
  const demo = await startDemo(readDemoSettings(process.env), started);
  process.stdout.write(welcome(demo, await saveReceiver(demo.settings.home)));
  setInterval(() => {}, 2 ** 30);
} catch (error) {
  await fail(error);
}
