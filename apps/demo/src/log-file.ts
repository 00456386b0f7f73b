import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync } from "node:fs";

/** Larger than a day of usual traffic, small enough for any disk. */
const MAX_BYTES = 10_000_000;
const CHECK_MS = 5_000;

/** A file that programs append to. */
export type LogFile = {
  /** the open file that the programs write to; it never changes */
  readonly descriptor: number;
  size(): number;
  close(): void;
};

/**
 * Opens a log for appending; only this user can read it. Beyond `maxBytes` it is copied over `<path>.1` and
 * emptied, so the two files together are bounded. A few lines written during the copy may be lost.
 */
export function openLogFile(path: string, { maxBytes = MAX_BYTES, checkMs = CHECK_MS } = {}): LogFile {
  const descriptor = openSync(path, "a", 0o600);
  const size = (): number => fstatSync(descriptor).size;

  function rotateWhenLong(): void {
    if (size() <= maxBytes) return;
    try {
      // The programs hold the open file, so it cannot be renamed.
      copyFileSync(path, `${path}.1`);
    } catch {
      // On a full disk a shorter log is better than none.
    }
    ftruncateSync(descriptor);
  }

  rotateWhenLong();
  const timer = setInterval(rotateWhenLong, checkMs).unref();
  return {
    descriptor,
    size,
    close: () => {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}
