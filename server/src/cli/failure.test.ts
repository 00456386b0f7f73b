import { DatabaseUnavailableError } from "@daric/postgres/errors";
import { expect, it } from "vitest";
import { failureLines } from "./failure.ts";

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

it("a slow server and an unreachable one get different advice", () => {
  const slow = new DatabaseUnavailableError(coded("canceling statement due to statement timeout", "57014"));
  expect(failureLines(slow)).toEqual([
    "the database is unavailable: canceling statement due to statement timeout (PostgreSQL is there, and too busy or too slow for it: run it again later)",
  ]);
  const away = new DatabaseUnavailableError(coded("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"));
  expect(failureLines(away)).toEqual([expect.stringContaining("is PostgreSQL running")]);
});

it("a pooler in statement mode gets its own advice", () => {
  const words = "transaction blocks not allowed in statement pooling mode";
  expect(failureLines(new DatabaseUnavailableError(coded(words, "08P01")))).toEqual([
    `the database is unavailable: ${words}: PgBouncer needs pool_mode = transaction before the service`,
  ]);
});
