import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, renameSync } from "node:fs";

/** Larger than a day of usual traffic, small enough for any disk. */
const MAX_BYTES = 10_000_000;
const LOOK_MS = 5_000;

/** A file that programs append to. */
export type LogFile = {
  /** for the programs; stays the same */
  readonly descriptor: number;
  size(): number;
  close(): void;
};

/**
 * Opens a log that only this user can read. What was there before is kept as `<path>.1`, and so is what is written as
 * soon as it is more than `maxBytes`, in place of an older one: the two together take a bounded space, whatever
 * happens. A few lines that are written just while the file changes may be lost.
 */
export function openLogFile(path: string, { maxBytes = MAX_BYTES, lookMs = LOOK_MS } = {}): LogFile {
  const former = `${path}.1`;
  try {
    renameSync(path, former);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const descriptor = openSync(path, "a", 0o600);
  const size = (): number => fstatSync(descriptor).size;
  const looking = setInterval(() => {
    if (size() <= maxBytes) return;
    try {
      // The programs hold the file itself, so it cannot be renamed under them.
      copyFileSync(path, former);
    } finally {
      ftruncateSync(descriptor);
    }
  }, lookMs).unref();
  return {
    descriptor,
    size,
    close: () => {
      clearInterval(looking);
      closeSync(descriptor);
    },
  };
}
