import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openFileLog, type RecordPosition } from "./record-log.ts";

const HEADING = "records 1";
const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "devchain-test-"));
  directories.push(directory);
  return directory;
}

it("reads back every record in order, also records larger than a read", () => {
  const directory = aDirectory();
  const records = ["a", "é".repeat(3_000_000), "", "b".repeat(5_000_000), "last"];
  const log = openFileLog(directory, HEADING, () => expect.unreachable());
  for (const record of records) log.append(() => record);
  log.close();
  const seen: string[] = [];
  const positions: RecordPosition[] = [];
  const again = openFileLog(directory, HEADING, (text, position) => {
    seen.push(text);
    positions.push(position);
  });
  expect(seen).toEqual(records);
  expect(positions.map((position) => again.read(position))).toEqual(records);
  again.close();
});

it("a file that another process truncates during a read is an error, not an endless start", () => {
  const directory = aDirectory();
  const path = join(directory, "blocks.log");
  const log = openFileLog(directory, HEADING, () => undefined);
  log.append(() => "first");
  const size = statSync(path).size;
  log.append(() => "x".repeat(9_000_000));
  log.append(() => "last");
  log.close();
  const cut = () => truncateSync(path, size);
  expect(() => openFileLog(directory, HEADING, cut)).toThrow("shorter");
});

it("directory and file are private to this user", () => {
  const directory = join(aDirectory(), "new");
  openFileLog(directory, HEADING, () => undefined).close();
  const modes = [directory, join(directory, "blocks.log")].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});
