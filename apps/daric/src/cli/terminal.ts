import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { processVariables, type Variables } from "../process/config.ts";

/** The input and output of a command. Tests have their own. */
export type Terminal = {
  readonly variables: Variables;
  /** standard input until its end */
  readInput(): Promise<string>;
  /** standard input line by line, as it arrives */
  readLines(): AsyncIterable<string>;
  write(text: string): void;
  writeError(text: string): void;
};

/** Runs another command without input, and returns its JSON. @throws CommandError with its own error. */
export type RunCommand = <T>(args: readonly string[], variables: Variables) => Promise<T>;

/** The same with the settings of one service. */
export type RunForService = <T>(args: readonly string[]) => Promise<T>;

export const processTerminal: Terminal = {
  variables: processVariables(),
  readInput: () => text(process.stdin),
  readLines: linesOfInput,
  write: (output) => {
    process.stdout.write(output);
  },
  writeError: (output) => {
    process.stderr.write(output);
  },
};

/** A reader that stays open keeps the process alive: it closes with its iterator. */
async function* linesOfInput(): AsyncGenerator<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    yield* lines;
  } finally {
    lines.close();
  }
}
