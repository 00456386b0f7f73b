import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DocShell, startShell } from "./doc-shell.ts";

let parent: string;
let shell: DocShell;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "doc-shell-"));
  const folder = join(parent, "a shop's $HOME");
  mkdirSync(folder);
  shell = startShell(folder, process.env);
});
afterEach(async () => {
  await shell.stop();
  rmSync(parent, { recursive: true });
});

it("a block's output is its own, in any folder", async () => {
  expect(await shell.run("echo one")).toEqual({ code: 0, output: "one\n" });
  expect(await shell.run("echo two; (exit 127)")).toEqual({ code: 127, output: "two\n" });
  expect(shell.printed()).toBe("one\ntwo\n");
});

it("what was printed is known, whether a block has begun or not", async () => {
  const block = shell.run("echo one");
  expect(["", "one\n"]).toContain(shell.printed());
  await block;
  expect(shell.printed()).toBe("one\n");
});
