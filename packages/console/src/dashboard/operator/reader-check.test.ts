import { expect, it } from "vitest";
import type { Status } from "../../status/status.ts";
import { readerCheck } from "./find-checks.ts";

const leader = { host: "watcher-1", pid: "7", isThisProcess: false };
const scanned = { number: 100, ageSeconds: 4, solidNumber: 81 };
const checkOf = (reading: Partial<NonNullable<Status["reading"]>>, roles = ["api"], network = "mainnet") =>
  readerCheck({ process: { roles, network }, reading: { head: undefined, ...reading } } as unknown as Status);

it("a process that does not read the chain says whether another one does", () => {
  expect(checkOf({ leader, scanned })).toEqual({
    name: "reader",
    ok: true,
    detail: "complete to block 100, 4 s old",
  });
  expect(checkOf({ leader: undefined, scanned })).toMatchObject({
    ok: false,
    detail: "complete to block 100, 4 s old: no process reads the chain",
  });
  const old = { ...scanned, ageSeconds: 121 };
  expect(checkOf({ leader, scanned: old })?.ok).toBe(false);
  expect(checkOf({ leader, scanned: old }, ["api"], "devnet")?.ok).toBe(true);
  expect(checkOf({ leader, scanned: undefined })?.ok).toBe(false);
});

it("the watcher has the verdict of its own check alone", () => {
  expect(checkOf({ leader: undefined, scanned }, ["api", "watcher"])).toBeUndefined();
});
