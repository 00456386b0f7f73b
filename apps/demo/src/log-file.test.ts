import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LogFile, openLogFile } from "./log-file.ts";

let folder: string;
let path: string;
let log: LogFile | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daric-log-"));
  path = join(folder, "service.log");
});
afterEach(() => {
  log?.close();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (file: string): string => readFileSync(file, "utf8");

it("a log is private to its user, and new lines are appended", () => {
  log = openLogFile(path);
  writeSync(log.descriptor, "first start\n");
  log.close();
  log = openLogFile(path);
  writeSync(log.descriptor, "second start\n");
  expect(textOf(path)).toBe("first start\nsecond start\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a log that is beyond its limit when opened is emptied at once", () => {
  writeFileSync(`${path}.1`, "older");
  writeFileSync(path, "x".repeat(2_000));
  log = openLogFile(path, { maxBytes: 1_000 });
  expect([textOf(path), textOf(`${path}.1`)]).toEqual(["", "x".repeat(2_000)]);
});

it("a log that grows beyond its limit is copied to one older file, and its writers go on in an empty one", async () => {
  log = openLogFile(path, { maxBytes: 1_000, checkMs: 5 });
  for (let round = 1; round <= 3; round += 1) {
    writeSync(log.descriptor, `${round}`.repeat(2_000));
    await expect.poll(() => log?.size(), { interval: 5 }).toBe(0);
    expect(textOf(`${path}.1`)).toBe(`${round}`.repeat(2_000));
    expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
  }
  writeSync(log.descriptor, "after\n");
  expect(textOf(path)).toBe("after\n");
});
