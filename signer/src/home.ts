import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignerError } from "./config.ts";

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

/** The path of a file in the signer's home. @throws SignerError without a home. */
export function homePath(
  { variables }: SignerTerminal,
  { home = variables.SIGNER_HOME }: Options,
  name: string,
): string {
  if (typeof home === "string" && home !== "") return join(home, name);
  throw new SignerError("name the signer's home: --home or SIGNER_HOME");
}

/** @throws SignerError for an unreadable file. */
export function readFile(path: unknown): string {
  try {
    return readFileSync(String(path), "utf8");
  } catch (error) {
    throw new SignerError(`${path} cannot be read (${Object(error).code})`);
  }
}

/** A setting, or the text of the file in `NAME_FILE`. @throws SignerError for an unreadable file. */
export function readSecret({ variables }: SignerTerminal, name: string): string | undefined {
  const path = variables[`${name}_FILE`];
  return path === undefined ? variables[name] : readFile(path).trim();
}

/** The passphrase: from the option's file (also a systemd credential), or from the terminal. */
export async function askPassphrase(
  terminal: SignerTerminal,
  options: Options,
  question: string,
): Promise<string> {
  const path = options["passphrase-file"];
  return path === undefined
    ? terminal.ask(question, { isSecret: true })
    : readFile(path).replace(/\r?\n$/, "");
}
