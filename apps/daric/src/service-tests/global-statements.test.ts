import { sql } from "@daric/postgres/sql";
import { globally, globalStatements } from "@daric/runtime/global-statements";
import { serviceSources } from "@daric/testing/service-sources";
import { expect, it } from "vitest";

it("a global statement carries its name in its text and keeps its parameters", () => {
  const statement = globally("merchant-list", sql`select id from merchants limit ${5}`);
  expect(statement.text).toBe("/* global: merchant-list */ select id from merchants limit $1");
  expect(statement.values).toEqual([5]);
});

it("every name of the list has a reason and is used by exactly one store", () => {
  const used = serviceSources(/[/-]store\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/\b(?:globally\(|queryByTokens<\w+>\(db,)\s*"([a-z-]+)"/g)].map((match) => match[1]),
  );
  expect(used.sort()).toEqual(Object.keys(globalStatements).sort());
  for (const reason of Object.values(globalStatements)) expect(reason).toMatch(/^[a-z].{10,}[^.]$/);
});

it("a name outside the list does not compile", () => {
  // @ts-expect-error the name is not in the list
  const misuse = () => globally("everything", sql`select 1`);
  expect(misuse).toBeTypeOf("function");
});
