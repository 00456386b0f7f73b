import type { DemoError } from "./settings.ts";

/** Who is told what becomes of the parts of a demo that is running. */
export type Watch = {
  /** A part ended by itself and runs again, under another pid; `message` is one line for the user. */
  onRestart(message: string): void;
  /** A part could not be kept running. */
  onGivenUp(error: DemoError): void;
};
