import { expect, it } from "vitest";
import { tryDisk } from "./check-config.ts";

const withFree = (bytes: number) => tryDisk("/srv", async () => ({ bavail: bytes / 1_000, bsize: 1_000 }));

it("a disk with room is OK, a full one is a doubt with the remedy, and an unknown one no finding", async () => {
  expect(await withFree(2e9)).toEqual([{ trial: "disk of /srv", verdict: "OK", words: "2.0 GB are free" }]);
  expect(await withFree(0)).toEqual([
    {
      trial: "disk of /srv",
      verdict: "doubtful",
      words: "0.0 GB are free: free space before you start, best 1 GB and more",
    },
  ]);
  expect(await tryDisk("/nowhere/at/all")).toEqual([]);
});
