import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { must, SignerError } from "./config.ts";

/** An export of ten thousand transactions has about 10 MB. */
const MAX_BYTES = 64 * 2 ** 20;

/** The input and output of a command. */
export type SignerTerminal = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** aborted at the end of the process */
  readonly stopped: AbortSignal;
  write(text: string): void;
  /** standard input to its end */
  readInput(): Promise<string>;
  /** one line; a secret is not shown while it is typed */
  ask(question: string, options?: { readonly isSecret: boolean }): Promise<string>;
  clock(): number;
  /** ends early at the end of the process */
  sleep(ms: number): Promise<void>;
};

/** Values of the options of a command. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** The path of a file in the signer's home. @throws SignerError without a home, or if it is open to others. */
export function homePath({ variables }: SignerTerminal, options: Options, name: string): string {
  const { home = variables.SIGNER_HOME } = options;
  must(typeof home === "string" && home !== "", "name the signer's home: --home or SIGNER_HOME");
  // The last three bits are for every user of the machine. A folder that is closed to them closes its files too.
  const { mode = 0 } = statSync(home, { throwIfNoEntry: false }) ?? {};
  must((mode & 0o007) === 0, `every user of this machine can open ${home}: chmod o= ${home}`);
  return join(home, name);
}

/** @throws SignerError for a file that is unreadable or too large, as a device without an end is. */
export function readFile(path: unknown): string {
  try {
    const stats = statSync(String(path));
    must(!stats.isCharacterDevice() && stats.size <= MAX_BYTES, "too large");
    return readFileSync(String(path), "utf8");
  } catch (error) {
    throw new SignerError(`${path} cannot be read (${Object(error).code ?? Object(error).message})`);
  }
}

/** A setting, or the text of the file in `NAME_FILE`. @throws SignerError for an unreadable file. */
export function readSecret({ variables }: SignerTerminal, name: string): string | undefined {
  const path = variables[`${name}_FILE`];
  return path === undefined ? variables[name] : readFile(path).trim();
}

/** The passphrase: from the option's file (also a systemd credential), or from the terminal. */
export async function askPassphrase(terminal: SignerTerminal, options: Options, text: string) {
  const path = options["passphrase-file"];
  if (path === undefined) return terminal.ask(text, { isSecret: true });
  return readFile(path).replace(/\r?\n$/, "");
}
