import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const page = textOf("docs/performance.md");
const bench = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, "tests/bench/dist/main.js"), ...args], { encoding: "utf8" });

describe("docs/performance.md", () => {
  it("has the figures of the records, and a row for each bench: `npm run bench -- --page` writes both", () => {
    expect(() => bench("--page", "--check")).not.toThrow();
  });

  it("names the benches that exist, and no other", () => {
    const existing = [...bench("--list").matchAll(/^(\S+)$/gm)].map(([, name]) => name);
    const rows = [...page.matchAll(/^\| `npm run bench -- ([\w-]+)/gm)].map(([, name]) => name);
    expect(rows).toEqual(existing);
    const named = [...page.matchAll(/npm run bench -- ([a-z][\w-]*)/g)].map(([, name]) => name);
    expect(named.filter((name) => !existing.includes(name))).toEqual([]);
  });

  it("has one record of a bench, and none of a bench that is gone", () => {
    const recorded = JSON.parse(textOf("tests/bench/records.json")).map(({ name }: { name: string }) => name);
    expect(new Set(recorded).size).toBe(recorded.length);
    for (const name of recorded) expect(page).toContain(`| \`npm run bench -- ${name}`);
  });
});
