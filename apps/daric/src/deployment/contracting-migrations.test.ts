import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";

/** A statement that removes something which earlier programs use. */
const TAKES_AWAY = /\b(?:drop (?:table|column|view|function)|rename (?:to|column|constraint)|set not null)\b/;

/** Whether a migration removes something without raising `serves_from`. */
function forgetsToRaise({ version, text }: { version: number; text: string }): boolean {
  const code = text.toLowerCase().replace(/--.*$/gm, "").replace(/\s+/g, " ");
  return TAKES_AWAY.test(code) && !code.includes(`update deployment set serves_from = ${version};`);
}

it("a migration that removes something raises `serves_from` to its own number", () => {
  const migrations = readdirSync(MIGRATIONS_DIRECTORY).map((name) => ({
    version: Number(name.slice(0, 4)),
    text: readFileSync(join(MIGRATIONS_DIRECTORY, name), "utf8"),
  }));
  expect(migrations.filter(forgetsToRaise)).toEqual([]);
});

it.each([
  ["alter table t drop column a;", true],
  ["alter table t\n  drop column a;\nupdate deployment set serves_from = 140;", false],
  ["alter table t drop column a; update deployment set serves_from = 139;", true],
  ["-- drop table t\nalter table t add column b int;", false],
  ["alter table t rename column a to b;", true],
])("%s in migration 140: %s", (text, isForgotten) => {
  expect(forgetsToRaise({ version: 140, text })).toBe(isForgotten);
});
