import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync } from "node:fs";

/** Larger than a day of usual traffic, small enough for any disk. */
const MAX_BYTES = 10_000_000;
const CHECK_MS = 5_000;

/** A file that programs append to. */
export type LogFile = {
  /** for the programs; never changes */
  readonly descriptor: number;
  size(): number;
  close(): void;
};

/**
 * Opens a log that only this user can read, to append. Beyond `maxBytes` it is copied to `<path>.1`, in place
 * of an older one, and emptied: the two together are bounded. A few lines of that moment may be lost.
 */
export function openLogFile(path: string, { maxBytes = MAX_BYTES, checkMs = CHECK_MS } = {}): LogFile {
  const descriptor = openSync(path, "a", 0o600);
  const size = (): number => fstatSync(descriptor).size;

  function beginAnewWhenLong(): void {
    if (size() <= maxBytes) return;
    try {
      // The programs hold the open file, so it cannot be renamed.
      copyFileSync(path, `${path}.1`);
    } catch {
      // On a full disk a shorter log is better than none.
    }
    ftruncateSync(descriptor);
  }

  beginAnewWhenLong();
  const timer = setInterval(beginAnewWhenLong, checkMs).unref();
  return {
    descriptor,
    size,
    close: () => {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}
