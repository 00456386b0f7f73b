import { setTimeout as sleep } from "node:timers/promises";
import type { SignerTerminal } from "../src/home.ts";
import { runCommand } from "../src/run-command.ts";

export type CommandResult = { readonly output: string; readonly error: string | undefined };
export type TestTerminal = {
  readonly variables?: Record<string, string>;
  readonly input?: string;
  /** the answers, in this order */
  readonly answers?: readonly string[];
  readonly clock?: () => number;
  readonly stopped?: AbortSignal;
  readonly slept?: number[];
};

/** Runs a command of the signer in this process; returns its output and its refusal. */
export async function run(args: readonly string[], given: TestTerminal = {}): Promise<CommandResult> {
  const answers = [...(given.answers ?? [])];
  const stopped = given.stopped ?? new AbortController().signal;
  let output = "";
  const terminal: SignerTerminal = {
    variables: given.variables ?? {},
    stopped,
    write: (text) => {
      output += text;
    },
    readInput: async () => given.input ?? "",
    ask: async (question) => answers.shift() ?? Promise.reject(new Error(`no answer to "${question}"`)),
    clock: given.clock ?? Date.now,
    sleep: async (ms) => {
      if (given.slept) given.slept.push(ms);
      else await sleep(ms, undefined, { signal: stopped }).catch(() => undefined);
    },
  };
  try {
    await runCommand(args, terminal);
    return { output, error: undefined };
  } catch (error) {
    return { output, error: error instanceof Error ? error.message : String(error) };
  }
}
