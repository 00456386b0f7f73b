import type { DemoError } from "./settings.ts";

/** The callbacks for events of a running demo's parts. */
export type Watch = {
  /** A part ended by itself and was restarted under another pid; `message` is one line for the user. */
  onRestart(message: string): void;
  /** A part ended too often and is not restarted. */
  onGivenUp(error: DemoError): void;
};
