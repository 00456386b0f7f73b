import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = new URL("./", import.meta.url);
const GUIDE = new URL("../../../../docs/database.md", import.meta.url);
/** They run other commands, or hold the function. */
const NO_COMMANDS = ["init", "with"];

it("docs/database.md names every command that works as the owner of the tables", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const owners = files.filter((name) =>
    readFileSync(new URL(name, FOLDER), "utf8").includes("withOwnersDatabase("),
  );
  const rows = readFileSync(GUIDE, "utf8").split("\n");
  const row = rows.find((line) => line.startsWith("| `daric migrate`")) ?? "";
  const named = [...row.matchAll(/`(?:daric )?([a-z-]+)/g)].map(([, name]) => name);
  const commands = owners.map((name) => name.replace(/\.ts$|-offline\.ts$/, ""));
  const missing = commands.filter(
    (name) => !named.includes(name) && !NO_COMMANDS.includes(name.split("-")[0] ?? ""),
  );
  expect(owners.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});
