import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { must, SignerError } from "./config.ts";
import type { SignerTerminal } from "./home.ts";
import { oneLine } from "./policy.ts";
import { runCommand } from "./run-command.ts";

const stop = new AbortController();

const terminal: SignerTerminal = {
  // biome-ignore lint/style/noProcessEnv: the only place that reads the environment
  variables: process.env,
  stopped: stop.signal,
  write: (output) => {
    process.stdout.write(output);
  },
  readInput: () => text(process.stdin),
  ask,
  clock: Date.now,
  sleep: (ms) => sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined),
};

try {
  refuseUnsafeStart();
  process.umask(0o077);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // Without a handler, Node would open a port for a debugger at this signal.
  process.on("SIGUSR1", () => undefined);
  await runCommand(process.argv.slice(2), terminal);
} catch (error) {
  process.stderr.write(`daric-signer: ${oneLine(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}

/** The process with the seed runs no foreign code and writes no core dump. */
function refuseUnsafeStart(): void {
  must(!terminal.variables.NODE_OPTIONS, "NODE_OPTIONS is set: unset it, since it can load other code");
  const limits = existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "utf8") : undefined;
  const isCoreless = limits === undefined || /^Max core file size +0 /m.test(limits);
  must(isCoreless, "a core dump would contain the seed: run `ulimit -c 0` first, as bin/daric-signer does");
}

/** Reads a line. Without an output the input is not shown. */
async function ask(question: string, { isSecret } = { isSecret: false }): Promise<string> {
  must(!isSecret || process.stdin.isTTY, "there is no terminal to ask: give --passphrase-file");
  const lines = createInterface({ input: process.stdin, terminal: isSecret });
  process.stderr.write(question);
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
  throw new SignerError("there was no answer");
}
