import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { parseEnv } from "node:util";
import { isReadByAll } from "@daric/runtime/secret-file";
import type { Variables } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

const OWNER_ONLY = 0o600;

/** A terminal whose variables include those of a settings file, once it is read. */
export type FilingTerminal = Terminal & {
  readFile(path: string): void;
};

/**
 * Reads the settings file on first use. The environment takes precedence over the file, as with `node --env-file`; a
 * blank variable counts as unset.
 */
export function withEnvFile(terminal: Terminal): FilingTerminal {
  let variables = terminal.variables;
  return {
    ...terminal,
    get variables() {
      return variables;
    },
    readFile: (path) => {
      const set = Object.entries(terminal.variables).filter(
        ([, text]) => text !== undefined && text.trim() !== "",
      );
      variables = { ...readEnvFile(path), ...Object.fromEntries(set) };
      if (isReadByAll(path))
        terminal.writeError(`daric: every user of this machine may read ${path}: chmod o-r\n`);
    },
  };
}

/**
 * Reads the `NAME=value` lines of a file.
 *
 * @throws CommandError if it cannot be read, or has other lines. Their text may be secret.
 */
export function readEnvFile(path: string): Variables {
  // Node reads a line of blanks, and an indented comment, as the beginning of the next name.
  const variables = parseEnv(textOf(path).replace(/^[ \t]+(?=#|\r?$)/gm, ""));
  if (Object.keys(variables).every((name) => /^\w+$/.test(name))) return variables;
  throw new CommandError(`${path} cannot be used: it has a line that is not like NAME=value`);
}

/** The text without the byte order mark of some editors. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CommandError(`${path} cannot be read${reasonOf(error)}`);
  }
}

/**
 * The text of an existing settings file; undefined if there is none.
 *
 * @throws CommandError if it cannot be read.
 */
export function readKeptFile(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : textOf(path);
}

/**
 * Writes a file of variables that only this user can read, completely or not at all. With `isNew` it overwrites
 * nothing.
 *
 * @throws CommandError if the file cannot be made.
 */
export function writeEnvFile(path: string, text: string, { isNew }: { readonly isNew: boolean }): void {
  const target = isNew ? path : realpathSync(path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeNew(temporary, text);
    if (!isNew) keepOwner(temporary, target);
    if (isNew) linkSync(temporary, target);
    else renameSync(temporary, target);
  } catch (error) {
    throw new CommandError(`${path} cannot be written${reasonOf(error)}`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Keeps the owner of the file, so that a service that runs as another user than root can still read it. */
function keepOwner(path: string, old: string): void {
  const { uid, gid } = statSync(old);
  if (uid !== statSync(path).uid) chownSync(path, uid, gid);
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", OWNER_ONLY);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * A line with the same meaning for Node, a shell, systemd and Compose; quoted only if needed.
 *
 * @throws CommandError for a value with every kind of quotes.
 */
export function envLine(name: string, value: string): string {
  if (/^[\w./:@,+=%-]*$/.test(value)) return `${name}=${value}\n`;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark));
  if (quote === undefined) throw new CommandError(`${name} has every kind of quotes, and fits into no file`);
  return `${name}=${quote}${value}${quote}\n`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return ": there is no such file or folder";
  if (code === "EISDIR") return ": it is a folder";
  if (code === "EACCES") return ": this user may not";
  if (code === "EEXIST") return ": another program made it meanwhile, and nothing is overwritten";
  if (code === "ENOSPC") return ": the disk is full; free space on it, and run this again";
  return code === undefined ? "" : ` (${code})`;
}
