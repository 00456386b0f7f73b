import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const MAX_BYTES = 64 * 1024;
const READ_BY_OTHERS = 0o004;

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
    return { text, isOpenToAll: (about.mode & READ_BY_OTHERS) !== 0 };
  } catch (error) {
    return { fault: faultOf(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function faultOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "this user may not read";
  return `cannot be read (${String(code)})`;
}
