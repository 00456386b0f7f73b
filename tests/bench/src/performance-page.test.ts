import { describe, expect, it } from "vitest";
import { pageWith } from "./performance-page.ts";
import { type BenchRecord, commandOf } from "./records.ts";

const idle = { name: "idle", measures: "transactions a second", bar: "at most 5" };
const benches = [idle, { ...idle, name: "whale" }].map((bench) => ({
  ...bench,
  run: () => Promise.reject(),
}));
const empty =
  "# Page\n<!-- latency -->\n<!-- end of latency -->\n<!-- benches -->\nold\n<!-- end of benches -->\nEnd.\n";
const record: BenchRecord = {
  ...{ name: "idle", command: "npm run bench -- idle", date: "2026-12-01T13:00" },
  ...{ ratio: 0.8, ours: 4.2, ceiling: 5, unit: "a second", pass: true },
  ...{ loadBefore: 0.4, load: 1.2, commit: "abc", cpus: 2 },
};
const rowsOf = (records: readonly BenchRecord[]) =>
  pageWith(empty, benches, new Map(records.map((each) => [each.name, each]))).split("\n");

describe("the page of performance", () => {
  it("has a row for each bench, with date, load and commit of its record", () => {
    const rows = rowsOf([record]);
    const cells = ["4.2 a second", "5 a second", "0.8", "yes", "2026-12-01 13:00, load 0.4 to 1.2, `abc`"];
    const measured = rows.find((row) => row.startsWith("| `npm run bench -- idle` |"));
    expect(measured?.endsWith(`| ${cells.join(" | ")} |`)).toBe(true);
    const missing = rows.find((row) => row.startsWith("| `npm run bench -- whale` |"));
    expect(missing?.endsWith("| – | – | – | – | not yet |")).toBe(true);
  });

  it("gives no verdict of a run with fewer or shorter rounds", () => {
    const quick = { ...record, command: "npm run bench -- idle --rounds 1" };
    expect(rowsOf([quick]).find((row) => row.includes("--rounds 1"))).toContain("| a quick look |");
    expect(rowsOf([{ ...record, pass: false }]).find((row) => row.includes("-- idle"))).toContain("| no |");
  });

  it("keeps the text around its tables, and is the same when it is written again", () => {
    const page = rowsOf([record]).join("\n");
    expect(page).toMatch(/^# Page\n[\s\S]*\nEnd\.\n$/);
    expect(page).not.toContain("old");
    expect(pageWith(page, benches, new Map([["idle", record]]))).toBe(page);
  });

  it("says what each bench compares", () => {
    const unknown = benches.map((bench) => ({ ...bench, name: "new-bench" }));
    expect(() => pageWith(empty, unknown, new Map())).toThrow("does not say what new-bench compares");
  });

  it("must have a place for each table", () => {
    expect(() => pageWith("# Page\n", benches, new Map())).toThrow("no place for latency");
  });
});

it("the command of a record has each option that is not the default", () => {
  const usual = { rounds: "5", seconds: "5", "warm-up": "10000", orders: "10000000", deliveries: "10000000" };
  expect(commandOf("whale", usual)).toBe("npm run bench -- whale");
  expect(commandOf("whale", { ...usual, rounds: "1", "warm-up": "300" })).toBe(
    "npm run bench -- whale --rounds 1 --warm-up 300",
  );
});
