import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync } from "node:fs";

/** Larger than a day of usual traffic, small enough for any disk. */
const MAX_BYTES = 10_000_000;
const CHECK_MS = 5_000;

/** A file that programs append to. */
export type LogFile = {
  /** for the programs; stays the same */
  readonly descriptor: number;
  size(): number;
  close(): void;
};

/**
 * Opens a log that only this user can read, to go on behind what it holds. As soon as that is more than `maxBytes` it
 * is kept as `<path>.1`, in place of an older one, and the log begins anew: the two together take a bounded space.
 * A few lines that are written just then may be lost.
 */
export function openLogFile(path: string, { maxBytes = MAX_BYTES, checkMs = CHECK_MS } = {}): LogFile {
  const descriptor = openSync(path, "a", 0o600);
  const size = (): number => fstatSync(descriptor).size;

  function beginAnewWhenLong(): void {
    if (size() <= maxBytes) return;
    try {
      // The programs hold the file itself, so it cannot be renamed under them.
      copyFileSync(path, `${path}.1`);
    } catch {
      // The disk is full: rather a log that is short than none of them.
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
