import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

const MAX_BYTES = 64 * 1024;
const READ_BY_OTHERS = 0o004;
const ENTERED_BY_OTHERS = 0o001;
/** What Docker and Kubernetes mount here only this container sees, and they make it 0444 or 0644 unless they are told not to. */
const MOUNTED = /^(\/var)?\/run\/secrets\//;

/** What stands in the file of a secret, or why it cannot be had: words to be read behind "names a file that". */
export type SecretFile =
  | { readonly text: string; readonly isOpenToAll: boolean }
  | { readonly fault: string };

/**
 * Reads the file of a secret. Neither what stands in it nor its path is ever in a fault: somebody may have put the secret
 * itself where its file should be named.
 */
export function readSecretFile(path: string): SecretFile {
  let file: number | undefined;
  try {
    // A pipe that nobody writes to must not hold the start.
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

/** Whether everybody on this machine may read a file that is there, and gets to it. */
export function isReadByAll(path: string): boolean {
  return (statSync(path).mode & READ_BY_OTHERS) !== 0 && isReachedByAll(realpathSync(path));
}

/** Whether everybody on the machine gets to it: every folder above lets others through. */
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
