import { failureLines } from "./failure.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/** The progress of `daric init`: text at once, JSON at the end. */
export type Progress = {
  add(facts: object, text: string): void;
  /** A short step that asks nothing: its facts are added before a signal ends the process. */
  finishing<T>(step: Promise<T>): Promise<T>;
};

/**
 * Runs `work`. With --json it prints one document, also at a failure. SIGINT and SIGTERM wait for a finishing step, and for that document: a
 * key that was made is shown only now.
 * A second signal ends the process at once.
 */
export async function reportProgress(
  terminal: Terminal,
  { json }: OutputOptions,
  work: (progress: Progress) => Promise<void>,
): Promise<void> {
  if (!json) return work({ add: (_, text) => terminal.write(text), finishing: holdSignals });
  const found: Record<string, unknown> = {};
  let unfinished: Promise<unknown> = Promise.resolve();
  let isPrinted = false;
  const print = (document: object): void => {
    if (!isPrinted) printFound(terminal, { json }, { json: document, text: () => "" });
    isPrinted = true;
  };
  const printFailure = (error: string) => print({ ...found, verdict: "fault", error });
  const stopListening = () => process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  function onSignal(signal: NodeJS.Signals): void {
    stopListening();
    void unfinished.then(() => {
      printFailure(`${signal} ended it: run it again`);
      process.kill(process.pid, signal);
    });
  }
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    await work({
      add: (facts) => Object.assign(found, facts),
      finishing: (step) => {
        unfinished = step.catch(() => undefined);
        return step;
      },
    });
    print(found);
  } catch (error) {
    printFailure(failureLines(error, terminal.variables).join("\n"));
    throw error;
  } finally {
    stopListening();
  }
}

/** The first signal ends the process once the step has ended. */
async function holdSignals<T>(step: Promise<T>): Promise<T> {
  let held: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    held = signal;
    letGo();
  };
  const letGo = () => process.off("SIGINT", hold).off("SIGTERM", hold);
  process.on("SIGINT", hold).on("SIGTERM", hold);
  try {
    return await step;
  } finally {
    letGo();
    if (held !== undefined) process.kill(process.pid, held);
  }
}
