import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Variables } from "../process/config.ts";
import { isReadByAll } from "../runtime/secret-file.ts";
import { CommandError } from "./failure.ts";
import { lintEnvLines } from "./lint-env-lines.ts";
import type { Terminal } from "./terminal.ts";

const OWNER_ONLY = 0o600;

/** A terminal beside whose variables stand those of a file, once it is read. */
export type FilingTerminal = Terminal & {
  readFile(path: string): void;
  /** what is doubtful of that file */
  readonly fileWarning: string | undefined;
};

/** What the environment sets wins over a file, as with `node --env-file`; a variable that is blank is not set. */
export function filing(terminal: Terminal): FilingTerminal {
  let variables = terminal.variables;
  let fileWarning: string | undefined;
  return {
    ...terminal,
    get variables() {
      return variables;
    },
    get fileWarning() {
      return fileWarning;
    },
    readFile: (path) => {
      const set = Object.entries(terminal.variables).filter(
        ([, text]) => text !== undefined && text.trim() !== "",
      );
      variables = { ...readEnvFile(path), ...Object.fromEntries(set) };
      fileWarning = isReadByAll(path) ? `everybody on this machine may read ${path}: chmod o-r` : undefined;
      if (fileWarning !== undefined) terminal.writeError(`daric: ${fileWarning}\n`);
    },
  };
}

/**
 * The variables of a file with a `NAME=value` in each line.
 *
 * @throws CommandError when it cannot be read, or a line would be read otherwise than it looks.
 */
export function readEnvFile(path: string): Variables {
  const { faults, assignments } = lintEnvLines(textOf(path));
  if (faults.length > 0) throw new CommandError(`${path} cannot be used: ${faults.join("; ")}`);
  return parseEnv(assignments);
}

/** Without the mark that some editors put before a text. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CommandError(`${path} cannot be read${reasonOf(error)}`);
  }
}

/** @throws CommandError when there is something at the path. */
export function requireNoFile(path: string): void {
  if (existsSync(path)) throw thereAlready(path);
}

/**
 * Writes a file of variables that only this user may read, and overwrites none.
 *
 * @throws CommandError when there is one already, or it cannot be made.
 */
export function writeEnvFile(path: string, text: string): void {
  let file: number;
  try {
    file = openSync(path, "wx", OWNER_ONLY);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw thereAlready(path);
    throw new CommandError(`${path} cannot be written${reasonOf(error)}`);
  }
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * A line as all readers of such files take it, Node, a shell, systemd and Compose; in quotes only where it needs them.
 *
 * @throws CommandError for a value that holds every kind of quotes.
 */
export function envLine(name: string, value: string): string {
  if (/^[\w./:@,+=%-]*$/.test(value)) return `${name}=${value}\n`;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark));
  if (quote === undefined)
    throw new CommandError(`${name} holds every kind of quotes, and fits into no file`);
  return `${name}=${quote}${value}${quote}\n`;
}

function thereAlready(path: string): CommandError {
  return new CommandError(`${path} is there already, and nothing is overwritten: --file names another one`);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return ": there is no such file or folder";
  if (code === "EISDIR") return ": it is a folder";
  if (code === "EACCES") return ": this user may not";
  return code === undefined ? "" : ` (${code})`;
}
