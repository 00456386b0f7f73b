import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

const MAX_BYTES = 64 * 1024;
const READ_BY_OTHERS = 0o004;
const ENTERED_BY_OTHERS = 0o001;
/** Mounts of Docker and Kubernetes are visible to this container only, and have mode 0444 or 0644 by default. */
const MOUNTED = /^(\/var)?\/run\/secrets\//;

/** The text of a secret's file, or a fault that completes "names a file that". */
export type SecretFile =
  | { readonly text: string; readonly isOpenToAll: boolean }
  | { readonly fault: string };

/** Reads a secret's file. No fault contains its text or path: the path may be the secret itself, given by mistake. */
export function readSecretFile(path: string): SecretFile {
  let file: number | undefined;
  try {
    // A pipe without a writer must not block the start.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const about = fstatSync(file);
    if (!about.isFile()) return { fault: "is no regular file" };
    if (about.size > MAX_BYTES) return { fault: "is longer than 64 kB" };
    const text = readFileSync(file, "utf8").trim();
    if (text === "") return { fault: "is empty" };
    return { text, isOpenToAll: (about.mode & READ_BY_OTHERS) !== 0 && isReachedByAll(realpathSync(path)) };
  } catch (error) {
    return { fault: faultOf(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function isReadByAll(path: string): boolean {
  return (statSync(path).mode & READ_BY_OTHERS) !== 0 && isReachedByAll(realpathSync(path));
}

function isReachedByAll(path: string): boolean {
  if (MOUNTED.test(path)) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & ENTERED_BY_OTHERS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function faultOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "this user may not read";
  return `cannot be read (${String(code)})`;
}
