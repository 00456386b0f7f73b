import { accessSync, constants, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Linux keeps it in memory; what nobody writes there costs nothing. */
const IN_MEMORY = "/dev/shm";
/** Several times what all databases of a run take at once, since their server and the tests need memory too. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Where tests keep databases, which come and go by the hundred with some hundred files each: in memory where there is
 * room for them, and programs may be run from there, else where temporary files are. On ext4 whoever makes a file looks
 * past all that were removed in the last minutes: a database that takes 20 ms to make takes 400 ms after the first few.
 */
export function scratchFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES && runsPrograms(IN_MEMORY) ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function runsPrograms(mountPoint: string): boolean {
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const options = mounts.findLast(([, place]) => place === mountPoint)?.[3] ?? "noexec";
  return !options.split(",").includes("noexec");
}
