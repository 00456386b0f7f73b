import { statfs } from "node:fs/promises";
import type { Trial } from "./config-findings.ts";

/** Room for a day of a busy service's log and database. */
const ENOUGH_BYTES = 1_000_000_000;
const GIGABYTE = 1e9;

/** Tries whether the disk of a folder has room. No finding if the system does not report it. */
export async function tryDisk(
  folder: string,
  find: (path: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): Promise<Trial[]> {
  const disk = await find(folder).catch(() => undefined);
  if (disk === undefined) return [];
  const free = disk.bavail * disk.bsize;
  const words = `${(free / GIGABYTE).toFixed(1)} GB are free`;
  const trial = `disk of ${folder}`;
  if (free >= ENOUGH_BYTES) return [{ trial, verdict: "OK", words }];
  return [
    {
      trial,
      verdict: "doubtful",
      words: `${words}: free space before you start, best ${ENOUGH_BYTES / GIGABYTE} GB and more`,
    },
  ];
}
